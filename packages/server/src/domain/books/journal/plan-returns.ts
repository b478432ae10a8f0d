import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { AccountRef } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, lockPayout, mustBeDebitedOnce, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { Terms } from './journal-entry.ts'
import { restOfReturn } from './plan-return-of-more.ts'
import type { Draft, Plan, Planner } from './plan.ts'
import { lockTheLines, mustBeCredit, onlyOne } from './plan.ts'
import { entriesAbout } from './store.ts'

/** Less came back than was sent, or on another account. What comes later goes to who bore the costs. */
export const planReturnWithCosts: Planner = async (_app, tx, { terms }) => {
  const { costsBy } = terms
  if (costsBy === undefined) throw refuseField('costs', 'bearer_missing')
  const { payout, lines, before } = await lockReturn(tx, terms)
  const [first] = before
  if (!first) return returnOf(payout, lines, bearerOf(payout, costsBy, lines[0] as StoredLine))
  await mustHaveBorne(tx, payout, lines, before, costsBy)
  const to = bearerOf(payout, costsBy, first)
  return planOf(
    payout,
    lines,
    lines.map((line) => ({ from: suspenseOf(line), to, amount: line.amount })),
  )
}

/** The payout came back whole, in several credits, with the effect of one; or in one credit with what was debited besides. */
export const planPayoutReturn: Planner = async (_app, tx, draft) => {
  const { terms } = draft
  if (terms.settles !== undefined || terms.charge) return planReturnOfMore(tx, draft)
  const { payout, lines, before } = await lockReturn(tx, terms)
  const { withdrawalId, amount, currency } = payout
  const its = { withdrawal: withdrawalId, lines: lines.map(({ id }) => id) }
  if (before.length > 0) throw refuse('return_had_costs', its)
  const total = sumOf(lines)
  if (total < amount)
    throw refuse('return_parts_missing', {
      ...its,
      total: money(total, currency),
      ordered: money(amount, currency),
      missing: money(amount - total, currency),
    })
  return returnOf(payout, lines, null)
}

async function planReturnOfMore(tx: Tx, draft: Draft): Promise<Plan> {
  const { payout, lines } = await lockReturn(tx, draft.terms)
  const line = onlyOne(lines, 'return_not_one_line')
  const rest = await restOfReturn(tx, draft, [payout], line, line.amount - payout.amount)
  const plan = returnOf(payout, [{ ...line, amount: payout.amount }], null)
  return { ...plan, entries: [...plan.entries, rest], lines: [{ line, becomes: 'return' }] }
}

type Locked = { payout: Payout; lines: StoredLine[]; before: StoredLine[] }

/** `before`: credits that are its return already. */
async function lockReturn(tx: Tx, { lineIds, withdrawalId = '', settles, charge }: Terms): Promise<Locked> {
  const payout = await lockReturned(tx, withdrawalId)
  const others = await lockLinesAbout(tx, withdrawalId)
  const lines = (await lockTheLines(tx, { lineIds })).map(mustBeCredit)
  if (lines.length === 0) throw refuseField('line', 'payout_line_missing', { direction: 'credit' })
  const before = await mustBeReturnable(tx, payout, others, lines)
  const { amount, currency } = payout
  const [came, ordered] = [money(sumOf(lines), currency), money(amount, currency)]
  if (before.length > 0 && sumOf([...before, ...lines]) > amount)
    throw refuse('return_is_whole', { withdrawal: withdrawalId, before: money(sumOf(before), currency), ordered, came })
  const mayBeMore = settles !== undefined || charge
  if (lines.some((line) => line.currency !== currency) || (sumOf(lines) > amount && !mayBeMore))
    throw refuse('return_above_payout', { came, ordered })
  return { payout, lines, before }
}

export async function lockReturned(tx: Tx, withdrawalId: string): Promise<Payout> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw refuseField('withdrawal', 'withdrawal_without_payout', { wanted: 'returned' })
  return (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
}

/** Returns the credits that are its return already. */
export async function mustBeReturnable(
  tx: Tx,
  payout: Payout,
  others: StoredLine[],
  lines: StoredLine[],
): Promise<StoredLine[]> {
  const { withdrawalId, state } = payout
  await mustNotGiveChargeBack(tx, withdrawalId, lines)
  if (state !== 'accepted' && !isNoted(payout))
    throw refuse('payout_cannot_return', { withdrawal: withdrawalId, state })
  mustBeDebitedOnce(payout, others, lines)
  return others.filter((other) => other.direction === 'credit' && other.withdrawalId === withdrawalId)
}

/** The bank took it back after that, and its merchant was charged: what comes now is the merchant's by that entry. */
async function mustNotGiveChargeBack(tx: Tx, withdrawalId: string, [line]: StoredLine[]): Promise<void> {
  const { first } = await chargedBefore(tx, (charge) => charge.withdrawalId === withdrawalId)
  if (first === undefined) return
  throw refuse('charge_not_given_back', { withdrawal: withdrawalId, line: line?.id ?? '', entry: first })
}

/** The bank has reported the return, and the whole amount is booked. */
const isNoted = (payout: Payout) => payout.state === 'returned' && !wasNotSent(payout)

const sumOf = (lines: StoredLine[]) => lines.reduce((sum, { amount }) => sum + amount, 0n)

function bearerOf(payout: Payout, costsBy: Terms['costsBy'], { collectingAccountId }: StoredLine): AccountRef {
  const { merchantId, currency } = payout
  return costsBy === 'operator'
    ? bankAccount('bank_charges', collectingAccountId, currency)
    : merchantAccount('merchant_available', merchantId, currency)
}

/** `bearer`: null if nothing is missing. */
export function returnOf(payout: Payout, lines: StoredLine[], bearer: AccountRef | null): Plan {
  const { merchantId, currency, sourceAccountId } = payout
  const to = isNoted(payout)
    ? bankAccount('bank_cash', sourceAccountId, currency)
    : merchantAccount('merchant_available', merchantId, currency)
  const costs = { from: bearer ?? to, to, amount: payout.amount - sumOf(lines) }
  return planOf(payout, lines, [
    ...lines.map((line) => ({ from: suspenseOf(line), to, amount: line.amount })),
    ...(costs.amount > 0n && !isSame(costs.from, to) ? [costs] : []),
  ])
}

const isSame = (a: AccountRef, b: AccountRef) => JSON.stringify(a) === JSON.stringify(b)

function planOf(payout: Payout, lines: StoredLine[], transfers: Plan['entries'][number]['transfers']): Plan {
  const { merchantId, withdrawalId: subjectId } = payout
  return {
    entries: [{ kind: 'withdrawal_return', merchantId, subjectId, transfers }],
    lines: lines.map((line) => ({ line, becomes: 'return' })),
    deposits: [],
    returned: payout,
    mayOverdraw: true,
  }
}

/** Who bore the costs of the first part gets the later one. */
async function mustHaveBorne(
  tx: Tx,
  { withdrawalId }: Payout,
  [line]: StoredLine[],
  before: StoredLine[],
  costsBy: Terms['costsBy'],
): Promise<void> {
  const entries = (await Promise.all(before.map(({ id }) => entriesAbout(tx, id)))).flat()
  const first = entries.find(({ kind }) => kind === 'return_with_costs')
  const bore = first?.details.terms.costsBy
  if (bore === undefined) throw refuse('return_has_line', { line: line?.id ?? '', withdrawal: withdrawalId })
  if (bore !== costsBy) throw refuse('return_costs_of_other', { bearer: bore })
}
