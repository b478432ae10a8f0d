import type { Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { responseText } from '../../web/console/refusals/translate.ts'
import type { Language } from '../../web/console/site.ts'
import { ORDER_FILES } from '../order-files/words.ts'
import type { Viewer } from '../page.ts'

type Failure = 'late' | 'barred' | 'busy' | 'broken' | 'refused'

const WORDS: Record<Language, Record<Failure, string>> = {
  tr: {
    late: 'Banka zamanında yanıt vermedi',
    barred: 'Banka erişime izin vermedi',
    busy: 'Banka çok fazla istek aldığını bildirdi',
    broken: 'Bankanın sisteminde hata oluştu',
    refused: 'Banka isteği kabul etmedi',
  },
  en: {
    late: 'The bank did not respond in time',
    barred: 'The bank did not allow access',
    busy: 'The bank had too many requests',
    broken: 'The bank’s system had an error',
    refused: 'The bank did not accept the request',
  },
}

function failureOf(status: number): Failure | null {
  if (status === 408 || status === 504) return 'late'
  if (status === 401 || status === 403) return 'barred'
  if (status === 429) return 'busy'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : null
}

/** What a bank responded. A status of HTTP in words, with the response itself folded. */
export function bankResponse({ language, root, words: { codes } }: Viewer, detail: string): Part {
  const said = plainName(responseText(language, codes, detail))
  const [, orderFile = ''] = /^(?:in )?order batch ([0-9a-f]{24})\b/.exec(detail) ?? []
  if (orderFile !== '') {
    const [before, after] = said.split(orderFile)
    return html`${before}<a class="id" href="${root}${ORDER_FILES}/${orderFile}">${orderFile}</a>${after}`
  }
  const failure = failureOf(Number(/^HTTP (\d{3})(?!, and)/.exec(detail)?.[1] ?? 0))
  if (failure === null) return said
  return html`<details class="raw">
    <summary>${WORDS[language][failure]}</summary>
    <span class="id">${said}</span>
  </details>`
}
