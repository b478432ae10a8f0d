import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { merchantAccount, NO_MERCHANT } from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { partsAbout, payoutReferences, selectLinesById } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { Terms } from './journal-entry.ts'
import type { Draft, Plan } from './plan.ts'
import { currenciesDiffer, journalEntry, lockThePayouts } from './plan.ts'
import type { Receivable } from './receivables.ts'
import { lockReceivable } from './receivables.ts'
import { entriesAbout } from './store.ts'

/**
 * The bank paid although the merchant had its money back, or took a return back: what is owed for that debit is taken from the
 * merchant's balance.
 */
export async function planMerchantCharge(tx: Tx, draft: Draft, withdrawalId: string): Promise<Plan> {
  const { lineIds, settles = '' } = draft.terms
  if (lineIds.length > 0) throw refuseField('line', 'line_beside_merchant_charge')
  const [payout] = await lockThePayouts(tx, [withdrawalId], 'paid_after_all')
  if (!payout) throw new Error(`Payout ${withdrawalId} was not locked.`)
  mustHaveMerchant(payout)
  const back = await mustHaveMoneyBack(tx, payout)
  const receivable = await lockReceivable(tx, settles)
  await mustBeItsDebit(tx, payout, receivable)
  const amount = await chargeable(tx, payout, receivable, back)
  return chargeOf(draft, payout.merchantId, receivable, amount)
}

/** The merchant's balance settles this much of what is owed. */
export function chargeOf(draft: Draft, merchantId: string, { account }: Receivable, amount: bigint): Plan {
  const from = merchantAccount('merchant_available', merchantId, account.currency)
  const entry = journalEntry('journal_receivable', draft, [{ from, to: account, amount }])
  return { entries: [{ ...entry, merchantId }], lines: [], deposits: [], mayOverdraw: true }
}

function mustHaveMerchant({ merchantId, withdrawalId }: Payout): void {
  if (merchantId === NO_MERCHANT) throw refuse('payout_of_no_merchant', { withdrawal: withdrawalId })
}

/** Returns how much of the payout its merchant was given back. */
export async function mustHaveMoneyBack(tx: Tx, payout: Payout): Promise<bigint> {
  const { state, amount, withdrawalId: withdrawal } = payout
  if (wasNotSent(payout)) return amount
  if (state !== 'returned') throw refuse('payout_not_back', { withdrawal, state })
  const credits = await returnLines(tx, payout)
  if (credits.length === 0) throw refuse('return_not_read', { withdrawal })
  const bearers = await Promise.all(credits.map(({ id }) => bearerOf(tx, id, withdrawal)))
  return bearers.includes('merchant') ? credits.reduce((sum, credit) => sum + credit.amount, 0n) : amount
}

/** Who bears what is missing, by the entry that last said that the credit is the return of this withdrawal. */
export async function bearerOf(tx: Tx, lineId: string, withdrawalId: string): Promise<Terms['costsBy']> {
  const entries = (await entriesAbout(tx, lineId)).toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime())
  const last = entries.findLast(({ kind, details: { terms } }) => {
    return kind === 'payout_return' && (terms.withdrawalIds ?? [terms.withdrawalId]).includes(withdrawalId)
  })
  return last?.details.terms.costsBy
}

/** The payout is locked, so its return is not undone meanwhile: the lines need no lock. */
export async function returnLines(tx: Tx, { withdrawalId }: Payout): Promise<StoredLine[]> {
  const its = (await partsAbout(tx, [withdrawalId])).map(({ lineId }) => lineId)
  return (await selectLinesById(tx, its)).filter(({ direction }) => direction === 'credit')
}

/** One that names the payout may be on any of our accounts. */
async function mustBeItsDebit(tx: Tx, payout: Payout, { lineId }: Receivable): Promise<void> {
  const { withdrawalId: withdrawal, sourceAccountId, currency } = payout
  const [line] = await selectLinesById(tx, [lineId])
  if (!line) throw new Error(`There is no line ${lineId}.`)
  if (line.currency !== currency) throw currenciesDiffer(line, 'payout', currency)
  const named = line.candidateWithdrawalId
  if (named === withdrawal || payoutReferences(line.narrative).includes(withdrawal)) return
  if (named !== null) throw refuse('line_names_other_withdrawal', { line: lineId, withdrawal: named })
  if (line.collectingAccountId !== sourceAccountId)
    throw refuse('debit_not_tied_to_payout', { line: lineId, withdrawal, because: 'account' })
  if (!wasNotSent(payout)) throw refuse('debit_not_tied_to_payout', { line: lineId, withdrawal, because: 'has_debit' })
}

/**
 * A bank may debit a payout, or take a return back, in several lines. `back`: what the merchant got. What the bank took beyond it
 * stays owed.
 */
async function chargeable(tx: Tx, payout: Payout, { open }: Receivable, back: bigint): Promise<bigint> {
  const { withdrawalId, currency } = payout
  const { charged, first } = await chargedBefore(tx, (charge) => charge.withdrawalId === withdrawalId)
  const left = back - charged
  if (left > 0n) return open < left ? open : left
  throw refuse('merchant_charged_in_full', {
    of: 'payout',
    charged: money(charged, currency),
    whole: money(back, currency),
    entry: first ?? '',
  })
}
