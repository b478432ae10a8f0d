import { sumOf } from '../../../kernel/money.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { selectLinesById } from '../../statements/index.ts'
import { partsFrom, partsTo } from './charges.ts'
import type { JournalEntry } from './journal-entry.ts'
import { lockEntry, selectReceivables } from './store.ts'

/** What is still owed of a debit, since the day on which it left. */
export type Receivable = {
  entryId: string
  lineId: string
  /** The one that the debit names. */
  withdrawalId: string | null
  reason: string
  account: AccountRef
  amount: bigint
  open: bigint
  /** What the operator bore of it, as far as no credit gave it back. */
  writtenOff: bigint
  since: Date
}

/** Those that credits have not settled in full, oldest first. */
export async function openReceivables(db: Queryable): Promise<Receivable[]> {
  return (await allReceivables(db)).filter(({ open }) => open > 0n)
}

/** Also those that are settled. Oldest first. */
export async function allReceivables(db: Queryable): Promise<Receivable[]> {
  const entries = await selectReceivables(db)
  const owed = entries.flatMap((entry) => {
    const { id: entryId, reason } = entry
    const parts = partsFrom(entry.details.seen.entries, 'receivables')
    const [first] = parts
    if (!first) return []
    const amount = sumOf(parts)
    const settling = settlementsOf(entryId, entries).flatMap(({ details }) => details.seen.entries)
    const open = amount - sumOf(partsTo(settling, 'receivables'))
    const writtenOff = sumOf(partsFrom(settling, 'bank_charges')) - sumOf(partsTo(settling, 'bank_charges'))
    const lineId = entry.details.terms.lineIds[0] ?? ''
    return [{ entryId, lineId, reason, account: first.from, amount, open, writtenOff }]
  })
  const lines = await selectLinesById(
    db,
    owed.map(({ lineId }) => lineId),
  )
  const byId = new Map(lines.map((line) => [line.id, line]))
  return owed
    .map((one) => {
      const { bookedAt: since = new Date(0), candidateWithdrawalId: withdrawalId = null } = byId.get(one.lineId) ?? {}
      return { ...one, withdrawalId, since }
    })
    .toSorted((a, b) => a.since.getTime() - b.since.getTime())
}

/** Locked, so that its money is settled once. */
export async function lockReceivable(tx: Tx, id: string): Promise<Receivable> {
  await lockEntry(tx, id)
  const receivable = (await openReceivables(tx)).find(({ entryId }) => entryId === id)
  if (!receivable) throw refuseField('settles', 'receivable_not_open')
  return receivable
}

/** Entries that settle it, and those that give back what a merchant was charged for it. */
function settlementsOf(entryId: string, entries: JournalEntry[]): JournalEntry[] {
  const settle = (ids: string[]) => entries.filter(({ details }) => ids.includes(details.terms.settles ?? ''))
  const direct = settle([entryId])
  return [...direct, ...settle(direct.map(({ id }) => id))]
}
