import type { ListedTransaction, TransactionFilter } from '../../../domain/overview/index.ts'
import { eachPage } from '../../../domain/overview/index.ts'
import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { fileName } from './exported-table.ts'
import type { Shown } from './routes.ts'
import type { Format, openDownloads } from './table-download.ts'
import { FORMATS } from './table-download.ts'
import type { SharedWords } from './words-tr.ts'

export type ExportedColumn = Column & { cell: (row: ListedTransaction) => Cell }

/** A spreadsheet of more rows is no longer looked through. */
const MAX_ROWS = 50_000

type Exported = { filter: TransactionFilter; columns: ExportedColumn[]; format: Format; maxRows?: number }

/** The filtered list as a file, newest first, read page by page. The last row says so if it was cut. */
export function exportList(
  { db, log }: { db: Db; log: Log },
  words: SharedWords,
  downloads: ReturnType<typeof openDownloads>,
  { filter, columns, format, maxRows = MAX_ROWS }: Exported,
): Promise<Shown> {
  const { kind, from, to } = filter
  return downloads(
    { log, words },
    { name: fileName(words, kind, from, to), title: words.exported.titles[kind], format, columns },
    async (write) => {
      const hasMore = await eachPage(db.pages, filter, maxRows, (rows) =>
        write(rows.map((row) => columns.map(({ cell }) => cell(row)))),
      )
      if (hasMore) await write([[words.exportCut(maxRows)]])
    },
  )
}

/** Links to the list at this address as a file. */
export function exportLinks({ download }: SharedWords, address: string): Html {
  return html`<span class="downloads"
    >${download}${FORMATS.map(
      (format) =>
        html` <a href="?${`${address}&format=${format}`}" aria-label="${download} ${format}"
          >${format.toUpperCase()}</a
        >`,
    )}</span
  >`
}
