import type { Queryable } from '../../platform/postgres/db.ts'
import type { StoredLine } from './bank-line.ts'
import { selectReplacing } from './entered/replace-entered.ts'
import type { EnteredLine } from './entered/store.ts'
import { enteredOfLines } from './entered/store.ts'
import type { FileOfLine } from './files/lines/store.ts'
import { filesOfLines } from './files/lines/store.ts'

/** Where a line is from, beside its connection: people, with the bank's line that shows it, or an uploaded file. */
export type LineOrigin = { entered: EnteredLine | null; shownBy: StoredLine | null; file: FileOfLine | null }

/** Of each of these that people entered or that came in a file. */
export async function originsOf(db: Queryable, lineIds: string[]): Promise<ReadonlyMap<string, LineOrigin>> {
  const entered = await enteredOfLines(db, lineIds)
  const shown = await selectReplacing(
    db,
    entered.map(({ lineId }) => lineId),
  )
  const files = await filesOfLines(db, lineIds)
  return new Map([
    ...files.map((file): [string, LineOrigin] => [file.lineId, { entered: null, shownBy: null, file }]),
    ...entered.map((one): [string, LineOrigin] => {
      const shownBy = shown.find(({ correctsLineId }) => correctsLineId === one.lineId) ?? null
      return [one.lineId, { entered: one, shownBy, file: null }]
    }),
  ])
}
