import type { Column } from '../../../platform/files/table-cells.ts'
import type { Table } from '../../../platform/files/table-file.ts'
import { streamTable } from '../../../platform/files/table-stream.ts'
import type { Log } from '../../../platform/log.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { html } from '../html.ts'
import type { Shown } from './routes.ts'
import type { SharedWords } from './words-tr.ts'

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type Format = keyof typeof TYPES
export const FORMATS = Object.keys(TYPES) as Format[]

/** The format that an address asks for. */
export function formatFrom(query: Record<string, unknown>): Format | null {
  return FORMATS.find((one) => one === query['format']) ?? null
}

/** `name`: of the file, without its ending. */
type Wanted = { name: string; format: Format; title: string; columns: Column[] }
type Asking = { log: Log; words: SharedWords }

/** Each may hold a connection to the database until its last byte is read. */
const MAX_RUNNING = 2

/** Downloads of one console, so that merchants do not keep the staff waiting. Throws a `Refusal` of `fill` before its first rows. */
export function openDownloads() {
  let running = 0
  return async (
    { log, words }: Asking,
    { name, ...table }: Wanted,
    fill: (write: Table['write']) => Promise<void>,
  ): Promise<Shown> => {
    if (running >= MAX_RUNNING) return busy(words)
    running++
    const body = await streamTable(table, fill, {
      onEnd(error) {
        running--
        if (error !== null && !(error instanceof Refusal)) log.error({ err: error, name }, 'an export broke off')
      },
    })
    return { download: { name: `${name}.${table.format}`, type: TYPES[table.format], body } }
  }
}

function busy({ download, downloadBusy }: SharedWords): Shown {
  const main = html`<h1>${download}</h1>
    <p class="say bad" role="alert">${downloadBusy}</p>`
  return { page: { title: download, section: null, main }, status: 503 }
}
