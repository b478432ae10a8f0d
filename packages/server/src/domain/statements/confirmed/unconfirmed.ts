import { istanbul } from '../../../kernel/istanbul.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import { lockImport } from '../store.ts'
import type { EnteredLine } from '../entered/store.ts'
import { enteredOfLines, selectEnteredOpen } from '../entered/store.ts'
import type { Unconfirmed } from './store.ts'
import { selectAmong, selectBookedBefore, selectLackedOfDay } from './store.ts'

/** A line in the books that no final statement of the bank contains. `entered`: people entered it; else a report during the day gave it. */
export type UnconfirmedLine = Unconfirmed & { entered: EnteredLine | null }

/** By then every bank has given the statement of the day. */
export const CONFIRMED_WITHIN_DAYS = 3
/** Lines that one answer names. */
const MAX_LINES = 1000

async function withEntered(db: Queryable, lines: Unconfirmed[]): Promise<UnconfirmedLine[]> {
  const entered = await enteredOfLines(
    db,
    lines.map(({ id }) => id),
  )
  return lines.map((line) => ({ ...line, entered: entered.find(({ lineId }) => lineId === line.id) ?? null }))
}

/** Those of these lines that are not confirmed. */
export async function selectUnconfirmed(db: Queryable, ids: string[]): Promise<UnconfirmedLine[]> {
  return withEntered(db, await selectAmong(db, ids))
}

/** Those that people entered, oldest first. */
export async function unconfirmedEntered(db: Queryable): Promise<UnconfirmedLine[]> {
  return selectUnconfirmed(db, await selectEnteredOpen(db))
}

/** Lines of the day that its final statement lacks. */
export async function unconfirmedOfDay(db: Queryable, day: string): Promise<UnconfirmedLine[]> {
  return withEntered(db, await selectLackedOfDay(db, day, MAX_LINES))
}

/** Lines that should be confirmed by now: the bank may not know the booking. */
export async function overdueUnconfirmed(app: {
  db: Queryable
  clock: Clock
  banks: BankDirectory
}): Promise<UnconfirmedLine[]> {
  const before = businessDaysAgo(app.clock.now(), CONFIRMED_WITHIN_DAYS, await app.banks.holidays())
  return withEntered(app.db, await selectBookedBefore(app.db, before, MAX_LINES))
}

/** Money that may never have come does not leave. Held until the end: what confirms the line is neither undone nor decided anew meanwhile. */
export async function mustBeConfirmed(tx: Tx, lineId: string): Promise<void> {
  await lockImport(tx)
  const [line] = await selectUnconfirmed(tx, [lineId])
  if (!line) return
  const { day } = istanbul(line.bookedAt)
  throw refuse('line_not_confirmed', { line: lineId, day, file: line.lackedBy })
}
