import { formatMoney } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { merchantAccount, NO_MERCHANT } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { allocationsAbout, payoutReferences, selectLinesById } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry } from './plan.ts'
import type { Receivable } from './receivables.ts'
import { lockReceivable } from './receivables.ts'
import { entriesAbout } from './store.ts'

/**
 * The bank paid although the merchant had its money back, or took a return back: what is owed for that debit is taken from the
 * merchant's balance.
 */
export async function planMerchantCharge(tx: Tx, draft: Draft, withdrawalId: string): Promise<Plan> {
  const { lineIds, settles = '' } = draft.terms
  if (lineIds.length > 0) throw invalidField('line', "must be absent: the merchant's balance settles it")
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout was paid after all')
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
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

function mustHaveMerchant({ merchantId }: Payout): void {
  if (merchantId === NO_MERCHANT)
    throw new Refusal(
      'INVALID_STATE',
      'It was a refund of unexplained money, so no merchant has it. Its debit and the credit that it paid back are a storno: vezne journal propose storno',
    )
}

/** Returns how much of the payout its merchant was given back. */
export async function mustHaveMoneyBack(tx: Tx, payout: Payout): Promise<bigint> {
  const { state, amount } = payout
  if (wasNotSent(payout)) return amount
  if (state !== 'returned')
    throw new Refusal('INVALID_STATE', `The payout is ${state}: its merchant does not have the money back.`)
  const credits = await returnLines(tx, payout)
  if (credits.length === 0)
    throw new Refusal(
      'INVALID_STATE',
      'The bank reported the payout as returned, and no credit shows it yet. Propose this again when the credit is read.',
    )
  const entries = (await Promise.all(credits.map(({ id }) => entriesAbout(tx, id)))).flat()
  const isLess = entries.some((one) => one.state === 'posted' && one.details.terms.costsBy === 'merchant')
  return isLess ? credits.reduce((sum, credit) => sum + credit.amount, 0n) : amount
}

/** The payout is locked, so its return is not undone meanwhile: the lines need no lock. */
export async function returnLines(tx: Tx, { withdrawalId }: Payout): Promise<StoredLine[]> {
  const its = (await allocationsAbout(tx, [withdrawalId])).map(({ lineId }) => lineId)
  return (await selectLinesById(tx, its)).filter(({ direction }) => direction === 'credit')
}

/** One that names the payout may be on any of our accounts. */
async function mustBeItsDebit(tx: Tx, payout: Payout, { lineId }: Receivable): Promise<void> {
  const { withdrawalId, sourceAccountId, currency } = payout
  const [line] = await selectLinesById(tx, [lineId])
  if (line?.currency !== currency)
    throw new Refusal('INVALID_STATE', `The debit ${lineId} is in ${line?.currency}, the payout in ${currency}.`)
  const named = line.candidateWithdrawalId
  if (named === withdrawalId || payoutReferences(line.narrative).includes(withdrawalId)) return
  if (named !== null) throw new Refusal('INVALID_STATE', `The debit ${lineId} names withdrawal ${named}, not this.`)
  if (line.collectingAccountId !== sourceAccountId)
    throw new Refusal(
      'INVALID_STATE',
      `The debit ${lineId} is on another account than the payout, and does not name it.`,
    )
  if (!wasNotSent(payout))
    throw new Refusal(
      'INVALID_STATE',
      `The debit ${lineId} does not name the withdrawal, and the payout has its own debit: it may be another's.`,
    )
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
  const [took, got] = [charged, back].map((amount) => formatMoney(amount, currency))
  throw new Refusal(
    'INVALID_STATE',
    `The merchant was charged for it already, ${took} of the ${got} that the merchant got back: vezne journal show ${first}`,
  )
}
