import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../deposits/index.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { Receivable } from '../journal/receivables.ts'
import {
  chargeAfter,
  debitCommand,
  depositCommand,
  hasMoneyBack,
  isUnexplained,
  pairCommand,
  refundCommand,
} from './next-command.ts'
import {
  hasLine,
  isPart,
  partsCommand,
  receivableCommand,
  repeatedDebit,
  returnCommand,
  sameMoneyCommand,
  settleCommand,
} from './next-command.ts'

/** What a line may be, with what a person would do about it. */
export type LineCandidate = {
  what: 'deposit' | 'payout' | 'return' | 'own_transfer' | 'storno' | 'receivable'
  /** Of the deposit, the withdrawal, the other line or the journal entry. */
  id: string
  status: string
  at: Date
  /** The more speaks for it, the higher. */
  score: number
  reasons: string[]
  next: string
}

type Fact = [holds: boolean, points: number, yes: string, no: string]

function judged(facts: Fact[], amounts = 'same amount'): Pick<LineCandidate, 'score' | 'reasons'> {
  return {
    score: facts.reduce((sum, [holds, points]) => sum + (holds ? points : 0), 0),
    reasons: [amounts, ...facts.map(([holds, , yes, no]) => (holds ? yes : no)).filter((text) => text !== '')],
  }
}

function compared(line: StoredLine, amount: bigint, what: string): string {
  if (line.amount === amount) return 'same amount'
  const difference = line.amount - amount
  const words = difference > 0n ? 'more' : 'less'
  return `${formatMoney(difference > 0n ? difference : -difference, line.currency)} ${words} than the ${what}`
}

export function ofDeposit(line: StoredLine, deposit: Deposit): LineCandidate {
  const { id, status, createdAt, customer, collectingAccountId, previousAccountIds } = deposit
  const shown = [collectingAccountId, ...previousAccountIds].includes(line.collectingAccountId)
  const facts: Fact[] = [
    [shown, 30, 'same account', 'another account'],
    [sameName(line.senderName, customer.name), 30, 'same name', 'another name'],
    [status !== 'cancelled', 20, '', 'the deposit is cancelled'],
    [createdAt <= bookedUntil(line), 10, 'created before the payment', 'created after the payment'],
  ]
  return { what: 'deposit', id, status, at: createdAt, ...judged(facts), next: depositCommand(line, deposit) }
}

/**
 * `its`: the lines that belong to the payout or name it; `rest`: those that make its amount with this one. A payout that the
 * line cannot be is left out, unless the line names it.
 */
export function ofPayout(
  line: StoredLine,
  payout: Payout,
  its: StoredLine[],
  rest: StoredLine[] | undefined,
): LineCandidate[] {
  const { withdrawalId: id, state: status, createdAt: at, iban, accountName, sourceAccountId } = payout
  const isDebit = line.direction === 'debit'
  const isNamed = line.candidateWithdrawalId === id
  const facts: Fact[] = [
    [isNamed, 50, 'the line names it', ''],
    [sourceAccountId === line.collectingAccountId, 30, 'same account', 'another account'],
    [normaliseIban(line.senderIban ?? '') === iban, 30, 'same IBAN', ''],
    [foldText(line.senderName) !== '' && sameName(line.senderName, accountName), 20, 'same name', 'another name'],
    [at <= bookedUntil(line), 10, 'created before the line', 'created after the line'],
    [wasNotSent(payout), 0, 'it was not sent', ''],
    [isDebit && hasLine('debit', payout, its), 0, 'it has its debit already', ''],
    [isDebit && isNamed && hasMoneyBack(payout, its), 0, chargeAfter(payout), ''],
    [line.reason === 'payout_second_debit', -30, 'a second debit of it was not explained, or owed, when this came', ''],
  ]
  const others = (rest ?? []).map((one) => one.id).join(', ')
  if (isPart(line, payout, its)) {
    facts.push([rest !== undefined, 20, `makes its amount with ${others}`, 'the rest may come in a later line'])
    const judgement = judged(facts, compared(line, payout.amount, 'payout'))
    return [{ what: 'payout', id, status, at, ...judgement, next: partsCommand(line, payout, rest) }]
  }
  facts.push([!isDebit && others !== '', 20, `makes its amount with ${others}`, ''])
  const possible = isDebit ? debitCommand(line, payout, its) : returnCommand(line, payout, its, rest)
  const next = possible ?? (isNamed ? (isDebit ? receivableCommand : refundCommand)(line) : null)
  if (next === null) return []
  const what = isDebit ? ('payout' as const) : ('return' as const)
  const found = { what, id, status, at, ...judged(facts, compared(line, payout.amount, 'payout')), next }
  const first = repeatedDebit(line, payout, its)
  if (!first) return [found]
  const reasons = [...found.reasons, `may be its debit ${first.id}, which the bank booked again under another date`]
  // After what is owed: this is right only if the bank counts one of the two.
  return [found, { ...found, score: found.score - 10, reasons, next: sameMoneyCommand(line) }]
}

