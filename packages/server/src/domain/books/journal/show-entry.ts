import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { balancesOf, keyOf } from '../../ledger/index.ts'
import { findDepositById } from '../../deposits/index.ts'
import { forged } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { selectLinesById, selectUnconfirmed, waitingCorrections } from '../../statements/index.ts'
import { subjectOf } from './entry-subject.ts'
import type { JournalEntry, Seen } from './journal-entry.ts'
import { wordOf } from './journal-entry.ts'
import { findEntry, listEntries } from './store.ts'

/** An account that the entry moves. `after`: once a proposed entry is posted. */
export type AccountEffect = { account: AccountRef; balance: bigint; change: bigint; after: bigint | null }

/** All that a second person must know to approve it. */
export async function showEntry(db: Queryable, id: string) {
  const entry = await findEntry(db, id)
  if (!entry) throw refuse('journal_entry_unknown', { entry: id })
  const ids = entry.details.seen.lines.map((line) => line.id)
  const lines = await selectLinesById(db, ids)
  const unconfirmed = await selectUnconfirmed(db, ids)
  const isOfUnconfirmed = entry.kind === 'refund_unexplained' && unconfirmed.length > 0
  return {
    entry,
    lines,
    corrections: entry.state === 'proposed' ? await waitingCorrections(db, ids) : [],
    unconfirmed,
    isStale: entry.state === 'proposed' && (isOfUnconfirmed || (await hasChanged(db, entry, lines))),
    accounts: await effectsOf(db, { seen: entry.details.seen, isOpen: entry.state === 'proposed' }),
    subject: await subjectOf(db, entry.kind, entry.details),
  }
}

/** A line, a deposit or the entry to take back is not as it was proposed: the approval would be refused. Locks nothing. */
async function hasChanged(
  db: Queryable,
  { details: { seen }, reverses }: JournalEntry,
  lines: StoredLine[],
): Promise<boolean> {
  const isSame = (line: Seen['lines'][number]) =>
    lines.some(({ id, state, reason }) => id === line.id && state === line.state && reason === line.reason)
  if (!seen.lines.every(isSame)) return true
  for (const { id, status, sequence } of seen.deposits) {
    const now = await findDepositById(db, id)
    if (now?.status !== status || now.sequence !== sequence) return true
  }
  return reverses !== null && (await findEntry(db, reverses))?.reversedAt !== null
}

/** Ids of proposals that no one has made: they were written in SQL. */
export async function forgedEntries(app: { db: Queryable; marks: Marks }, limit: number): Promise<string[]> {
  return (await forged(app, app.db, await listEntries(app.db, 'proposed', limit), wordOf)).map(({ id }) => id)
}

export type ShownEntry = Awaited<ReturnType<typeof showEntry>>

/** `isOpen`: nothing of it is booked yet. */
export async function effectsOf(
  db: Queryable,
  { seen, isOpen }: { seen: Seen; isOpen: boolean },
): Promise<AccountEffect[]> {
  const changes = new Map<string, { account: AccountRef; change: bigint }>()
  const add = (account: AccountRef, amount: bigint) => {
    const change = (changes.get(keyOf(account))?.change ?? 0n) + amount
    changes.set(keyOf(account), { account, change })
  }
  for (const { from, to, amount } of seen.entries.flatMap(({ transfers }) => transfers)) {
    add(from, -amount)
    add(to, amount)
  }
  const all = [...changes.values()]
  const balances = await balancesOf(
    db,
    all.map(({ account }) => account),
  )
  return all.map(({ account, change }, place) => {
    const balance = balances[place] ?? 0n
    return { account, balance, change, after: isOpen ? balance + change : null }
  })
}
