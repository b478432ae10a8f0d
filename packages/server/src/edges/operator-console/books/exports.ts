import type { ExportKind } from '../../../domain/books/index.ts'
import { EXPORTS, exportTable } from '../../../domain/books/index.ts'
import { addDays, isDay, istanbul } from '../../../kernel/istanbul.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { fileName, tableInWords } from '../../web/console/exported-table.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Format } from '../../web/console/table-download.ts'
import { FORMATS, formatFrom } from '../../web/console/table-download.ts'
import { option } from '../../web/console/transaction-list.ts'
import { downloads } from '../downloads.ts'
import type { OperatorDeps } from '../kind.ts'
import type { MerchantNames } from '../names.ts'
import { accountNames, merchantNames } from '../names.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

export type ExportWanted = { kind: ExportKind; from: string; to: string; merchantId: string | null; format: Format }

/** What an address asks for; the default is the month until yesterday. */
export function wantedFrom(query: Record<string, unknown>, now: Date): ExportWanted {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const yesterday = addDays(istanbul(now).day, -1)
  const merchant = text('merchant')
  return {
    kind: EXPORTS.find((one) => one === text('kind')) ?? 'transactions',
    from: isDay(text('from')) ? text('from') : `${yesterday.slice(0, 7)}-01`,
    to: isDay(text('to')) ? text('to') : yesterday,
    merchantId: /^[0-9a-f]{24}$/.test(merchant) ? merchant : null,
    format: formatFrom(query) ?? 'csv',
  }
}

export function exportForm(viewer: Viewer, wanted: ExportWanted, merchants: MerchantNames): Html {
  const { language, root, words: shared } = viewer
  const words = WORDS[language]
  return html`<form class="filters" action="${root}/books/exports">
    <label class="field"
      >${words.exportKind}
      <select name="kind">
        ${EXPORTS.map((kind) => option(kind, words.exportKinds[kind], kind === wanted.kind))}
      </select>
    </label>
    <label class="field">${shared.from}<input type="date" name="from" value="${wanted.from}" required /></label>
    <label class="field">${shared.to}<input type="date" name="to" value="${wanted.to}" required /></label>
    <label class="field"
      >${shared.merchant}
      <select name="merchant">
        ${option('', shared.allMerchants, wanted.merchantId === null)}
        ${[...merchants].map(([id, name]) => option(id, plainName(name), id === wanted.merchantId))}
      </select>
    </label>
    <label class="field"
      >${words.format}
      <select name="format">
        ${FORMATS.map((format) => option(format, format.toUpperCase(), format === wanted.format))}
      </select>
    </label>
    <button class="button small">${shared.download}</button>
  </form>`
}

/** Throws a `Refusal` if it cannot begin. */
export async function download(app: OperatorDeps, { words }: Viewer, wanted: ExportWanted): Promise<Shown> {
  const { kind, from, to, format } = wanted
  const { db, log } = app
  const [merchants, accounts] = [await merchantNames(app), await accountNames(app)]
  const { rows, ...table } = tableInWords(words, kind, (id) => merchants.get(id) ?? accounts(id) ?? id)
  return downloads({ log, words }, { name: fileName(words, kind, from, to), format, ...table }, (write) =>
    exportTable({ db: db.withStatementLimit(60_000) }, kind, wanted, (found) => write(rows(found))),
  )
}
