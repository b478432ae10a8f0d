import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { linesOfJournal } from '../../statements/index.ts'
import { givenBackOf, partsTo } from './charges.ts'
import type { JournalEntry, JournalKind } from './journal-entry.ts'
import { isReturnOfMore } from './journal-entry.ts'
import { chargeTakenBack } from './plan-deposit-charge.ts'
import { mustNotBeCharged, takenBack } from './plan-deposits.ts'
import { planDebitTakenBack } from './plan-payout-debit.ts'
import { planMoreTakenBack } from './plan-return-of-more.ts'
import { planSharedTakenBack } from './plan-shared-debit.ts'
import type { Draft, Planner } from './plan.ts'
import { lockTheDeposits, lockTheLines } from './plan.ts'
import { mustHaveItsRest } from './rests.ts'
import { lockEntry, selectReceivables } from './store.ts'

/** Entries that are not taken back by their reverse. */
const OTHERWISE = [
  'refund_unexplained',
  'return_with_costs',
  'payout_return',
  'storno',
  'unmatch',
  'reassign',
  'reversal',
] as const satisfies JournalKind[]

/** Each transfer backwards; the lines are unexplained again. Deposits of a split lose their money. */
export const planReversal: Planner = async (_app, tx, draft) => {
  const entry = mustBeReversible(draft.reverses === null ? undefined : await lockEntry(tx, draft.reverses))
  const { seen } = entry.details
  if (entry.kind === 'payout_debit')
    return entry.details.terms.withdrawalIds ? planSharedTakenBack(tx, draft, entry) : planDebitTakenBack(tx, entry)
  if (entry.kind === 'payout_return') return planMoreTakenBack(tx, draft, entry)
  mustNotBeExcess(entry)
  if (entry.kind === 'receivable') await mustBeUnsettled(tx, entry)
  if (entry.details.terms.rest || entry.kind === 'split') await mustHaveItsRest(tx, entry.id)
  const isSplit = entry.kind === 'split'
  const { to = 'failed' } = draft.terms
  const deposits = await lockTheDeposits(
    tx,
    seen.deposits.map(({ id }) => id),
  )
  const paid = deposits.find(({ status }) => status !== 'completed')
  if (paid) throw refuse('deposit_not_credited', { deposit: paid.id, status: paid.status })
  if (isSplit) for (const deposit of deposits) await mustNotBeCharged(tx, deposit)
  const found = await linesOfJournal(tx, entry.id)
  const lines = await lockTheLines(tx, { lineIds: found.map(({ id }) => id) })
  return {
    entries: seen.entries.map((one) => backwards(one, draft, isSplit)),
    lines: lines.map((line) => ({ line, becomes: line.direction === 'debit' ? 'needs_review' : 'suspense' })),
    deposits: deposits.map((deposit) =>
      isSplit ? takenBack(deposit, { to, reason: 'match_corrected' }) : chargeTakenBack(deposit, entry),
    ),
    ...((isSplit || partsTo(seen.entries, 'merchant_available').length > 0) && { mayOverdraw: true as const }),
  }
}

/** What the bank took beyond a payout. */
function mustNotBeExcess({ id, kind, details: { seen } }: JournalEntry): void {
  if (!seen.lines.some(({ becomes }) => becomes === 'payout')) return
  const isOwed = kind === 'receivable'
  throw refuse('entry_is_payout_debit', { entry: id, withdrawal: seen.payout ?? '', isOwed })
}

async function mustBeUnsettled(tx: Tx, { id }: JournalEntry): Promise<void> {
  const settlement =
    (await selectReceivables(tx)).find((one) => one.details.terms.settles === id) ?? (await givenBackOf(tx, id))
  if (settlement) throw refuse('entry_settled', { entry: settlement.id, by: settledBy(settlement) })
}

function settledBy({ kind, details: { terms } }: JournalEntry): 'charge' | 'credit' | 'balance' {
  if (kind === 'bank_charge') return 'charge'
  if (kind === 'payout_return') return 'credit'
  return (terms.withdrawalId ?? terms.depositId) === undefined ? 'credit' : 'balance'
}

function backwards(
  { merchantId, subjectId, transfers, effectiveOn }: NewEntry,
  { id }: Draft,
  isSplit: boolean,
): NewEntry {
  return {
    kind: isSplit ? 'deposit_reversal' : 'journal_reversal',
    merchantId,
    subjectId: isSplit ? subjectId : id,
    // Only an opening balance has one: its day is put right too.
    ...(effectiveOn !== undefined && { effectiveOn }),
    transfers: transfers.map(({ from, to, amount }) => ({ from: to, to: from, amount })),
  }
}

function mustBeReversible(entry: JournalEntry | undefined): JournalEntry {
  if (!entry) throw refuseField('entry', 'entry_to_reverse_missing')
  if (entry.reversedAt !== null) throw refuse('entry_taken_back', { entry: entry.id })
  const kind = isReturnOfMore(entry) ? undefined : OTHERWISE.find((one) => one === entry.kind)
  if (kind) throw refuse('entry_has_other_way_back', { entry: entry.id, kind })
  return entry
}
