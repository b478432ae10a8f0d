import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { invalidField } from '../../../platform/refusal.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { selectLinesById } from '../../statements/index.ts'
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
  since: Date
}

/** Those that credits have not settled in full, oldest first. */
export async function openReceivables(db: Queryable): Promise<Receivable[]> {
  const entries = await selectReceivables(db)
  const owed = entries.flatMap((entry) => {
    const { id: entryId, reason } = entry
    const part = owedBy(entry)
    if (!part) return []
    const open = part.amount - settledOf(entryId, entries)
    return open > 0n ? [{ entryId, lineId: entry.details.terms.lineIds[0] ?? '', reason, ...part, open }] : []
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
  if (!receivable) throw invalidField('settles', 'must be an open receivable. See: vezne journal receivables')
  return receivable
}

/** What the entry made owed to us; undefined for one that settles another. */
function owedBy({ details }: JournalEntry): { account: AccountRef; amount: bigint } | undefined {
  const all = details.seen.entries.flatMap(({ transfers }) => transfers)
  const parts = all.filter(({ from }) => from.kind === 'receivables')
  const amount = parts.reduce((sum, part) => sum + part.amount, 0n)
  return parts[0] && { account: parts[0].from, amount }
}

function settledOf(entryId: string, entries: JournalEntry[]): bigint {
  return entries
    .filter(({ details }) => details.terms.settles === entryId)
    .flatMap(({ details }) => details.seen.entries.flatMap(({ transfers }) => transfers))
    .reduce((sum, { amount }) => sum + amount, 0n)
}
