import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { AccountRef } from './accounts.ts'
import type { Balance } from './store.ts'
import { selectSpendable, updateMarks } from './store.ts'

/** Accounts locked until the end of the transaction, with their balances at the time of locking. `posted`: by id, as they are now. */
export type LockedAccounts = {
  idOf: (ref: AccountRef) => string
  balanceOf: (ref: AccountRef) => bigint
  posted: Map<string, Pick<Balance, 'balance' | 'mark'>>
}

/** What a merchant may send. Drift would show a balance that someone else has written only after some of it was sent. */
export const isMarked = ({ kind }: AccountRef) => kind === 'merchant_available'

const markOfBalance = (marks: Marks, id: string, balance: bigint): Promise<string> =>
  marks.of(ownerOf('accounts', [id]), String(balance))

/** A new account has none. */
const isOurs = async (marks: Marks, { id, balance, mark }: Balance): Promise<boolean> =>
  (mark === null && balance === 0n) || marks.fits(mark, ownerOf('accounts', [id]), String(balance))

/**
 * Of accounts with their merchants. Nothing is taken from a balance that someone else has written; nor added, which would make it
 * ours.
 */
export async function renewMarks(
  marks: Marks,
  { posted }: LockedAccounts,
  accounts: Map<string, string>,
  changes: Map<string, bigint>,
): Promise<Map<string, string>> {
  const renewed = new Map<string, string>()
  for (const [id, merchantId] of accounts) {
    const was = posted.get(id) ?? { balance: 0n, mark: null }
    if (!(await isOurs(marks, { id, merchantId, ...was }))) throw refuse('balance_forged', { merchant: merchantId })
    const balance = was.balance + (changes.get(id) ?? 0n)
    const mark = await markOfBalance(marks, id, balance)
    posted.set(id, { balance, mark })
    renewed.set(id, mark)
  }
  return renewed
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
