import { formatMoney } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { merchantAccount, NO_MERCHANT } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, lockPayout, wasNotSent } from '../../payouts/index.ts'
import { selectLinesById } from '../../statements/index.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry } from './plan.ts'
import type { Receivable } from './receivables.ts'
import { lockReceivable } from './receivables.ts'
import { selectReceivables } from './store.ts'

/** The bank paid although the merchant had its money back: what is owed for that debit is taken from the merchant's balance. */
export async function planMerchantCharge(tx: Tx, draft: Draft, withdrawalId: string): Promise<Plan> {
  const { lineIds, settles = '' } = draft.terms
  if (lineIds.length > 0) throw invalidField('line', "must be absent: the merchant's balance settles it")
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout was paid after all')
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  mustHaveMoneyBack(payout)
  const receivable = await lockReceivable(tx, settles)
  await mustBeItsDebit(tx, payout, receivable)
  const left = payout.amount - (await chargedBefore(tx, payout))
  // What the bank took beyond the payout stays owed.
  const amount = receivable.open < left ? receivable.open : left
  const { merchantId, currency } = payout
  const from = merchantAccount('merchant_available', merchantId, currency)
  const entry = journalEntry('journal_receivable', draft, [{ from, to: receivable.account, amount }])
  return { entries: [{ ...entry, merchantId }], lines: [], deposits: [], mayOverdraw: true }
}

function mustHaveMoneyBack(payout: Payout): void {
  const { merchantId, state } = payout
  if (merchantId === NO_MERCHANT)
    throw new Refusal(
      'INVALID_STATE',
      'It was a refund of unexplained money, so no merchant has it. Its debit and the credit that it paid back are a storno: vezne journal propose storno',
    )
  if (!wasNotSent(payout))
    throw new Refusal('INVALID_STATE', `The payout is ${state}: its merchant does not have the money back.`)
}

async function mustBeItsDebit(tx: Tx, payout: Payout, { lineId }: Receivable): Promise<void> {
  const { withdrawalId, sourceAccountId } = payout
  const [line] = await selectLinesById(tx, [lineId])
  if ((line?.candidateWithdrawalId ?? withdrawalId) !== withdrawalId)
    throw new Refusal('INVALID_STATE', `The debit ${lineId} names withdrawal ${line?.candidateWithdrawalId}, not this.`)
  if (line?.collectingAccountId !== sourceAccountId)
    throw new Refusal('INVALID_STATE', `The debit ${lineId} is on another account than the payout.`)
}

/** A bank may debit a payout in several lines, which are charged one by one. Refused if nothing of it is left. */
async function chargedBefore(tx: Tx, { withdrawalId, amount, currency }: Payout): Promise<bigint> {
  const earlier = (await selectReceivables(tx)).filter(({ details: { terms } }) => {
    return terms.settles !== undefined && terms.withdrawalId === withdrawalId
  })
  const charged = earlier
    .flatMap(({ details }) => details.seen.entries.flatMap(({ transfers }) => transfers))
    .reduce((sum, transfer) => sum + transfer.amount, 0n)
  if (charged >= amount)
    throw new Refusal(
      'INVALID_STATE',
      `The merchant was charged for it already, ${formatMoney(charged, currency)} of ${formatMoney(amount, currency)}: vezne journal show ${earlier[0]?.id}`,
    )
  return charged
}
