import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { haveOtherIbans, recipientOf, senderOf } from '../../../kernel/party.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { showsReturnOf, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { namesNumberOf } from '../../statements/index.ts'
import type { ChargeForCredit } from '../journal/charges-for-credit.ts'
import type { ProposeStep } from '../journal/propose-step.ts'
import { propose } from '../journal/propose-step.ts'
import type { Rule } from '../rules/rule.ts'
import { bankItemOf } from './bank-words.ts'
import type { CandidateFacts } from './compare-fields.ts'
import type { NextStep } from './next-step.ts'
import type { Owed } from './owed-for-credit.ts'
import {
  correctedDebit,
  debitStep,
  depositStep,
  hasLine,
  hasMoneyBack,
  isNamedOn,
  isPart,
  isUnexplained,
  owedStep,
  pairStep,
} from './next-step.ts'
import { partsStep, refundStep, repeatedDebit, returnStep, sameMoneyStep, settleStep } from './next-step.ts'
import type { Fact, Reason } from './reason.ts'
import { comparedAmounts, judged } from './reason.ts'
import { giveBackStep } from './second-debits.ts'

/** What a line may be, with what a person would do about it. */
export type LineCandidate = {
  what:
    | 'deposit'
    | 'payout'
    | 'return'
    | 'own_transfer'
    | 'storno'
    | 'receivable'
    | 'correction'
    | 'charge_and_tax'
    | 'stranger'
  /** Of the deposit, the withdrawal, the other line or the journal entry. */
  id: string
  status: string
  at: Date
  facts: CandidateFacts
  /** The more speaks for it, the higher. */
  score: number
  reasons: Reason[]
  next: NextStep
}

/** What it would be, what speaks for it, and what a person would do. */
type Said = Pick<LineCandidate, 'what' | 'next'> & { points: Fact[] }

/** Another line, which has to do with this one. */
export function ofOther(line: StoredLine, other: StoredLine, { what, points, next }: Said): LineCandidate {
  const { id, state: status, bookedAt: at } = other
  const judgement = judged(points, comparedAmounts(line, other.amount, 'other side'))
  return { what, id, status, at, facts: lineFacts(other), ...judgement, next }
}

/** Payouts that the line is about together. */
export function ofSeveral(line: StoredLine, payouts: Payout[], { what, points, next }: Said): LineCandidate {
  const [first] = payouts
  if (!first) throw new Error('The line is about no payout.')
  const { withdrawalId: id, state: status, createdAt: at } = first
  const amount = payouts.reduce((sum, one) => sum + one.amount, 0n)
  const facts = { ...payoutFacts(first), amount, name: null, iban: null }
  return { what, id, status, at, facts, ...judged(points, comparedAmounts(line, amount, 'payout')), next }
}

/** `paidBy`: lines of the same sender and amount that have paid it. */
export function ofDeposit(line: StoredLine, deposit: Deposit, paidBy?: string[]): LineCandidate {
  const { id, status, createdAt, customer, collectingAccountId, previousAccountIds, amount, currency } = deposit
  const accountIds = [...(collectingAccountId === null ? [] : [collectingAccountId]), ...previousAccountIds]
  const facts: Fact[] = [
    [accountIds.includes(line.collectingAccountId), 30, 'account_same', 'account_other'],
    [sameName(line.senderName, customer.name), 30, 'name_same', foldText(line.senderName) === '' ? null : 'name_other'],
    [status !== 'cancelled', 20, null, 'deposit_cancelled'],
    [createdAt <= bookedUntil(line), 10, 'created_before_payment', 'created_after_payment'],
    [codesOf(line).includes(deposit.referenceCode), 50, 'code_on_line', null],
    // After an equal one that waits for money.
    [paidBy !== undefined, -5, { code: 'paid_before', lineIds: paidBy ?? [] }, null],
  ]
  return {
    ...{ what: 'deposit', id, status, at: createdAt },
    facts: {
      amount,
      currency,
      name: customer.name,
      iban: null,
      code: deposit.referenceCode,
      accountIds,
      at: createdAt,
    },
    ...judged(facts, comparedAmounts(line, amount, 'deposit')),
    next: depositStep(line, deposit),
  }
}

