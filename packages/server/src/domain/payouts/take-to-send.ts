import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { istanbulTime } from '../../kernel/istanbul.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { isManual } from '../connections/index.ts'
import type { Authority } from '../people/index.ts'
import { authorize, authorizedByName } from '../people/index.ts'
import { debitsThatMayBe, linesNaming } from '../statements/index.ts'
import type { PayoutCall } from '../withdrawals/index.ts'
import { callsOf, insertCall } from '../withdrawals/index.ts'
import { readPayoutBlocks } from './payout-blocks.ts'
import type { Payout } from './payout.ts'
import { DIFFERS } from './payout.ts'
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
    if (kind !== 'person' || detail === null) continue
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
    await mustBeSendable(tx, payout)
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
      throw new Refusal('INVALID_STATE', `${name} has not taken this payout.`)
    await insertCall(tx, payout, { kind: 'person', outcome: 'released', detail: name }, app.clock.now())
    await audit(`withdrawal:${withdrawalId}`, { before: { takenBy: name }, after: { takenBy: null } })
  })
}

/** By another person. */
export async function mustNotBeTaken(tx: Tx, payout: Payout, actor: Actor, now: Date): Promise<Takes> {
  const takes = takesOf(await callsOf(tx, payout.merchantId, payout.withdrawalId), now)
  if (takes.live === null || takes.live.name === actorName(actor)) return takes
  throw new Refusal(
    'INVALID_STATE',
    `${takes.live.name} is sending this payout, until ${istanbulTime(takes.live.until).slice(11, 16)} at most.`,
  )
}

export async function lockKnown(tx: Tx, withdrawalId: string): Promise<Payout> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${withdrawalId}.`)
  return (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
}

/** Who comes too late may have sent it a second time. */
export function mustBeToSend(payout: Payout): void {
  const { connection, state, bankReference } = payout
  if (isManual(connection) && state === 'unknown') return
  if (isManual(connection) && (state === 'accepted' || state === 'returned'))
    throw new Refusal(
      'INVALID_STATE',
      `The payout is completed already, with the bank's reference ${bankReference ?? '–'}. If that is not the transfer that you made, it was paid twice: ask the bank at once to take yours back.`,
    )
  if (isManual(connection) && state === 'rejected')
    throw new Refusal(
      'INVALID_STATE',
      'The payout was ended as not sent, and its money was given back. If you have sent it all the same, ask the bank at once to take the transfer back.',
    )
  throw new Refusal(
    'INVALID_STATE',
    `The payout is ${state} over ${connection}; only one to be sent by hand is recorded so.`,
  )
}

const mustNotBeSent = (why: string) => new Refusal('INVALID_STATE', `The payout must not be sent now: ${why}.`)

async function mustBeSendable(tx: Tx, payout: Payout): Promise<void> {
  const heldBy = (await readPayoutBlocks(tx))(payout.merchantId)
  if (heldBy !== null) throw mustNotBeSent(heldBy)
  if (await isUnlikeWithdrawal(tx, payout)) throw mustNotBeSent(DIFFERS)
  // Its money left the balance before; what is left must be confirmed all the same.
  const nothingMore = { ...payout, amount: 0n, fee: 0n }
  if (!(await confirmedMoney(tx, [nothingMore])).covers(nothingMore)) throw mustNotBeSent('unconfirmed')
  const [line] = [...(await linesNaming(tx, payout.withdrawalId)), ...(await debitsThatMayBe(tx, payout))]
  if (line !== undefined)
    throw new Refusal('INVALID_STATE', 'The payout must not be sent now: a line of the statement may show it.')
}