/** On another account it may be the other side of our own transfer; on the same one, a credit that the bank took back. */
export function ofLine(line: StoredLine, other: StoredLine, ibans: ReadonlyMap<string, string>): LineCandidate[] {
  const [debit, credit] = line.direction === 'debit' ? [line, other] : [other, line]
  const isSame = debit.collectingAccountId === credit.collectingAccountId
  const isOfDeposit = credit.state === 'matched' && credit.depositId !== null
  const payout = debit.candidateWithdrawalId
  const isOfOne = isSame && isUnexplained(credit) && payout !== null && payout === credit.candidateWithdrawalId
  const mayBe = isSame
    ? isOfOne || (credit.bookedAt <= bookedUntil(debit) && (isUnexplained(credit) || isOfDeposit))
    : isUnexplained(credit)
  if (!isUnexplained(debit) || !mayBe) return []
  const what = isSame ? ('storno' as const) : ('own_transfer' as const)
  const names = (one: StoredLine, { collectingAccountId }: StoredLine) =>
    normaliseIban(one.senderIban ?? '') === ibans.get(collectingAccountId)
  const facts: Fact[] = [
    [isSame, 30, 'same account', 'another of our accounts'],
    // More than what speaks for a payout that the line does not name.
    [!isSame && (names(debit, credit) || names(credit, debit)), 100, 'the IBAN of our other account is on it', ''],
    [isSame && haveOneCode(debit, credit), 120, 'both have the code of one deposit', ''],
    [isOfOne, 90, `both name payout ${payout}`, ''],
    [line.amount === other.amount, 5, '', ''],
    [isUnexplained(other), 10, 'not explained yet', `matched (${other.reason})`],
  ]
  const judgement = judged(facts, compared(line, other.amount, 'other side'))
  const next = pairCommand(what, line, other)
  return [{ what, id: other.id, status: other.state, at: other.bookedAt, ...judgement, next }]
}

function haveOneCode(...lines: [StoredLine, StoredLine]): boolean {
  const [first, second] = lines.map(({ narrative }) => findReferenceCodes(narrative).map(({ code }) => code))
  return first?.some((code) => second?.includes(code)) ?? false
}

export function ofReceivable(line: StoredLine, receivable: Receivable): LineCandidate {
  const { entryId: id, account, open, since: at, withdrawalId } = receivable
  const facts: Fact[] = [
    // More than what speaks for the payout itself.
    [withdrawalId !== null && withdrawalId === line.candidateWithdrawalId, 150, 'its debit names the same payout', ''],
    [account.subject === line.collectingAccountId, 30, 'same account', 'another account'],
    [open === line.amount, 30, '', ''],
    [at <= bookedUntil(line), 10, 'left before it came', 'left after it came'],
  ]
  const judgement = judged(facts, compared(line, open, 'receivable'))
  return { what: 'receivable', id, status: 'open', at, ...judgement, next: settleCommand(line, id) }
}
