import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { istanbulTime } from '../../../kernel/istanbul.ts'
import type { PayoutHold } from '../../../kernel/refusals/payouts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { isManual } from '../../connections/index.ts'
import { lastCheck } from '../../ledger/index.ts'
import { findFrozenMerchants } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorize, authorizedByName } from '../../people/index.ts'
import { debitsThatMayBe, linesNaming } from '../../statements/index.ts'
import type { PayoutCall } from '../bank-calls/store.ts'
import { callsOf, insertCall } from '../bank-calls/store.ts'
import { findOpenRestore } from '../restores/store.ts'
import type { HeldBy } from '../withdrawal.ts'
import type { Payout } from './payout.ts'
import { DIFFERS } from './payout.ts'
import { forgedOf } from './payout-mark.ts'
import { confirmedMoney } from './confirmed-money.ts'
import type { SendingDeps } from './sending/hand-over.ts'
import { handOver } from './sending/hand-over.ts'
import { findPayout, isUnlikeWithdrawal, lockPayout } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock }
type Call = PayoutCall & { calledAt: Date }

/** Long enough to type a transfer and confirm it; who goes home holds it up no longer. */
const TAKE_MINUTES = 15

type Take = { name: string; at: Date }

/** `live`: who sends it now. `left`: who has opened the data before, and recorded nothing: they may have sent it. */
export type Takes = { live: (Take & { until: Date }) | null; left: Take[] }

/** Who takes a payout sees what must be typed. Releasing it says that it was not sent. */
export function takesOf(calls: readonly Call[], now: Date): Takes {
  const open = new Map<string, Date>()
  let last: string | null = null
  for (const { kind, outcome, detail, calledAt } of calls) {
    if (kind !== 'person' || typeof detail !== 'string') continue
    if (outcome === 'released') open.delete(detail)
    if (outcome !== 'taken') continue
    open.set(detail, calledAt)
    last = detail
  }
  const at = open.get(last ?? '')
  const until = at && new Date(at.getTime() + TAKE_MINUTES * 60_000)
  const live = last !== null && at && until && until > now ? { name: last, at, until } : null
  const left = [...open].map(([name, openedAt]) => ({ name, at: openedAt })).filter(({ name }) => name !== live?.name)
  return { live, left }
}

/**
 * One person at a time sends a payout by hand. The row of the payout is locked: of two at once, one is told who has it. Who takes it sees what to type,
 * so that it is handed over like any other.
 */
export async function takeToSend(app: SendingDeps, actor: Actor, withdrawalId: string): Promise<Payout> {
  const [taken] = await handOver(app, async (tx) => {
    const audit = await authorize(app, tx, actor, 'payout.sent', { named: true })
    const payout = await lockKnown(tx, withdrawalId)
    mustBeToSend(payout)
    await mustBeSendable(app, tx, payout)
    const now = app.clock.now()
    const name = actorName(actor)
    const { left } = await mustNotBeTaken(tx, payout, actor, now)
    await insertCall(tx, payout, { kind: 'person', outcome: 'taken', detail: name }, now)
    await audit(`withdrawal:${withdrawalId}`, { after: { takenBy: name, opened: left.map((one) => one.name) } })
    return [payout]
  })
  if (!taken) throw mustNotBeSent('restored')
  return taken
}

/** Who took it has not sent it, and another may. */
export async function releaseTake(app: Deps, actor: Actor, withdrawalId: string): Promise<void> {
  await authorizedByName(app, actor, 'payout.sent', async (tx, audit) => {
    const payout = await lockKnown(tx, withdrawalId)
    const name = actorName(actor)
    const { live, left } = takesOf(await callsOf(tx, payout.merchantId, withdrawalId), app.clock.now())
    if (live?.name !== name && !left.some((one) => one.name === name))
      throw refuse('payout_not_taken', { person: name })
    await insertCall(tx, payout, { kind: 'person', outcome: 'released', detail: name }, app.clock.now())
    await audit(`withdrawal:${withdrawalId}`, { before: { takenBy: name }, after: { takenBy: null } })
  })
}

/** By another person. */
export async function mustNotBeTaken(tx: Tx, payout: Payout, actor: Actor, now: Date): Promise<Takes> {
  const takes = takesOf(await callsOf(tx, payout.merchantId, payout.withdrawalId), now)
  if (takes.live === null || takes.live.name === actorName(actor)) return takes
  throw refuse('payout_taken', { person: takes.live.name, until: istanbulTime(takes.live.until).slice(11, 16) })
}

export async function lockKnown(tx: Tx, withdrawalId: string): Promise<Payout> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw refuse('payout_unknown', { withdrawal: withdrawalId })
  return (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
}

/** Who comes too late may have sent it a second time. */
export function mustBeToSend(payout: Payout): void {
  const { connection, state, bankReference } = payout
  if (isManual(connection) && state === 'asking') return
  if (isManual(connection) && (state === 'sent' || state === 'returned'))
    throw refuse('payout_by_hand_completed', { bankReference })
  if (isManual(connection) && state === 'failed') throw refuse('payout_by_hand_unsent')
  throw refuse('payout_not_by_hand', { state, connection })
}

const mustNotBeSent = (by: PayoutHold) => refuse('payout_held', { by })

async function mustBeSendable(app: Pick<Authority, 'marks'>, tx: Tx, payout: Payout): Promise<void> {
  const heldBy = (await readPayoutBlocks(tx))(payout.merchantId)
  if (heldBy !== null) throw mustNotBeSent(heldBy)
  const isForged = (await forgedOf(app, [payout])).size > 0
  if (isForged || (await isUnlikeWithdrawal(tx, payout))) throw mustNotBeSent(DIFFERS)
  // Its money left the balance before; what is left must be confirmed all the same.
  const nothingMore = { ...payout, amount: 0n, fee: 0n }
  if (!(await confirmedMoney(tx, [nothingMore])).covers(nothingMore)) throw mustNotBeSent('unconfirmed')
  const [line] = [...(await linesNaming(tx, payout.withdrawalId)), ...(await debitsThatMayBe(tx, payout))]
  if (line !== undefined) throw mustNotBeSent('on_statement')
}

/** What currently prevents a merchant's payouts from being sent. */
export async function readPayoutBlocks(db: Queryable): Promise<(merchantId: string) => HeldBy> {
  const [restore, ledger, frozen] = await Promise.all([findOpenRestore(db), lastCheck(db), findFrozenMerchants(db)])
  const ofAll = restore ? 'restored' : ledger && ledger.drifted > 0 ? 'ledger_drifted' : null
  return (merchantId) => ofAll ?? (frozen.has(merchantId) ? 'merchant_frozen' : null)
}
