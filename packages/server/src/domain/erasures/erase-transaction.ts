import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Said } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { eraseEvents } from '../webhooks/index.ts'
import { eraseDeposit, lockEndedDeposit } from '../deposits/index.ts'
import { eraseWithdrawal, lockEndedWithdrawal, findWithdrawal } from '../withdrawals/index.ts'
import type { Authority } from '../people/index.ts'
import { authorize, mustBeApproved } from '../people/index.ts'
import { eraseLinesOf } from '../statements/index.ts'
import type { Erasure } from './store.ts'
import { insertErasedRows, insertErasure } from './store.ts'

type Data = Record<string, unknown>
/** The transaction in an event, as GET shows it after erasing; passed in by the edge. */
export type ErasedViews = { erased: (data: Data) => Data }
type Deps = Authority & { db: Db; clock: Clock; retainPersonalDays: number; views: ErasedViews }
export type Subject = Pick<Erasure, 'kind' | 'merchantId'> & { id: string }
export type Wish = Pick<Erasure, 'askedFor' | 'reason' | 'despiteRetention'>
type Options = Wish & { dryRun: boolean }

/**
 * `rows`: number of changed rows (or, in a dry run, rows to change) by table. `kept`: rows that name it but stay,
 * because a person must decide about them first.
 */
export type Outcome = Subject & Done & { outcome: 'erased' | 'would be erased' | 'nothing left' }
type Done = { rows: Record<string, number>; kept: Said[] }

const SEE_ERASURES = 'see erasures'

/** Rolls back a dry run, or a run that changed nothing. */
class CountedOnly extends Error {
  readonly done: Done

  constructor(done: Done) {
    super('rolled back on purpose')
    this.name = 'CountedOnly'
    this.done = done
  }
}

/** One database transaction for all changes and their record. Repeating it changes only rows added since. */
export async function eraseTransaction(app: Deps, actor: Actor, subject: Subject, options: Options): Promise<Outcome> {
  try {
    const done = await app.db.transaction((tx) => erase(app, tx, actor, subject, options))
    return { ...subject, outcome: 'erased', ...done }
  } catch (error) {
    if (!(error instanceof CountedOnly)) throw error
    // Nothing is approved that changes nothing, and the approval's own transaction has what was rolled back.
    if (app.approval) throw refuse('erasure_nothing_left')
    const { done } = error
    return { ...subject, outcome: Object.keys(done.rows).length > 0 ? 'would be erased' : 'nothing left', ...done }
  }
}

async function erase(app: Deps, tx: Tx, actor: Actor, subject: Subject, options: Options): Promise<Done> {
  const { kind, merchantId, id } = subject
  const { dryRun, askedFor, reason } = options
  // A dry run decides nothing.
  const audit = dryRun ? null : await authorize(app, tx, actor, 'transaction.erase')
  const locked = kind === 'deposit' ? await lockDeposit(app, tx, subject) : await lockWithdrawal(tx, subject)
  const despiteRetention = isEarly(app, locked.endedAt, options)
  if (kind === 'withdrawal' && despiteRetention && !dryRun) mustBeApproved(app)
  const record = { kind, merchantId, transactionId: id, askedFor, operator: actorName(actor), reason, despiteRetention }
  const key = await insertErasure(tx, record, app.clock.now())
  const { rows: lines, kept } = await eraseLinesOf(app, tx, subject, [id, ...locked.names])
  const all = { ...(await locked.erase()), ...lines, ...(await eraseEvents(app, tx, subject, app.views.erased)) }
  const rows = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
  if (dryRun || Object.keys(rows).length === 0) throw new CountedOnly({ rows, kept })
  await insertErasedRows(tx, key, rows)
  await audit?.(`${kind}:${id}`, { after: { state: 'erased', rows }, reason: SEE_ERASURES })
  return { rows, kept }
}

/** Until when a withdrawal must be kept that two people erase earlier: it is the evidence of a payout. Null of anything else. */
export async function keptDespite(
  app: Retention,
  db: Queryable,
  { kind, merchantId, id, despiteRetention }: Subject & Wish,
): Promise<Date | null> {
  const found = kind === 'withdrawal' && despiteRetention ? await findWithdrawal(db, merchantId, id) : undefined
  return found && isEarly(app, found.updatedAt, { despiteRetention }) ? retainedUntil(app, found.updatedAt) : null
}

/** `names`: texts that identify it in a bank line. */
type Locked = { endedAt: Date; names: string[]; erase: () => Promise<Record<string, number>> }

async function lockDeposit(app: Deps, tx: Tx, { merchantId, id }: Subject): Promise<Locked> {
  const deposit = await lockEndedDeposit(app, tx, merchantId, id)
  const names = [deposit.customer.name, deposit.referenceCode]
  return { endedAt: deposit.updatedAt, names, erase: () => eraseDeposit(tx, deposit) }
}

async function lockWithdrawal(tx: Tx, { merchantId, id }: Subject): Promise<Locked> {
  const withdrawal = await lockEndedWithdrawal(tx, merchantId, id)
  const names = [withdrawal.accountName, withdrawal.name, withdrawal.iban]
  return { endedAt: withdrawal.updatedAt, names, erase: () => eraseWithdrawal(tx, withdrawal) }
}

/** Whether the retention period has not ended yet. */
function isEarly(app: Retention, endedAt: Date, { despiteRetention }: Pick<Wish, 'despiteRetention'>): boolean {
  const until = retainedUntil(app, endedAt)
  if (until <= app.clock.now()) return false
  if (despiteRetention) return true
  throw refuse('erasure_too_early', { until: istanbul(until).day, days: app.retainPersonalDays })
}

type Retention = Pick<Deps, 'clock' | 'retainPersonalDays'>

const retainedUntil = ({ retainPersonalDays }: Retention, endedAt: Date) =>
  new Date(endedAt.getTime() + retainPersonalDays * DAY_MS)
