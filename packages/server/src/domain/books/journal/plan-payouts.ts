import type { Tx } from '../../../platform/postgres/db.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import { bankAccount, merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, lockPayout, wasNotSent } from '../../payouts/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import { checkIban, checkReach } from '../../withdrawals/index.ts'
import type { Draft, Planner } from './plan.ts'
import { journalEntry, lockTheLines, mustBeCredit, onlyOne } from './plan.ts'
import { lockRest } from './rests.ts'
import { mustNotBeRefunded } from './refunded-before.ts'
import { mustNotBeReturn } from './refund-of-return.ts'

/** The money becomes a withdrawal of the house merchant to its sender. */
export const planRefund: Planner = async (app, tx, draft) => {
  const { line, amount, rest } = await lockUnexplained(tx, draft)
  await mustNotBeRefunded(tx, line, draft.terms.restOf)
  await mustNotBeReturn(tx, line, draft.terms.restOf)
  const iban = normaliseIban(draft.terms.iban ?? line.senderIban ?? '')
  if (iban === '') throw invalidField('iban', 'must be given: the line does not show the IBAN of its sender')
  checkIban(iban, undefined)
  checkReach(iban, line.currency, await app.banks.accounts())
  const accountName = (draft.terms.name ?? line.senderName).trim()
  if (accountName === '') throw invalidField('name', "must be given: the line does not show its sender's name")
  const { currency } = line
  const house = merchantAccount('merchant_available', NO_MERCHANT, currency)
  return {
    entries: [journalEntry('journal_refund', draft, [{ from: suspenseOf(line), to: house, amount }])],
    lines: rest ? [] : [{ line, becomes: 'journal' }],
    deposits: [],
    refund: { processId: draft.id, amount, currency, iban, accountName },
  }
}

/** The line, or what a split has left of it. */
async function lockUnexplained(tx: Tx, { terms: { lineIds, restOf } }: Draft) {
  if (restOf === undefined) {
    const line = mustBeCredit(onlyOne(await lockTheLines(tx, { lineIds })))
    return { line, amount: line.amount, rest: false }
  }
  return { ...(await lockRest(tx, { restOf, lineIds })), rest: true }
}

/** Less came back than was sent, or on another account. */
export const planReturnWithCosts: Planner = async (_app, tx, { terms: { lineIds, withdrawalId = '', costsBy } }) => {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw invalidField('withdrawal', 'must be the withdrawal whose payout came back')
  if (costsBy === undefined) throw invalidField('costs', 'must say who bears the costs: merchant or operator')
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  const others = await lockLinesAbout(tx, withdrawalId)
  const line = mustBeCredit(onlyOne(await lockTheLines(tx, { lineIds })))
  // The bank has reported the return, and the whole amount is booked.
  const isNoted = payout.state === 'returned' && !wasNotSent(payout)
  if (payout.state !== 'accepted' && !isNoted)
    throw new Refusal(
      'INVALID_STATE',
      `The payout is ${payout.state}; only one that was sent and did not come back can.`,
    )
  if (others.some((other) => other.direction === 'credit' && other.withdrawalId === withdrawalId))
    throw new Refusal('INVALID_STATE', 'The return of this payout has its line already.')
  if (line.currency !== payout.currency || line.amount > payout.amount) {
    const [came, left] = [line, payout].map(({ amount, currency }) => formatMoney(amount, currency))
    throw new Refusal('INVALID_STATE', `${came} came, ${left} had left: more cannot come back than was sent.`)
  }
  const { merchantId, currency } = payout
  const available = merchantAccount('merchant_available', merchantId, currency)
  const charges = bankAccount('bank_charges', line.collectingAccountId, currency)
  const cash = bankAccount('bank_cash', payout.sourceAccountId, currency)
  const costs = payout.amount - line.amount
  const bearer = costsBy === 'operator' ? charges : available
  const to = isNoted ? cash : available
  const transfers = [
    { from: suspenseOf(line), to, amount: line.amount },
    { from: bearer, to, amount: costs },
  ].filter(({ from, amount }) => amount > 0n && from !== to)
  return {
    entries: [{ kind: 'withdrawal_return', merchantId, subjectId: withdrawalId, transfers }],
    lines: [{ line, becomes: 'return' }],
    deposits: [],
    returned: payout,
    mayOverdraw: true,
  }
}
