import { normaliseIban } from '../../../kernel/iban.ts'
import { isDay } from '../../../kernel/istanbul.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, feesEarned, merchantAccount, suspenseOf, unexplainedOf } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { planChargeAndTax } from './charge-and-tax.ts'
import { notOwnTransfer } from './own-transfer.ts'
import { planDebits } from './plan-debits.ts'
import type { Draft, Plan, Planner } from './plan.ts'
import { debitAndCredit, journalEntry, lockTheLines, mustBeCredit, mustBeDebit, onlyOne } from './plan.ts'
import { lockReceivable } from './receivables.ts'
import { mustNotBeGivenBack } from './refund-of-return.ts'

const ofJournal = (...lines: StoredLine[]): Pick<Plan, 'lines' | 'deposits'> => {
  return { lines: lines.map((line) => ({ line, becomes: 'journal' })), deposits: [] }
}

/** Charges, taxes and interest: the bank takes a debit, or gives a credit. So it is with own money that is paid in or taken out. */
function bankItem(
  kind: 'bank_charges' | 'bank_taxes' | 'interest' | 'operator_funds',
  entryKind: NewEntry['kind'],
): Planner {
  return async (_app, tx, draft) => {
    const line = onlyOne(await lockTheLines(tx, draft.terms))
    const its = bankAccount(kind, line.collectingAccountId, line.currency)
    const { amount } = line
    const transfer =
      line.direction === 'debit'
        ? { from: its, to: unexplainedOf(mustBeDebit(line)), amount }
        : { from: suspenseOf(mustBeCredit(line)), to: its, amount }
    return { entries: [journalEntry(entryKind, draft, [transfer])], ...ofJournal(line) }
  }
}

const planCharge = bankItem('bank_charges', 'journal_bank_charge')
export const planBankCharge: Planner = async (app, tx, draft) => {
  const { settles, withdrawalId, lineIds } = draft.terms
  if (settles !== undefined) return planWriteOff(tx, draft, settles)
  if (withdrawalId !== undefined) return planDebits(tx, draft, 'bank_charges')
  return lineIds.length > 1 ? planChargeAndTax(app, tx, draft) : planCharge(app, tx, draft)
}
export const planBankTax = bankItem('bank_taxes', 'journal_bank_tax')
export const planInterest = bankItem('interest', 'journal_interest')
export const planOwnFunds = bankItem('operator_funds', 'journal_own_funds')

/** What is still owed will not come back. */
async function planWriteOff(tx: Tx, draft: Draft, settles: string): Promise<Plan> {
  const { lineIds, withdrawalId } = draft.terms
  if (lineIds.length > 0) throw refuseField('line', 'line_beside_write_off')
  if (withdrawalId !== undefined) throw refuseField('withdrawal', 'withdrawal_beside_write_off')
  const receivable = await lockReceivable(tx, settles)
  await mustNotBeGivenBack(tx, receivable)
  const { account, open: amount } = receivable
  const from = { ...account, kind: 'bank_charges' as const }
  return {
    entries: [journalEntry('journal_bank_charge', draft, [{ from, to: account, amount }])],
    lines: [],
    deposits: [],
  }
}

/** What the bank kept on the way is its charge. */
export const planOwnTransfer: Planner = async ({ banks }, tx, draft) => {
  const [debit, credit] = debitAndCredit(await lockTheLines(tx, draft.terms))
  const [from, to] = [suspenseOf(mustBeCredit(credit)), unexplainedOf(mustBeDebit(debit))]
  if (debit.collectingAccountId === credit.collectingAccountId)
    throw refuse('lines_on_one_account', { debit: debit.id, credit: credit.id })
  const problem = await notOwnTransfer({ db: tx, banks }, debit, credit)
  if (problem) throw problem
  const charges = bankAccount('bank_charges', debit.collectingAccountId, debit.currency)
  const transfers = [
    { from, to, amount: credit.amount },
    { from: charges, to, amount: debit.amount - credit.amount },
  ]
  return { entries: [journalEntry('journal_own_transfer', draft, transfers)], ...ofJournal(debit, credit) }
}

/** Taken from the merchants' fees in order of their ids. The proposal fixes the shares. */
export const planFeeWithdrawal: Planner = async (_app, tx, draft) => {
  const line = mustBeDebit(onlyOne(await lockTheLines(tx, draft.terms)))
  const { amount, currency } = line
  const shares = draft.terms.shares ?? sharesOf(amount, currency, await feesEarned(tx, currency))
  const entries = shares.map((share): NewEntry => {
    const from = merchantAccount('fees', share.merchantId, currency)
    const transfers = [{ from, to: unexplainedOf(line), amount: share.amount }]
    return { ...journalEntry('journal_fee_withdrawal', draft, transfers), merchantId: share.merchantId }
  })
  return { entries, ...ofJournal(line), terms: { ...draft.terms, shares } }
}

function sharesOf(amount: bigint, currency: string, earned: { merchantId: string; amount: bigint }[]) {
  let rest = amount
  const shares = earned.flatMap(({ merchantId, amount: has }) => {
    const share = has < rest ? has : rest
    rest -= share
    return share > 0n ? [{ merchantId, amount: share }] : []
  })
  if (rest === 0n) return shares
  throw refuse('fees_below_debit', { took: money(amount, currency), earned: money(amount - rest, currency) })
}

/** No line shows it: the money was there before the first statement. */
export const planOpeningBalance: Planner = async (app, _tx, draft) => {
  const { lineIds, accountId = '', amount = 0n, day } = draft.terms
  if (lineIds.length > 0) throw refuseField('line', 'line_beside_opening_balance')
  const account = (await app.banks.account(accountId)) ?? (await app.banks.accountByIban(normaliseIban(accountId)))
  if (!account) throw refuse('account_unknown', { account: accountId })
  if (amount <= 0n) throw refuseField('amount', 'opening_balance_not_above_zero')
  if (day === undefined || !isDay(day)) throw refuseField('day', 'opening_balance_without_day')
  const cash = bankAccount('bank_cash', account.id, account.currency)
  const funds = bankAccount('operator_funds', account.id, account.currency)
  const entry = journalEntry('journal_opening_balance', draft, [{ from: cash, to: funds, amount }])
  const terms = { ...draft.terms, accountId: account.id }
  return { entries: [{ ...entry, effectiveOn: day }], lines: [], deposits: [], terms }
}
