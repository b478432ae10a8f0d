import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { holdImports } from './replace-entered.ts'
import { selectUnproven } from './store.ts'

/** People entered the line, and the bank has not shown it. */
export async function isUnproven(db: Queryable, lineId: string): Promise<boolean> {
  return (await selectUnproven(db, [lineId])).length > 0
}

/** Money that may never have come does not leave. Held until the end: what shows the line is neither undone nor decided anew meanwhile. */
export async function mustBeProven(tx: Tx, lineId: string): Promise<void> {
  await holdImports(tx, lineId)
  if (!(await isUnproven(tx, lineId))) return
  throw new Refusal(
    'INVALID_STATE',
    `Line ${lineId} was entered by hand, and the bank has not shown it: its money cannot be sent away. Ask the bank, or import its statement. If the bank does not know the booking, two people dismiss the line: vezne line dismiss ${lineId}`,
  )
}
