import type { Actor } from '../../../kernel/actor.ts'
import { foldText, sameName } from '../../../kernel/fold.ts'
import { sumOf } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { openAndPost } from '../../ledger/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import { matchLimit, merchantsInForce } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized, mustBeApproved } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import {
  decideLines,
  findLine,
  linesOfDeposit,
  lockHeldLines,
  lockLine,
  mustBeGenuine,
} from '../../statements/index.ts'
import type { Changes, Deposit, DepositViews } from '../../deposits/index.ts'
import { changeDeposits, flagsFor, NEXT, lockDeposits, findDepositById } from '../../deposits/index.ts'
import { recordDecision } from '../decisions/record-decision.ts'
import { completion, depositSettlement, fromSuspense } from '../deposits/deposit-settlement.ts'
import { withinTolerance } from '../deposits/score-match.ts'
import { subjectsNamedBy } from './named-subjects.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: DepositViews }

/**
 * A person matches this money to a deposit. Everything held for the deposit is credited with it,
 * whatever the amounts. The deposit is locked before the line, as in the matcher. `why`: needed for a third party's money.
 * `received`: needed if that is not the amount that the deposit asks for.
 */
export async function matchByHand(
  app: Deps,
  actor: Actor,
  lineId: string,
  depositId: string,
  why: string | null = null,
  received: bigint | null = null,
): Promise<Deposit> {
  return authorized(app, actor, 'line.match', async (tx, audit) => {
    const known = await findDepositById(tx, depositId)
    if (!known) throw refuse('deposit_unknown', { deposit: depositId })
    await mustBeDecided(tx, lineId)
    const [deposit] = await lockDeposits(tx, [known.merchantId], [known.id])
    if (!deposit || !NEXT[deposit.status].includes('completed')) {
      const { status } = deposit ?? known
      throw refuse('deposit_takes_no_money', { deposit: depositId, status })
    }
    const line = await lockOpenLine(tx, lineId)
    if (line.currency !== deposit.currency) {
      const { currency: asked } = deposit
      throw refuse('line_currency_differs', { line: lineId, currency: line.currency, deposit: depositId, asked })
    }
    if (line.depositId !== null && line.depositId !== deposit.id) {
      throw refuse('line_held', { line: line.id, deposit: line.depositId })
    }
    const others = await lockOthers(tx, deposit, line)
    mustNameReceived(deposit, sumOf([line, ...others]), received)
    const isOfThird = isOfThirdParty(deposit, [line, ...others])
    if (isOfThird) mustExplainSender(why ?? '')
    const completed = await complete(app, tx, deposit, [line, ...others], { actor, why })
    await audit(`line:${lineId}`, {
      before: { state: line.state },
      after: { state: 'matched', depositId, ...(isOfThird && { thirdParty: true }) },
      ...(why !== null && { reason: 'see match_decisions' }),
    })
    return completed
  })
}

/** Held for the deposit already. */
async function lockOthers(tx: Tx, { merchantId, id }: Deposit, line: StoredLine): Promise<StoredLine[]> {
  return (await lockHeldLines(tx, [merchantId], [id])).filter((one) => one.id !== line.id)
}

export function mustExplainSender(why: string): void {
  mustGiveReason('why', why, 'sender_not_customer')
}

/** More or less than was asked for is taken only by who names it. */
export function mustNameReceived({ id, amount, currency }: Deposit, received: bigint, named: bigint | null): void {
  if (named === received || (named === null && received === amount)) return
  const amounts = { asked: money(amount, currency), received: money(received, currency) }
  throw refuse('line_amount_differs', { deposit: id, ...amounts, kurus: String(received) })
}

/** A bank that names no sender says nothing about it. */
function isOfThirdParty({ customer }: Deposit, lines: StoredLine[]): boolean {
  return lines.some(
    ({ senderName }) =>
      foldText(senderName) !== '' && foldText(customer.name) !== '' && !sameName(senderName, customer.name),
  )
}

type Said = { actor: Actor; why: string | null }

/** `lines`: the one that a person chose, and those held for the deposit. */
async function complete(
  app: Deps,
  tx: Tx,
  deposit: Deposit,
  lines: [StoredLine, ...StoredLine[]],
  { actor, why }: Said,
): Promise<Deposit> {
  const [line, ...others] = lines
  const merchant = (await merchantsInForce({ db: tx, marks: app.marks }, [deposit.merchantId])).get(deposit.merchantId)
  if (!merchant) throw new Error(`Deposit ${deposit.id} has no merchant.`)
  await mustBeGenuine(app, tx, lines)
  const receivedAmount = sumOf(lines)
  if (await creditTakesTwo(app, tx, merchant, { deposit, received: receivedAmount }, lines))
    mustBeApproved(app, { always: true })
  const changes = completion(deposit, merchant, receivedAmount, line.bookedAt)
  const [completed] = await changeDeposits(app, tx, [{ deposit, changes }])
  const matched = lines.map(({ id, state }) => {
    return { id, from: state, state: 'matched' as const, reason: 'by_hand' as const, deposit }
  })
  await decideLines(tx, matched, app.clock.now())
  const reasons = why === null ? [] : [{ field: 'why', verdict: why.trim() }]
  for (const one of lines)
    await recordDecision(app, tx, one.id, { verdict: 'complete', why: 'by_hand', by: actor, deposit, reasons })
  const cause = { actor }
  await openAndPost(app, tx, [depositSettlement(completed as Deposit, [...others, line].map(fromSuspense), cause)])
  return completed as Deposit
}

/** What a deposit would get of these lines; `all`: every deposit that gets a part of them. */
type Credit = { deposit: Deposit; received: bigint; all?: Deposit[] }

