import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { StoredLine } from '../bank-line.ts'
import { forgedAmong } from './file-marks.ts'
import type { FileTotal } from './lines/store.ts'
import { countOfFile, setAsideOfFile, totalsOfFile } from './lines/store.ts'
import { withLines } from './missing-lines.ts'
import type { ImportedStatement, StatementFile } from './statement-file.ts'
import { findFile, selectStatementsOf } from './store.ts'

export type ShownFile = StatementFile & {
  statements: ImportedStatement[]
  byState: FileTotal[]
  counts: FileCounts
  /** The first lines that were not booked because people had entered them. */
  setAside: StoredLine[]
  /** False if someone has written it in SQL. */
  isOfPerson: boolean
}

/** More than people enter on the day of an outage. */
const MAX_SET_ASIDE = 200

/** What was imported from a file, and what became of its lines. */
export async function showFile(app: { db: Db; marks: Marks }, id: string): Promise<ShownFile> {
  const { db } = app
  const file = await findFile(db, id)
  if (!file) throw refuse('statement_file_unknown', { file: id })
  const checks = await withLines(db, file.checks)
  const [statements, byState] = [await selectStatementsOf(db, id), await totalsOfFile(db, id)]
  const isOfPerson = (await forgedAmong(app, db, [file])).size === 0
  const setAside = await setAsideOfFile(db, id, MAX_SET_ASIDE)
  return { ...file, isOfPerson, checks, statements, byState, setAside, counts: await countsOf(db, file) }
}

/** What became of the lines of a file. `toMatch`: those that the matcher has not judged yet. */
export type FileCounts = {
  new: number
  known: number
  suspected: number
  unread: number
  pending: number
  toMatch: number
}

export async function countsOf(db: Queryable, file: StatementFile): Promise<FileCounts> {
  const { lines, suspected, toMatch } = await countOfFile(db, file.id)
  const { pending, unread } = { pending: file.pending ?? 0, unread: file.unread ?? 0 }
  return {
    new: lines,
    // The page that completes a statement may also book a line of another page.
    known: Math.max((file.lines ?? 0) - lines - pending - unread, 0),
    suspected,
    unread,
    pending,
    toMatch,
  }
}