/**
 * `its`: the lines that belong to the payout or name it; `rest`: those that make its amount with this one; `more`: the credit gives
 * back what was debited besides. A payout that the line cannot be is left out, unless the line names it.
 */
export function ofPayout(
  line: StoredLine,
  payout: Payout,
  its: StoredLine[],
  { rest, more }: { rest: StoredLine[] | undefined; more: ProposeStep | null },
): LineCandidate[] {
  const { withdrawalId: id, state: status, createdAt: at } = payout
  const isDebit = line.direction === 'debit'
  const isNamed = isNamedOn(line, id)
  // Money that came before the payout was made is not its return.
  if (!isDebit && !isNamed && at > bookedUntil(line)) return []
  // Of a refund of unexplained money an equal amount alone shows nothing: one person cannot say so either.
  if (!isDebit && payout.merchantId === NO_MERCHANT && !showsReturnOf(line, payout)) return []
  const amounts = comparedAmounts(line, payout.amount, 'payout')
  const points = payoutPoints(line, payout, its)
  const others: Reason = { code: 'makes_amount_with', lineIds: (rest ?? []).map((one) => one.id) }
  const base = { id, status, at, facts: payoutFacts(payout) }
  if (isPart(line, payout, its)) {
    points.push([rest !== undefined, 20, others, 'rest_may_come'])
    return [{ what: 'payout', ...base, ...judged(points, amounts), next: partsStep(line, payout, rest) }]
  }
  points.push([!isDebit && others.lineIds.length > 0, 20, others, null])
  const possible = isDebit ? debitStep(line, payout, its) : (more ?? returnStep(line, payout, its, rest))
  const giveBack = isDebit ? null : giveBackStep(line, payout, its)
  points.push(
    [more !== null && !more.terms.rest, 60, 'debited_with_more', null],
    // More than what speaks for any return.
    [giveBack !== null, isNamed ? 50 : 40, 'second_debit_open', null],
    [giveBack === null && line.reason === 'payout_second_debit', -30, 'second_debit_before', null],
  )
  const next = giveBack ?? possible ?? (isNamed ? (isDebit ? owedStep : refundStep)(line) : null)
  if (next === null) return []
  const what = isDebit ? ('payout' as const) : ('return' as const)
  const found = { what, ...base, ...judged(points, amounts), next }
  return withCorrection(found, line, payout, its)
}

/** Right only if the bank counts one of the two lines: after what is owed, unless their number is the same. */
function withCorrection(found: LineCandidate, line: StoredLine, payout: Payout, its: StoredLine[]): LineCandidate[] {
  const corrected = correctedDebit(line, payout, its)
  const first = corrected ?? repeatedDebit(line, payout, its)
  if (!first) return [found]
  const isOne = line.bankReference !== null && first.bankReference === line.bankReference
  const why: Reason = { code: isOne ? 'same_number' : 'may_repeat', lineIds: [first.id] }
  const next: NextStep = corrected ? { do: 'dismiss', lineId: line.id } : sameMoneyStep(line)
  return [found, { ...found, score: found.score + (isOne ? 10 : -10), reasons: [...found.reasons, why], next }]
}

function payoutPoints(line: StoredLine, payout: Payout, its: StoredLine[]): Fact[] {
  const { withdrawalId: id, createdAt: at, iban, accountName, sourceAccountId } = payout
  const isDebit = line.direction === 'debit'
  const isNamed = isNamedOn(line, id)
  const hasName = foldText(line.senderName) !== ''
  const isTo = hasName && sameName(line.senderName, accountName)
  const isAnother = haveOtherIbans(senderOf(line), recipientOf(payout))
  const charge: Reason = { code: 'merchant_has_money_back', withdrawalId: id }
  return [
    [isNamed, 50, 'line_names_it', null],
    [sourceAccountId === line.collectingAccountId, 30, 'account_same', 'account_other'],
    [normaliseIban(line.senderIban ?? '') === iban, 30, 'iban_same', isAnother ? 'iban_other' : null],
    [isTo, isAnother ? 0 : 20, 'name_same', hasName ? 'name_other' : null],
    [at <= bookedUntil(line), 10, 'created_before_line', 'created_after_line'],
    [wasNotSent(payout), 0, 'not_sent', null],
    [isDebit && hasLine('debit', payout, its), 0, 'has_debit', null],
    [isDebit && isNamed && hasMoneyBack(payout, its), 0, charge, null],
  ]
}