/**
 * The lines name something else, the merchant does not accept so little, one of several gets another amount than it asked for, or the lines do not name the deposits and are over the limit.
 * What names exactly these says itself what it is for.
 */
export async function creditTakesTwo(
  app: Pick<Authority, 'sandbox'>,
  db: Queryable,
  { matching }: Pick<Merchant, 'matching'>,
  { deposit, received, all = [deposit] }: Credit,
  lines: StoredLine[],
): Promise<boolean> {
  const limit = matchLimit(matching, app)
  if (limit === null) return false
  const missing = deposit.amount - received
  const mayLack = matching.amount === 'accept_received' || withinTolerance(-missing, matching)
  if (all.length > 1 ? missing !== 0n : missing > 0n && !mayLack) return true
  const ids = all.map(({ id }) => id)
  const named = await Promise.all(lines.map((line) => subjectsNamedBy(db, line)))
  if (named.some((its) => [...its].some((id) => !ids.includes(id)))) return true
  return !named.every((its) => ids.every((id) => its.has(id))) && sumOf(lines) >= limit
}

/** What a match would credit, whether it takes two people, and whether it takes a reason. */
export async function amountOfMatch(
  { db, sandbox, marks }: Pick<Authority, 'sandbox' | 'marks'> & { db: Queryable },
  lineId: string,
  depositId: string,
) {
  const [line, deposit] = [await findLine(db, lineId), await findDepositById(db, depositId)]
  if (!line) throw refuse('line_unknown', { line: lineId })
  if (!deposit) throw refuse('deposit_unknown', { deposit: depositId })
  const others = (await linesOfDeposit(db, deposit.merchantId, deposit.id)).filter(
    ({ id, state }) => id !== line.id && state === 'suspense',
  )
  const lines = [line, ...others]
  const merchant = (await merchantsInForce({ db, marks }, [deposit.merchantId])).get(deposit.merchantId)
  const thirdParty = isOfThirdParty(deposit, lines)
  const byTwo =
    merchant !== undefined &&
    (await creditTakesTwo({ sandbox }, db, merchant, { deposit, received: sumOf(lines) }, lines))
  return { line, deposit, amount: sumOf(lines), thirdParty, takesTwo: byTwo }
}

/**
 * A person decides that this money is not, or not yet, for any deposit. A deposit that was in review
 * only because of it fails; the money stays in suspense.
 */
export async function suspendByHand(app: Deps, actor: Actor, lineId: string): Promise<StoredLine> {
  return authorized(app, actor, 'line.suspend', async (tx, audit) => {
    await mustBeDecided(tx, lineId)
    const { line, deposit } = await lockLineAfterDeposit(app, tx, lineId)
    if (deposit) {
      const others = (await lockHeldLines(tx, [deposit.merchantId], [deposit.id])).filter(({ id }) => id !== line.id)
      await changeDeposits(app, tx, [{ deposit, changes: withoutLine(deposit, others) }])
    }
    const free = { state: 'suspense' as const, reason: 'by_hand' as const }
    await decideLines(tx, [{ id: line.id, from: line.state, ...free, deposit: null }], app.clock.now())
    await recordDecision(app, tx, line.id, { verdict: 'suspense', why: 'by_hand', by: actor })
    await audit(`line:${lineId}`, { before: { depositId: line.depositId }, after: { depositId: null } })
    return { ...line, ...free, merchantId: null, depositId: null }
  })
}

/** What becomes of a deposit when one of its lines is freed. `others`: those that it keeps. */
export function withoutLine(deposit: Deposit, others: StoredLine[]): Changes {
  const receivedAmount = sumOf(others)
  return deposit.status === 'processing' && others.length === 0
    ? { status: 'failed', receivedAmount, flags: flagsFor(deposit, 0n), reason: 'payment_rejected' }
    : { receivedAmount, flags: flagsFor(deposit, receivedAmount), reason: reasonFor(deposit, receivedAmount) }
}

/** Derived from the remaining money; a reason that is not about amounts stays. */
function reasonFor({ amount, reason }: Deposit, receivedAmount: bigint): Deposit['reason'] {
  if (reason !== 'short' && reason !== 'over') return reason
  return receivedAmount < amount ? 'short' : 'over'
}

async function lockLineAfterDeposit(
  app: Deps,
  tx: Tx,
  lineId: string,
): Promise<{ line: StoredLine; deposit: Deposit | undefined }> {
  const seen = await findLine(app.db, lineId)
  const [deposit] =
    seen?.merchantId && seen.depositId ? await lockDeposits(tx, [seen.merchantId], [seen.depositId]) : []
  const line = await lockOpenLine(tx, lineId)
  if (line.depositId !== (deposit?.id ?? null)) throw refuse('line_changed', { line: lineId })
  return { line, deposit }
}

/** A new line belongs to the matcher, which locks lines before deposits; locking one here could deadlock. */
async function mustBeDecided(tx: Tx, lineId: string): Promise<void> {
  const line = await findLine(tx, lineId)
  if (!line) throw refuse('line_unknown', { line: lineId })
  if (line.state === 'new') throw refuse('line_not_judged', { line: lineId })
}

async function lockOpenLine(tx: Tx, id: string): Promise<StoredLine> {
  const line = await lockLine(tx, id)
  if (!line) throw refuse('line_unknown', { line: id })
  const { state, reason, correctsLineId: first } = line
  if (first !== null && (state === 'needs_review' || state === 'dismissed'))
    throw refuse('line_may_repeat', { line: id, first, state })
  if (state !== 'suspense') throw refuse('line_not_in_state', { line: id, state, reason, needed: ['suspense'] })
  if (line.direction !== 'credit') throw refuse('line_not_credit', { line: id })
  return line
}
