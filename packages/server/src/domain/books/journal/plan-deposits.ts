import type { Tx } from '../../../platform/postgres/db.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Changes, Deposit } from '../../deposits/index.ts'
import { flagsFor, mustCoverRefunds, NEXT, wasReversed } from '../../deposits/index.ts'
import { suspenseOf, unexplainedOf } from '../../ledger/index.ts'
import { completion, depositReversal, depositSettlement, fromSuspense } from '../../matching/index.ts'
import { merchantsById } from '../../merchants/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { findLine, linesOfDeposit } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import { mustNotBeOversized } from './oversized-debit.ts'
import { planReturnsUndone } from './plan-returns-undone.ts'
import type { Plan, Planner } from './plan.ts'
import { debitAndCredit, journalEntry, lockTheDeposits, lockTheLines, mustBeCredit, mustBeDebit } from './plan.ts'
import { currenciesDiffer, notOf, onlyOne } from './plan.ts'

type TakenBack = { to: 'failed' | 'processing'; reason: 'match_corrected' | 'payment_reversed' }

/** The deposit has no money any more. */
export function takenBack(deposit: Deposit, { to, reason }: TakenBack): { deposit: Deposit; changes: Changes } {
  // Said with the proposal, not only when it is approved.
  mustCoverRefunds({ ...deposit, receivedAmount: 0n })
  const changes = { status: to, receivedAmount: 0n, fee: 0n, flags: flagsFor(deposit, 0n), reason }
  return { deposit, changes }
}

/** What its bank took back was taken from the merchant already. */
export async function mustNotBeCharged(tx: Tx, { id }: Deposit): Promise<void> {
  const { first } = await chargedBefore(tx, ({ depositId }) => depositId === id)
  if (first === undefined) return
  throw refuse('merchant_charged', { of: 'payment', transaction: id, entry: first })
}

/** The lines whose money a completed deposit has, locked after it. */
async function lockCredited(tx: Tx, deposit: Deposit): Promise<StoredLine[]> {
  if (deposit.status !== 'completed')
    throw refuse('deposit_not_credited', { deposit: deposit.id, status: deposit.status })
  await mustNotBeCharged(tx, deposit)
  const found = await linesOfDeposit(tx, deposit.merchantId, deposit.id)
  const lines = await lockTheLines(tx, { lineIds: found.map(({ id }) => id) })
  for (const { id, journalId } of lines)
    if (journalId !== null) throw refuse('line_split', { line: id, entry: journalId })
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  if (total !== deposit.receivedAmount) throw refuse('deposit_sum_differs', { deposit: deposit.id })
  return lines
}

/** A wrong match: the merchant is debited, the money is in suspense again. */
export const planUnmatch: Planner = async (_app, tx, draft) => {
  const { depositId, withdrawalId, to = 'failed' } = draft.terms
  if (withdrawalId !== undefined) return planReturnsUndone(tx, draft, [withdrawalId], null)
  if (depositId === undefined) throw refuseField('deposit', 'unmatch_without_deposit')
  const [deposit] = await lockTheDeposits(tx, [depositId])
  if (!deposit) throw new Error(`Deposit ${depositId} was not locked.`)
  const change = takenBack(deposit, { to, reason: 'match_corrected' })
  // It was unmatched before and waits for its own payment, which did not come.
  if (deposit.status === 'processing' && deposit.receivedAmount === 0n && to === 'failed')
    return { entries: [], lines: [], deposits: [change] }
  const lines = await lockCredited(tx, deposit)
  return {
    entries: [depositReversal(deposit, lines.map(fromSuspense))],
    lines: lines.map((line) => ({ line, becomes: 'suspense' })),
    deposits: [change],
    mayOverdraw: true,
  }
}

