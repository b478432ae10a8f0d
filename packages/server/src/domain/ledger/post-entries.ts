import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import type { AccountRef } from './accounts.ts'
import { NO_MERCHANT, keyOf } from './accounts.ts'
import type { LockedAccounts } from './balance-marks.ts'
import { isMarked, renewMarks } from './balance-marks.ts'
import type { NewEntry } from './entry.ts'
import { authorOf } from './entry.ts'
import type { TransferRow } from './store.ts'
import { addToBalances, insertMissingAccounts, insertTransfers, lockAccountRows } from './store.ts'

/** In key order: transactions that open the same accounts wait for each other without deadlock. */
export async function openAccounts({ ids }: { ids: Ids }, tx: Tx, refs: AccountRef[]): Promise<void> {
  if (refs.length === 0) return
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
    posted: new Map(rows.map(({ id, balance, mark }) => [id, { balance, mark }])),
  }
}

type Deps = { clock: Clock; ids: Ids; marks: Marks }

/** Sends all its statements before it returns. */
export type Ready = (tx: Tx) => Promise<unknown>

export async function postEntries(
  app: Deps,
  tx: Tx,
  accounts: LockedAccounts,
  entries: NewEntry[],
  options: { mayOverdraw?: boolean } = {},
): Promise<void> {
  if (entries.length > 0) await (await readyEntries(app, accounts, entries, options))(tx)
}

/**
 * The only writer of balances and transfers: all entries of a call are posted, or none. `mayOverdraw`: merchants' balances and
 * fees may go below zero, by a journal entry that takes back what was credited.
 */
export async function readyEntries(
  { clock, ids, marks }: Deps,
  accounts: LockedAccounts,
  entries: NewEntry[],
  { mayOverdraw = false } = {},
): Promise<Ready> {
  const now = clock.now()
  const today = istanbul(now).day
  const changes = new Map<string, bigint>()
  const add = (id: string, amount: bigint) => void changes.set(id, (changes.get(id) ?? 0n) + amount)
  const rows: TransferRow[] = []
  const marked = new Map<string, string>()
  for (const { kind, merchantId, subjectId, effectiveOn = today, actor, transfers } of entries) {
    if (transfers.length === 0) throw new Error(`The entry ${kind} of ${subjectId} moves nothing.`)
    // The first transfer has the id of its entry: most entries have one transfer, and creation needs one id less.
    const entryId = ids.next()
    const author = authorOf(actor)
    transfers.forEach(({ from, to, amount }, index) => {
      const id = index === 0 ? entryId : ids.next()
      const [fromAccount, toAccount, currency] = [accounts.idOf(from), accounts.idOf(to), from.currency]
      add(fromAccount, -amount)
      add(toAccount, amount)
      for (const [ref, account] of [
        [from, fromAccount],
        [to, toAccount],
      ] as const)
        if (isMarked(ref)) marked.set(account, ref.merchantId)
      rows.push({
        id,
        merchantId,
        subjectId,
        entryId,
        kind,
        effectiveOn,
        actor: author,
        fromAccount,
        toAccount,
        currency,
        amount,
      })
    })
  }
  const renewed = await renewMarks(marks, accounts, marked, changes)
  return (tx) => Promise.all([addToBalances(tx, changes, renewed, mayOverdraw), insertTransfers(tx, rows, now)])
}

/** Opens missing bank accounts (merchants' accounts exist already), locks in id order, posts. */
export async function openAndPost(app: Deps, tx: Tx, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  const refs = entries.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to]))
  await openAccounts(
    app,
    tx,
    refs.filter(({ merchantId }) => merchantId === NO_MERCHANT),
  )
  await postEntries(app, tx, await lockAccounts(tx, refs), entries)
}
