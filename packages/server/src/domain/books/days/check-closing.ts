import type { Db } from '../../../platform/postgres/db.ts'
import { countWrongBalances, lastClosing } from './store.ts'

/** The last closed day, and how many balances stored with it are not the sum of the entries until then. Null: none is closed. */
export async function checkClosing({ db }: { db: Db }): Promise<{ day: string; wrong: number } | null> {
  const closing = await lastClosing(db.report, null)
  return closing && { day: closing.day, wrong: await countWrongBalances(db.report, closing) }
}
