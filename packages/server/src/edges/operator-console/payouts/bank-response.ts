import { say } from '../../../acts/refusals/say.ts'
import type { CallDetail } from '../../../domain/withdrawals/index.ts'
import { worded } from '../../web/console/codes/codes.ts'
import type { Notices } from '../../../kernel/refusals/note.ts'
import type { Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
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

const HTTP = 'answer_http' satisfies keyof Notices

function failureOf(status: number): Failure | null {
  if (status === 408 || status === 504) return 'late'
  if (status === 401 || status === 403) return 'barred'
  if (status === 429) return 'busy'
  if (status >= 500) return 'broken'
  return status >= 400 ? 'refused' : null
}

/** What a bank responded. A status of HTTP in words, with the response itself folded. The codes of its refusals have words of their own. */
export function bankResponse({ language, root, words: { codes } }: Viewer, detail: NonNullable<CallDetail>): Part {
  if (typeof detail === 'string') return plainName(worded(codes.failures, detail))
  const said = plainName(say(language, detail))
  const { batch, status } = detail.facts
  if (typeof batch === 'string') {
    const [before, after] = said.split(batch)
    return html`${before}<a class="id" href="${root}${ORDER_FILES}/${batch}">${batch}</a>${after}`
  }
  const failure = detail.why === HTTP ? failureOf(Number(status)) : null
  if (failure === null) return said
  return html`<details class="raw">
    <summary>${WORDS[language][failure]}</summary>
    <span class="id">${said}</span>
  </details>`
}
