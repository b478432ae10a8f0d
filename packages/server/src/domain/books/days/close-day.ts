import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { addDays, isDay, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { sumOf } from '../../../kernel/money.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { closedUntil, updateClosedUntil } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorizedByName, mustBeApproved } from '../../people/index.ts'
import { isUnexplained } from './difference.ts'
import type { DayProof } from './prove-day.ts'
import { proveDayIn } from './prove-day.ts'
import type { Decision, StoredDifference } from './store.ts'
import {
  closingOf,
  insertBalances,
  insertDecision,
  insertDifferences,
  insertMovements,
  lastClosing,
  readDay,
  selectMovements,
} from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }
type Reading = { db: Db; clock: Clock }

/** Until then, entries dated to the day that has just ended may still be written without the lock of past days. */
const MINUTES_AFTER_MIDNIGHT = 10

/** With the figures that people have seen; without, those of now. */
export type Close = { day: string; figures?: string }

/** Refuses a day that cannot be closed now, or not with these figures. */
export function checkClose({ db, clock }: Reading, at: Queryable, { day, figures }: Close): Promise<DayProof> {
  return readDay(db, at, async (one) => {
    await mustBeNextToClose(clock, one, day)
    const proof = await proveDayIn(one, day)
    if (figures === undefined || figures === proof.hash) return proof
    throw refuse('day_figures_not_seen', { day, figures: proof.hash, seen: figures })
  })
}

/** Two people have agreed to its figures: entries about it are then dated to the next open day. */
export async function closeDay(app: Deps, actor: Actor, close: Required<Close>, why: string | null): Promise<DayProof> {
  return authorizedByName(app, actor, 'day.close', async (tx, audit) => {
    mustBeApproved(app, { always: true })
    const proof = await checkClose(app, tx, close)
    const { day, hash, figures } = proof
    mustBeExplained(proof, why)
    const decision = { ...decisionOf(app, actor), day, action: 'close' as const, reason: why?.trim() || null }
    await insertDecision(tx, { ...decision, figuresHash: hash, figures, takesBack: null })
    await insertBalances(tx, decision.id, proof.balances)
    await insertDifferences(tx, decision.id, carried(proof))
    await insertMovements(tx, decision.id, await selectMovements(tx, { after: addDays(day, -1), until: day }, null))
    await updateClosedUntil(tx, day)
    await audit(`day:${day}`, { before: { state: 'open' }, after: { state: 'closed', figures: hash }, reason: why })
    return { ...proof, closed: true }
  })
}

/** Who proposed it, and who agrees. */
const decisionOf = ({ ids, clock, approval }: Deps, actor: Actor) => ({
  id: ids.next(),
  proposedBy: approval?.proposedBy ?? '',
  operator: actorName(actor),
  decidedAt: clock.now(),
})

/** When a day may be closed. */
export function closableFrom(day: string): Date {
  return new Date(startOfDay(addDays(day, 1)).getTime() + MINUTES_AFTER_MIDNIGHT * 60_000)
}

async function mustBeNextToClose(clock: Clock, db: Queryable, day: string): Promise<void> {
  if (!isDay(day)) throw refuseField('day', 'day_malformed')
  const until = await closedUntil(db)
  if (until !== null && day <= until) throw refuse('day_closed', { day, until })
  if (until !== null && day !== addDays(until, 1)) throw refuse('day_not_next', { next: addDays(until, 1) })
  const from = closableFrom(day)
  if (clock.now() < from)
    throw refuse('day_not_over', { day, from: istanbul(from).day, time: `00:${MINUTES_AFTER_MIDNIGHT}` })
}

/** What is not explained is accepted only with a reason. */
export function mustBeExplained({ day, accounts }: DayProof, why: string | null): void {
  if (why?.trim()) return mustGiveReason('why', why)
  const open = accounts.filter(({ unexplained }) => unexplained !== 0n)
  const unproven = accounts.filter(({ proven }) => !proven)
  if (open.length === 0 && unproven.length > 0)
    throw refuse('day_not_proven', { day, ibans: unproven.map(({ iban }) => iban) })
  if (open.length === 0) return
  throw refuse('day_not_explained', { day, ibans: open.map(({ iban }) => iban) })
}

/** What is open at the end of the day, for the days after it. What was not explained is accepted from now on. */
function carried({ accounts }: DayProof): StoredDifference[] {
  const all = accounts.flatMap(({ collectingAccountId, differences }) =>
    differences.map(({ subject, merchantId, kind, amount }) => ({
      collectingAccountId,
      subject,
      merchantId,
      kind: isUnexplained({ kind }) ? 'accepted' : kind,
      amount,
    })),
  )
  // An accepted rest of an earlier day and one of this day are one row.
  const byKey = Map.groupBy(all, ({ collectingAccountId, subject }) => `${collectingAccountId} ${subject}`)
  return [...byKey.values()].map((rows) => ({
    ...(rows[0] as StoredDifference),
    amount: sumOf(rows),
  }))
}

/** The close that is taken back. Refuses any day but the last closed one. */
export function checkReopen({ db }: Pick<Reading, 'db'>, at: Queryable, day: string): Promise<Decision> {
  return readDay(db, at, async (one) => {
    const last = await lastClosing(one, null)
    const closing = last?.day === day ? await closingOf(one, day) : null
    if (!closing) throw refuse('day_not_last_closed', { last: last?.day ?? null })
    return closing
  })
}

/** Two people open the last closed day again. */
export async function reopenDay(app: Deps, actor: Actor, day: string, why: string): Promise<void> {
  mustGiveReason('why', why)
  await authorizedByName(app, actor, 'day.reopen', async (tx, audit) => {
    mustBeApproved(app, { always: true })
    const { id: takesBack, figuresHash, figures } = await checkReopen(app, tx, day)
    const decision = { ...decisionOf(app, actor), day, action: 'reopen' as const, reason: why.trim() }
    await insertDecision(tx, { ...decision, figuresHash, figures, takesBack })
    await updateClosedUntil(tx, (await lastClosing(tx, null))?.day ?? null)
    await audit(`day:${day}`, { before: { state: 'closed' }, after: { state: 'open' }, reason: why })
  })
}
