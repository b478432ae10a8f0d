import type { ExportKind } from '../../../domain/books/index.ts'
import { COLUMNS, EXPORTS, exportTable } from '../../../domain/books/index.ts'
import { addDays, isDay, istanbul } from '../../../kernel/istanbul.ts'
import { streamTable } from '../../../platform/files/table-stream.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Shown } from '../../web/console/routes.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { OperatorDeps } from '../deps.ts'
import type { MerchantNames } from '../names.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

const FORMATS = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
type Format = keyof typeof FORMATS

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
    format: text('format') === 'xlsx' ? 'xlsx' : 'csv',
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
        ${(['csv', 'xlsx'] as const).map((format) => option(format, format.toUpperCase(), format === wanted.format))}
      </select>
    </label>
    <button class="button small">${words.download}</button>
  </form>`
}

/** Each holds a connection to the database until its last byte is read. */
const MAX_RUNNING = 2
let running = 0

/** Throws a `Refusal` if it cannot begin. */
export async function download(app: OperatorDeps, viewer: Viewer, wanted: ExportWanted): Promise<Shown> {
  const { kind, from, to, format } = wanted
  if (running >= MAX_RUNNING) throw new Refusal('INVALID_STATE', WORDS[viewer.language].exportBusy)
  running++
  const db = app.db.withStatementLimit(60_000)
  const body = await streamTable(
    { format, title: kind, columns: COLUMNS[kind] },
    (write) => exportTable({ db }, kind, wanted, write),
    {
      onEnd(error) {
        running--
        if (error !== null && !(error instanceof Refusal)) app.log.error({ err: error, kind }, 'an export broke off')
      },
    },
  )
  return { download: { name: `${kind}-${from}-${to}.${format}`, type: FORMATS[format], body } }
}
