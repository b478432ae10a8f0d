import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { eraseEvents } from '../webhooks/index.ts'
import { eraseDeposit, lockEndedDeposit } from '../deposits/index.ts'
import { eraseWithdrawal, lockEndedWithdrawal } from '../payouts/index.ts'
import type { Authority, Word } from '../people/index.ts'
import { authorize, lockEntitled, markWord, ofPeople } from '../people/index.ts'
import { eraseLinesOf } from '../statements/index.ts'
import type { Erasure, ErasureRequest } from './store.ts'
import { insertErasedRows, insertErasure, insertRequest, othersAsking } from './store.ts'

type Data = Record<string, unknown>
/** The transaction in an event, as GET shows it after erasing; passed in by the edge. */
export type ErasedViews = { erased: (data: Data) => Data }
type Deps = Authority & { db: Db; clock: Clock; retainPersonalDays: number; views: ErasedViews }
export type Subject = Pick<Erasure, 'kind' | 'merchantId'> & { id: string }
export type EraseOptions = Pick<Erasure, 'askedFor' | 'reason' | 'despiteRetention'> & { dryRun: boolean }

/**
 * `rows`: number of changed rows (or, in a dry run, rows to change) by table. `kept`: rows that name it but stay,
 * because a person must decide about them first.
 */
export type Outcome = Subject &
  (
    | { outcome: 'erased' | 'would be erased' | 'nothing left'; rows: Record<string, number>; kept: string[] }
    | { outcome: 'refused'; refused: Refusal }
  )

const DAY_MS = 86_400_000
const SEE_ERASURES = 'see erasures'
type Done = { rows: Record<string, number>; kept: string[] }

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
export async function eraseTransaction(
  app: Deps,
  actor: Actor,
  subject: Subject,
  options: EraseOptions,
): Promise<Outcome> {
  try {
    const done = await app.db.transaction((tx) => erase(app, tx, actor, subject, options))
    if (done) return { ...subject, outcome: 'erased', ...done }
    return { ...subject, outcome: 'refused', refused: refuse('erasure_not_confirmed') }
  } catch (error) {
    // Any other refusal, such as an unreachable database, is not about this transaction.
    if (error instanceof Refusal && error.code === 'INVALID_STATE')
      return { ...subject, outcome: 'refused', refused: error }
    if (!(error instanceof CountedOnly)) throw error
    const { done } = error
    return { ...subject, outcome: Object.keys(done.rows).length > 0 ? 'would be erased' : 'nothing left', ...done }
  }
}

async function erase(app: Deps, tx: Tx, actor: Actor, subject: Subject, options: EraseOptions): Promise<Done | null> {
  const { kind, merchantId, id } = subject
  const { dryRun, askedFor, reason } = options
  // A dry run decides nothing.
  const audit = dryRun ? null : await authorize(app, tx, actor, 'transaction.erase')
  const locked = kind === 'deposit' ? await lockDeposit(app, tx, subject) : await lockWithdrawal(tx, subject)
  const despiteRetention = isEarly(app, locked.endedAt, options)
  const record = { kind, merchantId, transactionId: id, askedFor, operator: actorName(actor), reason, despiteRetention }
  if (kind === 'withdrawal' && despiteRetention && !dryRun && !(await isSecond(app, tx, record))) {
    await audit?.(`${kind}:${id}`, { after: { state: 'asked' }, reason: SEE_ERASURES })
    return null
  }
  const key = await insertErasure(tx, record, app.clock.now())
  const { rows: lines, kept } = await eraseLinesOf(tx, subject, [id, ...locked.names])
  const all = { ...(await locked.erase()), ...lines, ...(await eraseEvents(app, tx, subject, app.views.erased)) }
  const rows = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0))
  if (dryRun || Object.keys(rows).length === 0) throw new CountedOnly({ rows, kept })
  await insertErasedRows(tx, key, rows)
  await audit?.(`${kind}:${id}`, { after: { state: 'erased', rows }, reason: SEE_ERASURES })
  return { rows, kept }
}

/** In live, whether another person, who may still decide, asked for it within a day. Records the request if not. */
async function isSecond(app: Deps, tx: Tx, record: Erasure): Promise<boolean> {
  if (app.sandbox) return true
  const since = new Date(app.clock.now().getTime() - DAY_MS)
  const others = await ofPeople(app, tx, await othersAsking(tx, record, since), wordOf)
  const names = others.map(({ operator }) => operator)
  if ((await lockEntitled(app, tx, names, 'transaction.erase')).size > 0) return true
  await markWord(app, tx, wordOf(await insertRequest(tx, record, app.clock.now())))
  return false
}

function wordOf({ merchantId, transactionId, number, operator, requestedAt }: ErasureRequest): Word {
  return { row: ['erasure_requests', merchantId, transactionId, String(number)], person: operator, says: requestedAt }
}

/** `names`: texts that identify it in a bank line. */
type Locked = { endedAt: Date; names: string[]; erase: () => Promise<Record<string, number>> }

async function lockDeposit(app: Deps, tx: Tx, { merchantId, id }: Subject): Promise<Locked> {
  const deposit = await lockEndedDeposit(app, tx, merchantId, id)
  const names = [deposit.customer.name, deposit.referenceCode ?? '']
  return { endedAt: deposit.updatedAt, names, erase: () => eraseDeposit(tx, deposit) }
}

async function lockWithdrawal(tx: Tx, { merchantId, id }: Subject): Promise<Locked> {
  const withdrawal = await lockEndedWithdrawal(tx, merchantId, id)
  const names = [withdrawal.accountName, withdrawal.name, withdrawal.iban]
  return { endedAt: withdrawal.updatedAt, names, erase: () => eraseWithdrawal(tx, withdrawal) }
}

/** Whether the retention period has not ended yet. */
function isEarly({ clock, retainPersonalDays }: Deps, endedAt: Date, { despiteRetention }: EraseOptions): boolean {
  const until = new Date(endedAt.getTime() + retainPersonalDays * DAY_MS)
  if (until <= clock.now()) return false
  if (despiteRetention) return true
  throw refuse('erasure_too_early', { until: istanbul(until).day, days: retainPersonalDays })
}
