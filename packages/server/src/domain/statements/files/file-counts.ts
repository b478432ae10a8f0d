import type { Queryable } from '../../../platform/postgres/db.ts'
import { countOfFile } from './lines/store.ts'
import type { StatementFile } from './statement-file.ts'

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
