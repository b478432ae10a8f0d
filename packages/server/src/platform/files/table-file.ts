import { open, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { Refusal } from '../refusal.ts'
import type { Cell, Column } from './table-cells.ts'
import { csvLine } from './table-cells.ts'
import { xlsxWriter } from './xlsx-writer.ts'
import { zipWriter } from './zip-writer.ts'

export type TableFormat = 'csv' | 'xlsx'
export type TableKind = { format: TableFormat; title: string; columns: Column[] }
export type Table = { write: (rows: Cell[][]) => Promise<void>; finish: () => Promise<void> }

/** Writes a table while `fill` gives its rows. The file appears when it is complete; an existing one is never replaced. */
export async function writeTable<Result>(
  file: string,
  kind: TableKind,
  fill: (write: Table['write']) => Promise<Result>,
): Promise<Result> {
  if (existsSync(file)) throw new Refusal('INVALID_STATE', `${file} exists already; choose another name.`)
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  try {
    const table = openTable((bytes) => handle.writeFile(bytes), kind)
    const result = await fill(table.write)
    await table.finish()
    await handle.sync()
    await handle.close()
    await rename(draft, file)
    return result
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** A table whose bytes go to `sink` as its rows come. */
export function openTable(sink: (bytes: Uint8Array) => Promise<void>, { format, title, columns }: TableKind): Table {
  return format === 'csv' ? csvTable(sink, columns) : xlsxWriter(zipWriter(sink), title, columns)
}

/** So that spreadsheets read the file as UTF-8. */
const BOM = '\uFEFF'

function csvTable(sink: (bytes: Uint8Array) => Promise<void>, columns: Column[]): Table {
  const head =
    BOM +
    csvLine(
      columns.map(({ name }) => ({ name, kind: 'text' })),
      columns.map(({ name }) => name),
    )
  let started = false
  const write = async (rows: Cell[][]) => {
    const text = rows.map((cells) => csvLine(columns, cells)).join('')
    await sink(Buffer.from(started ? text : head + text))
    started = true
  }
  return { write, finish: async () => void (started || (await write([]))) }
}
