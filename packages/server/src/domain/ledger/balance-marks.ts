import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { AccountRef } from './accounts.ts'
import type { LockedAccounts } from './post-entries.ts'
import type { Balance } from './store.ts'
import { selectSpendable, updateMarks } from './store.ts'

/** What a merchant may send. Drift would show a balance that someone else has written only after some of it was sent. */
export const isMarked = ({ kind }: AccountRef) => kind === 'merchant_available'

export const markOfBalance = (marks: Marks, id: string, balance: bigint): Promise<string> =>
  marks.of(ownerOf('accounts', [id]), String(balance))

/** A new account has none. */
const isOurs = async (marks: Marks, { id, balance, mark }: Balance): Promise<boolean> =>
  (mark === null && balance === 0n) || marks.fits(mark, ownerOf('accounts', [id]), String(balance))

/** Nothing is taken from a balance that someone else has written; nor added, which would make it ours. */
export async function mustBeOurs(marks: Marks, account: Balance): Promise<void> {
  if (!(await isOurs(marks, account))) throw refuse('balance_forged', { merchant: account.merchantId })
}

/** What may be taken of the account: nothing of a balance that someone else has written. */
export async function spendable(marks: Marks, accounts: LockedAccounts, ref: AccountRef): Promise<bigint> {
  const balance = accounts.balanceOf(ref)
  if (balance === 0n) return 0n
  const id = accounts.idOf(ref)
  const { mark = null } = accounts.posted.get(id) ?? {}
  return (await isOurs(marks, { id, merchantId: ref.merchantId, balance, mark })) ? balance : 0n
}

/** Merchants whose balance the service has not written. */
export async function forgedBalances({ db, marks }: { db: Queryable; marks: Marks }): Promise<string[]> {
  const forged: string[] = []
  for (const account of await selectSpendable(db)) if (!(await isOurs(marks, account))) forged.push(account.merchantId)
  return forged
}

/** For a new key, and for balances that were loaded in bulk: they are taken as they are. */
export async function markBalances(tx: Tx, marks: Marks): Promise<void> {
  const all = await selectSpendable(tx)
  const marked = all.map(async ({ id, balance }) => ({ id, mark: await markOfBalance(marks, id, balance) }))
  await updateMarks(tx, await Promise.all(marked))
}
