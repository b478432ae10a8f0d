import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findDepositById } from '../../deposits/index.ts'
import { merchantsById } from '../../merchants/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfDeposit } from '../../statements/index.ts'
import { completion } from '../deposits/deposit-settlement.ts'
import { withoutLine } from './match-line.ts'

/** What `matchByHand` would make of the deposit. Changes nothing, and locks nothing. */
export async function previewMatch(db: Queryable, line: StoredLine, depositId: string): Promise<Deposit | null> {
  const deposit = await findDepositById(db, depositId)
  const merchant = deposit && (await merchantsById(db, [deposit.merchantId])).get(deposit.merchantId)
  if (!deposit || !merchant) return null
  const others = await otherLines(db, deposit, line)
  const received = others.reduce((sum, { amount }) => sum + amount, line.amount)
  return { ...deposit, ...completion(deposit, merchant, received, line.bookedAt) }
}

/** What `suspendByHand` would make of the deposit that the line is held for; null if it is held for none. */
export async function previewSuspend(db: Queryable, line: StoredLine): Promise<Deposit | null> {
  const deposit = line.depositId === null ? undefined : await findDepositById(db, line.depositId)
  return deposit ? { ...deposit, ...withoutLine(deposit, await otherLines(db, deposit, line)) } : null
}

async function otherLines(db: Queryable, { merchantId, id }: Deposit, line: StoredLine): Promise<StoredLine[]> {
  const held = await linesOfDeposit(db, merchantId, id)
  return held.filter((one) => one.state === 'suspense' && one.id !== line.id)
}
