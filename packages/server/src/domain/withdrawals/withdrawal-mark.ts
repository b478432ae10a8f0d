import type { Marks } from '../../platform/crypto/marks.ts'
import { partByMark } from '../../platform/crypto/marks.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import { listOpen } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

const nameOf = ({ merchantId, id }: Withdrawal) => ownerOf('withdrawals', [merchantId, id])

/** What is paid, to whom, and which two people approved it. Of an erased one it no longer fits: it has ended, and is not sent. */
function saidOf(withdrawal: Withdrawal) {
  const { amount, fee, currency, iban, accountName, settlement, refundOf, approvalRequired, approvedBy } = withdrawal
  return [String(amount), String(fee), currency, iban, accountName, settlement, refundOf, approvalRequired, approvedBy]
}

/** Written when it is created, and again when it is approved. */
export const markOf = (marks: Marks, withdrawal: Withdrawal): Promise<string> =>
  marks.of(nameOf(withdrawal), saidOf(withdrawal))

const byMark = (marks: Marks, withdrawals: readonly Withdrawal[]) =>
  partByMark(marks, withdrawals, (one) => ({ name: nameOf(one), says: saidOf(one), mark: one.mark }))

/** Otherwise someone else has written it into the database, or changed it. */
export async function hasMark({ marks }: { marks: Marks }, withdrawal: Withdrawal): Promise<boolean> {
  return (await byMark(marks, [withdrawal])).forged.length === 0
}

/** Before it is sent: what is thrown sets it aside. */
export async function mustHaveMark(app: { marks: Marks }, withdrawal: Withdrawal): Promise<void> {
  if (await hasMark(app, withdrawal)) return
  throw new Error(`The mark of withdrawal ${withdrawal.id} does not fit: someone else has written or changed its row.`)
}

/** Those that have no end and that Vezne has not written as they are. */
export async function forgedWithdrawals({ db, marks }: { db: Db; marks: Marks }, limit: number): Promise<string[]> {
  const { forged } = await byMark(marks, await listOpen(db.pages, limit))
  return forged.map(({ id }) => id)
}
