import type { Marks } from '../../platform/crypto/marks.ts'
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

const fits = (marks: Marks, withdrawal: Withdrawal) =>
  marks.fits(withdrawal.mark, nameOf(withdrawal), saidOf(withdrawal))

/** Before it is sent: someone may have written it into the database, or changed it. */
export async function mustHaveMark({ marks }: { marks: Marks }, withdrawal: Withdrawal): Promise<void> {
  if (await fits(marks, withdrawal)) return
  throw new Error(`The mark of withdrawal ${withdrawal.id} does not fit: someone else has written or changed its row.`)
}

/** Those that have no end and that Vezne has not written as they are. */
export async function forgedWithdrawals({ db, marks }: { db: Db; marks: Marks }, limit: number): Promise<string[]> {
  const open = await listOpen(db.pages, limit)
  const all = await Promise.all(open.map((one) => fits(marks, one)))
  return open.filter((_, at) => !all[at]).map(({ id }) => id)
}