/** The bank takes an earlier credit back, which is in suspense or was credited to a deposit. */
export const planStorno: Planner = async (_app, tx, draft) => {
  const { lineIds } = draft.terms
  const seen = await Promise.all(lineIds.map((id) => findLine(tx, id)))
  const depositId = seen.find((line) => line?.state === 'matched')?.depositId
  const [deposit] = depositId ? await lockTheDeposits(tx, [depositId]) : []
  const credited = deposit ? await lockCredited(tx, deposit) : []
  const locked = await lockTheLines(tx, draft.terms)
  const [debit, credit] = debitAndCredit(locked)
  await mustNotBeOversized(tx, mustBeDebit(debit), credit)
  const { amount } = debit
  if (credit.amount !== amount || credit.collectingAccountId !== debit.collectingAccountId)
    throw refuse('storno_differs', { debit: debit.id, credit: credit.id })
  const storno = journalEntry('journal_storno', draft, [{ from: suspenseOf(credit), to: unexplainedOf(debit), amount }])
  const pair: Plan['lines'] = [debit, credit].map((line) => ({ line, becomes: 'journal' }))
  if (!deposit) return { entries: [storno], lines: (mustBeCredit(credit), pair), deposits: [] }
  if (!credited.some(({ id }) => id === credit.id)) throw notOf(credit, 'deposit', [deposit.id])
  const others = credited.filter(({ id }) => id !== credit.id)
  return {
    entries: [depositReversal(deposit, credited.map(fromSuspense)), storno],
    lines: [...pair, ...others.map((line) => ({ line, becomes: 'suspense' as const }))],
    deposits: [takenBack(deposit, { to: 'failed', reason: 'payment_reversed' })],
    mayOverdraw: true,
  }
}

/** A deposit that may be completed by a person, or lost its payment to its bank, and has no money yet. */
function mustTakeMoney(deposit: Deposit, line: StoredLine): Deposit {
  if (!NEXT[deposit.status].includes('completed') && !wasReversed(deposit))
    throw refuse('deposit_takes_no_money', { deposit: deposit.id, status: deposit.status })
  if (deposit.receivedAmount > 0n)
    throw refuse('deposit_holds_money', {
      deposit: deposit.id,
      held: money(deposit.receivedAmount, deposit.currency),
    })
  if (deposit.currency !== line.currency) throw currenciesDiffer(line, 'deposit', deposit.currency)
  return deposit
}

async function complete(tx: Tx, deposit: Deposit, line: StoredLine, amount: bigint) {
  const merchant = (await merchantsById(tx, [deposit.merchantId])).get(deposit.merchantId)
  if (!merchant) throw new Error(`Deposit ${deposit.id} has no merchant.`)
  const changes = completion(mustTakeMoney(deposit, line), merchant, amount, line.bookedAt)
  const entry = depositSettlement({ ...deposit, ...changes }, [{ ...fromSuspense(line), amount }], {})
  return { change: { deposit, changes }, entry }
}

const creditedTo = ({ deposit: { id: subject, merchantId }, changes }: Plan['deposits'][number]) => {
  return { kind: 'deposit' as const, subject, merchantId, amount: changes.receivedAmount ?? 0n }
}

/**
 * A transfer that pays one deposit or several, of any merchants: with the codes of several, for a cancelled or duplicate one, or given
 * again after the bank took it back. What is left of several stays in suspense, to be refunded.
 */
export const planDepositPayment: Planner = async (_app, tx, { terms: { lineIds, depositId, parts = [], rest } }) => {
  const wanted = new Map(parts.map(({ depositId: id, amount }) => [id, amount]))
  if (depositId === undefined) mustBeParts(wanted, parts, rest)
  else if (parts.length > 0 || rest) throw refuseField('deposit', 'deposit_beside_parts')
  const deposits = await lockTheDeposits(tx, depositId === undefined ? [...wanted.keys()] : [depositId])
  const line = mustBeCredit(onlyOne(await lockTheLines(tx, { lineIds })))
  if (depositId !== undefined) wanted.set(depositId, line.amount)
  const total = [...wanted.values()].reduce((sum, amount) => sum + amount, rest?.amount ?? 0n)
  if (total !== line.amount) {
    const [has, given] = [money(line.amount, line.currency), money(total, line.currency)]
    throw refuseField('part', 'parts_not_sum_of_line', { has, given })
  }
  const done = []
  for (const deposit of deposits) done.push(await complete(tx, deposit, line, wanted.get(deposit.id) ?? 0n))
  const becomes = depositId === undefined ? 'journal' : 'deposit'
  return {
    entries: done.map(({ entry }) => entry),
    lines: [{ line, becomes, parts: done.map(({ change }) => creditedTo(change)) }],
    deposits: done.map(({ change }) => change),
  }
}

function mustBeParts(
  wanted: Map<string, bigint>,
  parts: { amount: bigint }[],
  rest: { amount: bigint } | undefined,
): void {
  if (wanted.size < 2 || wanted.size !== parts.length) throw refuseField('part', 'parts_not_of_deposits')
  if (parts.some(({ amount }) => amount <= 0n)) throw refuseField('part', 'term_not_above_zero')
  if (rest && rest.amount <= 0n) throw refuseField('rest', 'term_not_above_zero')
}
