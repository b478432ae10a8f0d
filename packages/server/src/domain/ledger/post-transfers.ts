import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { AccountRef } from './accounts.ts'
import { NO_MERCHANT, keyOf } from './accounts.ts'
import { addToBalances, insertMissingAccounts, insertTransfers, lockAccountRows } from './store.ts'

export type Transfer = {
  from: AccountRef
  to: AccountRef
  amount: bigint
  /** The business event, named as in docs/ledger.md. */
  reason: string
  merchantId: string
  subjectId: string
}

/** Accounts locked until the end of the transaction, with their balances at the time of locking. */
export type LockedAccounts = { idOf: (ref: AccountRef) => string; balanceOf: (ref: AccountRef) => bigint }

/** In key order: transactions that open the same accounts wait for each other without deadlock. */
export async function openAccounts({ ids }: { ids: Ids }, tx: Tx, refs: AccountRef[]): Promise<void> {
  const byKey = new Map(refs.map((ref) => [keyOf(ref), ref]))
  const sorted = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await insertMissingAccounts(
    tx,
    sorted.map(([, ref]) => ({ ...ref, id: ids.next() })),
  )
}

export async function lockAccounts(tx: Tx, refs: AccountRef[]): Promise<LockedAccounts> {
  const wanted = new Map(refs.map((ref) => [keyOf(ref), ref]))
  const keys = [...wanted.keys()]
  const rows = await lockAccountRows(tx, [...wanted.values()])
  const found = new Map(rows.map((row) => [keys[row.place - 1], row]))
  return {
    idOf(ref) {
      const row = found.get(keyOf(ref))
      if (!row) throw new Error(`Account ${keyOf(ref)} is not open or was not locked.`)
      return row.id
    },
    // An account that was never opened has a balance of zero.
    balanceOf: (ref) => found.get(keyOf(ref))?.balance ?? 0n,
  }
}

/** The only writer of balances and transfers, which change together in one transaction. */
export async function postTransfers(
  { clock, ids }: { clock: Clock; ids: Ids },
  tx: Tx,
  accounts: LockedAccounts,
  transfers: Transfer[],
): Promise<void> {
  if (transfers.length === 0) return
  const changes = new Map<string, bigint>()
  const add = (id: string, amount: bigint) => void changes.set(id, (changes.get(id) ?? 0n) + amount)
  const rows = transfers.map(({ from, to, amount, reason, merchantId, subjectId }) => {
    const [fromAccount, toAccount] = [accounts.idOf(from), accounts.idOf(to)]
    add(fromAccount, -amount)
    add(toAccount, amount)
    return { id: ids.next(), merchantId, subjectId, reason, fromAccount, toAccount, currency: from.currency, amount }
  })
  await Promise.all([addToBalances(tx, changes), insertTransfers(tx, rows, clock.now())])
}

/** Opens missing bank accounts (merchants' accounts exist already), locks in id order, posts. */
export async function openAndPost(app: { clock: Clock; ids: Ids }, tx: Tx, transfers: Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  const refs = transfers.flatMap(({ from, to }) => [from, to])
  await openAccounts(
    app,
    tx,
    refs.filter(({ merchantId }) => merchantId === NO_MERCHANT),
  )
  await postTransfers(app, tx, await lockAccounts(tx, refs), transfers)
}