function payoutFacts({ amount, currency, accountName, iban, withdrawalId, sourceAccountId, createdAt }: Payout) {
  return { amount, currency, name: accountName, iban, code: withdrawalId, accountIds: [sourceAccountId], at: createdAt }
}

/** On another account it may be the other side of our own transfer; on the same one, a credit that the bank took back. */
export function ofLine(line: StoredLine, other: StoredLine, ibans: ReadonlyMap<string, string>): LineCandidate[] {
  const [debit, credit] = line.direction === 'debit' ? [line, other] : [other, line]
  const isSame = debit.collectingAccountId === credit.collectingAccountId
  const isOfDeposit = credit.state === 'matched' && credit.depositId !== null
  const payout = debit.candidateWithdrawalId
  const isOfOne = isSame && isUnexplained(credit) && payout !== null && payout === credit.candidateWithdrawalId
  // Given back: a transfer that failed, or a charge.
  const isBack =
    isSame &&
    isUnexplained(credit) &&
    credit.depositId === null &&
    payout === null &&
    credit.candidateWithdrawalId === null
  // Banks write an earlier time on some stornos: the number says more.
  const showsCredit = isSame && namesNumberOf(debit, credit)
  const isInOrder = showsCredit || credit.bookedAt <= bookedUntil(debit)
  const mayBe = isSame
    ? isOfOne || isBack || (isInOrder && (isUnexplained(credit) || isOfDeposit))
    : isUnexplained(credit)
  if (!isUnexplained(debit) || !mayBe) return []
  const what = isSame ? ('storno' as const) : ('own_transfer' as const)
  const names = (one: StoredLine, { collectingAccountId }: StoredLine) =>
    normaliseIban(one.senderIban ?? '') === ibans.get(collectingAccountId)
  const isShown = names(credit, debit) || credit.senderName.trim() === ''
  const points: Fact[] = [
    [isSame, 30, 'account_same', 'account_other_of_ours'],
    // More than what speaks for a payout that the line does not name.
    // A credit that shows someone, and no IBAN of ours, may be a customer's.
    [!isSame && (names(debit, credit) || names(credit, debit)), isShown ? 100 : 40, 'iban_of_ours', null],
    [isSame && haveOneCode(debit, credit), 120, 'code_same', null],
    [showsCredit, 130, 'shows_credit', null],
    [isSame && namesNumberOf(credit, debit), 130, 'shows_debit', null],
    // More than what speaks for the payout that both name.
    [isOfOne, 150, { code: 'both_name_payout', withdrawalId: payout ?? '' }, null],
    [isBack && credit.bookedAt > bookedUntil(debit), 0, 'given_back', null],
    [line.amount === other.amount, 5, null, null],
    [isUnexplained(other), 10, 'not_explained', { code: 'matched_as', as: other.reason }],
  ]
  const found = ofOther(line, other, { what, points, next: pairStep(what, line, other) })
  if (isSame) return [found]
  // A line of our own transfer names the other account.
  return [{ ...found, facts: { ...found.facts, iban: ibans.get(other.collectingAccountId) ?? null } }]
}

function lineFacts(line: StoredLine): CandidateFacts {
  const { amount, currency, senderName, senderIban, collectingAccountId, bookedAt, narrative } = line
  const code = line.candidateWithdrawalId ?? findReferenceCodes(narrative)[0]?.code ?? null
  return { amount, currency, name: senderName, iban: senderIban, code, accountIds: [collectingAccountId], at: bookedAt }
}

const codesOf = ({ narrative }: StoredLine) => findReferenceCodes(narrative).map(({ code }) => code)

function haveOneCode(...lines: [StoredLine, StoredLine]): boolean {
  const [first, second] = lines.map(codesOf)
  return first?.some((code) => second?.includes(code)) ?? false
}

