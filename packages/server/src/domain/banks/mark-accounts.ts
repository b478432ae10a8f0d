import type { Marks } from '../../platform/crypto/marks.ts'
import { partByMark } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { CollectingAccount } from './bank.ts'
import type { NewAccount } from './store.ts'
import { listAccounts, listMarkedAccounts, updateConnections } from './store.ts'

type Told = Omit<NewAccount, 'state'>

const nameOf = ({ id }: Told) => ownerOf('collecting_accounts', [id])

/** Customers pay to it, and payouts leave from it over its connection. State and limits are decisions of one person. */
const saidOf = ({ bankId, title, iban, currency, connection, awaitsConnection }: Told) => ({
  ...{ bankId, title, iban, currency },
  ...{ connection, awaitsConnection },
})

export function accountMark(marks: Marks, account: Told): Promise<string> {
  return marks.of(nameOf(account), saidOf(account))
}

export async function updateMarked(marks: Marks, tx: Tx, accounts: CollectingAccount[]): Promise<void> {
  const marked = accounts.map(async (account) => ({ ...account, mark: await accountMark(marks, account) }))
  await updateConnections(tx, await Promise.all(marked))
}

/** The first start, which makes the key of marks, marks the accounts that are there. */
export async function markAccounts(tx: Tx, marks: Marks): Promise<void> {
  await updateMarked(marks, tx, await listAccounts(tx))
}

type Deps = { db: Queryable; marks: Marks }

/** One that someone else has written or changed is blocked, whatever its row says. */
export async function accountsInForce(app: Deps): Promise<CollectingAccount[]> {
  const { all, forged } = await byMark(app)
  return all.map(({ mark: _, ...account }) =>
    forged.has(account.id) ? { ...account, state: 'blocked', stoppedBy: 'not_recorded' } : account,
  )
}

/** Their IBANs. A person has ended one by blocking it. */
export async function forgedAccounts(app: Deps): Promise<string[]> {
  const { all, forged } = await byMark(app)
  return all.filter(({ id, state }) => forged.has(id) && state !== 'blocked').map(({ iban }) => iban)
}

async function byMark({ db, marks }: Deps) {
  const all = await listMarkedAccounts(db)
  const { forged } = await partByMark(marks, all, (one) => {
    return { name: nameOf(one), says: saidOf(one), mark: one.mark }
  })
  return { all, forged: new Set(forged.map(({ id }) => id)) }
}
