import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { linesOfJournal } from '../../statements/index.ts'
import { givenBackOf, partsFrom, partsTo } from './charges.ts'
import type { JournalEntry, JournalKind } from './journal-entry.ts'
import { isReturnOfMore } from './journal-entry.ts'
import { chargeTakenBack } from './plan-deposit-charge.ts'
import { mustNotBeCharged, takenBack } from './plan-deposits.ts'
import { returnLines } from './plan-merchant-charge.ts'
import { planReturnsUndone } from './plan-returns-undone.ts'
import type { Planner } from './plan.ts'
import { backwards, lockTheDeposits, lockTheLines, lockThePayouts, reopened } from './plan.ts'
import { mustHaveItsRest } from './rests.ts'
import { entriesAbout, findEntry, lockEntry, selectReceivables } from './store.ts'

/** Entries that are not taken back by their reverse. */
const OTHERWISE = [
  'refund_unexplained',
  'payout_return',
  'storno',
  'unmatch',
  'reversal',
] as const satisfies JournalKind[]

/** Each transfer backwards; the lines are unexplained again. Deposits of a split lose their money, and payouts their debit. */
export const planReversal: Planner = async (_app, tx, draft) => {
  const known = mustBeReversible(draft.reverses === null ? undefined : await findEntry(tx, draft.reverses))
  const { seen, terms } = known.details
  const { withdrawalId = '', withdrawalIds = [withdrawalId] } = terms
  // Before the entry, as whoever settles it with a payout locks them.
  const areDebits = seen.lines.some(({ becomes }) => becomes === 'payout')
  const isOfPayouts = areDebits || known.kind === 'payout_return'
  const payouts = isOfPayouts ? await lockThePayouts(tx, withdrawalIds, 'debited') : []
  const entry = mustBeReversible(await lockEntry(tx, known.id))
  if (entry.kind === 'receivable') await mustBeUnsettled(tx, entry)
  const isSplit = entry.kind === 'deposit_payment'
  if (terms.rest || isSplit) await mustHaveItsRest(tx, entry.id)
  if (entry.kind === 'payout_return') return planReturnsUndone(tx, draft, withdrawalIds, entry)
  const { to = 'failed' } = draft.terms
  const deposits = await lockTheDeposits(
    tx,
    seen.deposits.map(({ id }) => id),
  )
  const paid = deposits.find(({ status }) => status !== 'completed')
  if (paid) throw refuse('deposit_not_credited', { deposit: paid.id, status: paid.status })
  if (isSplit) for (const deposit of deposits) await mustNotBeCharged(tx, deposit)
  const unsent = areDebits ? payouts : []
  if (partsFrom(seen.entries, 'bank_charges').length > 0) await mustNotBeGivenBack(tx, unsent)
  const found = await linesOfJournal(tx, entry.id)
  const lines = await lockTheLines(tx, { lineIds: found.map(({ id }) => id) })
  return {
    entries: seen.entries.flatMap((one) => backwards(one, draft)),
    lines: lines.map((line) => {
      const becomes = line.direction === 'debit' ? 'needs_review' : 'suspense'
      return areDebits ? reopened(line, unsent, becomes) : { line, becomes }
    }),
    deposits: deposits.map((deposit) =>
      isSplit ? takenBack(deposit, { to, reason: 'match_corrected' }) : chargeTakenBack(deposit, entry),
    ),
    unsent,
    ...((isSplit || partsTo(seen.entries, 'merchant_available').length > 0) && { mayOverdraw: true as const }),
  }
}

/** A credit came back with the payout, and gave back the charge of its debit. */
async function mustNotBeGivenBack(tx: Tx, payouts: Payout[]): Promise<void> {
  const lines = (await Promise.all(payouts.map((payout) => returnLines(tx, payout)))).flat()
  const entries = (await Promise.all(lines.map(({ id }) => entriesAbout(tx, id)))).flat()
  const back = entries.find((one) => one.reversedAt === null && one.details.terms.charge)
  if (back) throw refuse('entry_settled', { entry: back.id, by: 'credit' })
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

/** A payment of one deposit is matched to it. */
const ofMatch = ({ details: { seen } }: JournalEntry): 'deposit_payment'[] =>
  seen.lines.some(({ becomes }) => becomes === 'deposit') ? ['deposit_payment'] : []

function mustBeReversible(entry: JournalEntry | undefined): JournalEntry {
  if (!entry) throw refuseField('entry', 'entry_to_reverse_missing')
  if (entry.reversedAt !== null) throw refuse('entry_taken_back', { entry: entry.id })
  const kind = isReturnOfMore(entry) ? undefined : [...OTHERWISE, ...ofMatch(entry)].find((one) => one === entry.kind)
  if (kind) throw refuse('entry_has_other_way_back', { entry: entry.id, kind })
  return entry
}