export function ofReceivable(line: StoredLine, receivable: Owed): LineCandidate {
  const { entryId: id, account, open, since: at, withdrawalId } = receivable
  const points: Fact[] = [
    // More than what speaks for the payout itself.
    [withdrawalId !== null && withdrawalId === line.candidateWithdrawalId, 150, 'debit_names_same_payout', null],
    [account.subject === line.collectingAccountId, 30, 'account_same', 'account_other'],
    [receivable.isShown, 40, 'shows_debit', null],
    [open === line.amount, 30, null, null],
    [at <= bookedUntil(line), 10, 'left_before', 'left_after'],
  ]
  const judgement = judged(points, comparedAmounts(line, open, 'receivable'))
  const { currency, subject } = account
  const accountIds = subject === undefined ? [] : [subject]
  const facts = { amount: open, currency, name: null, iban: null, code: withdrawalId, accountIds, at }
  return { what: 'receivable', id, status: 'open', at, facts, ...judgement, next: settleStep(line, id, open) }
}

/** The bank's name for an item of its own, and no one else's account. */
export const isBankItem = (line: StoredLine): boolean => line.senderIban === null && bankItemOf(line) !== null

/** One for each thing that rules say it is: they only suggest, or disagree, or may not book it. */
export function ofRules(line: StoredLine, rules: Rule[]): LineCandidate[] {
  const { id, amount, currency, bookedAt: at, state: status } = line
  const facts = { amount, currency, name: null, iban: null, code: null, accountIds: [], at }
  return [...Map.groupBy(rules, ({ kind }) => kind)].map(([kind, its]) => {
    const reasons = [{ code: 'rule_says' as const, ruleIds: its.map((rule) => rule.id) }]
    return { what: 'stranger', id, status, at, facts, score: 100, reasons, next: propose(kind, [id]) }
  })
}

/** Of an account of ours that no account here is: own funds come in, fees that we have earned go out. */
export const isOurs = ({ senderName }: Pick<StoredLine, 'senderName'>, titles: string[]): boolean =>
  senderName.trim() !== '' && titles.some((title) => sameName(title, senderName))

/** Nothing that we know of waits for the money: what the bank itself calls it, without a sender; what is our own; else it goes back. */
export function ofStranger(line: StoredLine, titles: string[], instead?: NextStep): LineCandidate {
  const { id, amount, currency, bookedAt: at, state: status } = line
  const facts = { amount, currency, name: null, iban: null, code: null, accountIds: [], at }
  const next = instead ?? stepOfStranger(line, titles)
  return { what: 'stranger', id, status, at, facts, score: 0, reasons: [{ code: 'nothing_waits' }], next }
}

function stepOfStranger(line: StoredLine, titles: string[]): NextStep {
  const item = isBankItem(line) ? bankItemOf(line) : null
  if (item !== null) return propose(item, [line.id])
  if (!isOurs(line, titles)) return refundStep(line)
  return propose(line.direction === 'credit' ? 'own_funds' : 'fee_withdrawal', [line.id])
}

/** The money is that of the merchant who was charged for its debit. */
export function ofCharge(line: StoredLine, charge: ChargeForCredit): LineCandidate {
  const { entryId: id, left, isNamed, receivable, withdrawalId, depositId } = charge
  const { account, since: at } = receivable
  const points: Fact[] = [
    // More than what speaks for the payout itself.
    [isNamed, 150, depositId === null ? 'debit_names_same_payout' : 'code_same', null],
    [account.subject === line.collectingAccountId, 30, 'account_same', 'account_other'],
    [left === line.amount, 30, null, null],
    [at <= bookedUntil(line), 10, 'left_before', 'left_after'],
    [true, 0, 'merchant_charged', null],
  ]
  const { currency, subject } = account
  const accountIds = subject === undefined ? [] : [subject]
  const code = withdrawalId ?? depositId
  const facts = { amount: left, currency, name: null, iban: null, code, accountIds, at }
  const judgement = judged(points, comparedAmounts(line, left, 'receivable'))
  return { what: 'receivable', id, status: 'charged', at, facts, ...judgement, next: settleStep(line, id) }
}
