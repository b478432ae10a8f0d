import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
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

const UNMATCH_RETURN =
  'If it was booked by mistake, unmatch the return: vezne journal propose unmatch --withdrawal TRANSACTION'

/** What to do about entries that are not taken back by their reverse. */
const INSTEAD: Partial<Record<JournalKind, string>> = {
  refund_unexplained:
    'Stop the withdrawal while it is not sent: vezne withdrawal stop. The money is then in suspense again.',
  return_with_costs: UNMATCH_RETURN,
  payout_return: UNMATCH_RETURN,
  storno:
    'The bank took the money back. If it gives it again, that is a new line, for the deposit that failed: vezne journal propose reassign --line LINE --deposit TRANSACTION',
  unmatch: 'Match the money again: vezne line match, or vezne journal propose reassign.',
  reassign: 'Unmatch the deposit: vezne journal propose unmatch.',
  reversal: 'Propose the entry again.',
}

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
  if (paid) throw new Refusal('INVALID_STATE', `Deposit ${paid.id} is ${paid.status}, not completed.`)
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
  const rest =
    kind === 'receivable'
      ? `The rest is owed until a credit settles it (vezne journal propose receivable --settles ${id}; with the payout in one credit: vezne journal propose payout_return --settles ${id}), or, if it does not come back: vezne journal propose bank_charge --settles ${id}`
      : 'If the bank gives the rest back, that credit is a bank_charge too; with the payout in one credit: vezne journal propose payout_return --charge'
  throw new Refusal('INVALID_STATE', `The line is the debit of payout ${seen.payout}. ${rest}`)
}

async function mustBeUnsettled(tx: Tx, { id }: JournalEntry): Promise<void> {
  const settlement =
    (await selectReceivables(tx)).find((one) => one.details.terms.settles === id) ?? (await givenBackOf(tx, id))
  if (settlement)
    throw new Refusal(
      'INVALID_STATE',
      `${settledBy(settlement)} has settled it. Take that back first: vezne journal reverse ${settlement.id}`,
    )
}

function settledBy({ kind, details: { terms } }: JournalEntry): string {
  if (kind === 'bank_charge') return 'A bank_charge'
  if (kind === 'payout_return') return 'A credit'
  return (terms.withdrawalId ?? terms.depositId) === undefined ? 'A credit' : 'The balance of the merchant'
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
  if (!entry) throw invalidField('entry', 'must be a journal entry. See: vezne journal list')
  if (entry.state !== 'posted')
    throw new Refusal('INVALID_STATE', `The entry is ${entry.state}: it has booked nothing that could be taken back.`)
  if (entry.reversedAt !== null) throw new Refusal('INVALID_STATE', 'The entry was taken back already.')
  const instead = isReturnOfMore(entry) ? undefined : INSTEAD[entry.kind]
  if (instead) throw new Refusal('INVALID_STATE', `A ${entry.kind} is not taken back by its reverse. ${instead}`)
  return entry
}
