import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Word } from '../../people/index.ts'
import { forged } from '../../people/index.ts'
import type { EnteredLine } from './store.ts'
import { waitingEntered } from './store.ts'

type Said = Pick<
  EnteredLine,
  | 'id'
  | 'collectingAccountId'
  | 'direction'
  | 'amount'
  | 'bookedOn'
  | 'senderName'
  | 'senderIban'
  | 'narrative'
  | 'besides'
  | 'proposedBy'
>

/** Marked when the line is entered, and checked when it is confirmed. */
export function wordOf(line: Said): Word {
  const { id, collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative, besides } = line
  const says = { collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative, besides }
  return { row: ['entered_lines', id], person: line.proposedBy, says }
}

/** Ids of lines that no one has entered: they were written in SQL. */
export async function forgedEntered(app: { db: Queryable; marks: Marks }, limit: number): Promise<string[]> {
  return (await forged(app, app.db, await waitingEntered(app.db, limit), wordOf)).map(({ id }) => id)
}
