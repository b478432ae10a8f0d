import type { Clock } from '../../../platform/time/clock.ts'
import { unixSeconds } from '../../../platform/time/clock.ts'
import { batcher } from '../../../platform/concurrency/batcher.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { openGate } from '../../../platform/concurrency/gate.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Outbound } from '../../../platform/http-client/outbound.ts'
import { CONNECTIONS_PER_ADDRESS } from '../../../platform/http-client/outbound.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { cached } from '../../../platform/concurrency/cached.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { signWebhook } from '../../../platform/crypto/webhook-signature.ts'
import { findEndpoints, openSecrets } from '../../merchants/index.ts'
import { LEASE_MS } from '../lanes/lane.ts'
import { selectBodies } from '../store.ts'
import type { Claimed, Memory } from './claim-deliveries.ts'
import type { CameBack } from './record-answers.ts'
import { takeTurn } from './take-turn.ts'

type Deps = {
  db: Db
  clock: Clock
  realClock: Clock
  random: Random
  vault: Vault
  log: Log
  metrics: Metrics
  outbound: Outbound
}

export type Courier = {
  /** Claims what is due and starts sending it, without waiting for answers. `more` can be claimed at once. */
  deliver: () => Promise<{ claimed: number; more: boolean }>
  /** Claims no more, and waits for what is on its way, which is all that was claimed. */
  stop: () => Promise<void>
}

/** No call is started that could outlive its claim: after this another process may make it. */
const START_WITHIN_MS = LEASE_MS / 2
/** As many as the busiest endpoint may have under way: all of them are written down at once, and all its places are free. */
const ANSWERS_AT_ONCE = 1000
/** A megabyte or two: reading more in one piece would hold up everything else for as long. */
const BODIES_AT_ONCE = 500

/**
 * Carries events to endpoints: claim, call, record, and no transaction is open during a call. What is claimed leaves as soon as there
 * is a connection: every endpoint has its own, so one that hangs keeps nobody else waiting. `onMore` is told when more can be claimed.
 */
export function openCourier(app: Deps, onMore: () => void): Courier {
  const send = openDoor(app)
  const memory: Memory = new Map()
  const { keep, finish } = underWay()
  let stopping = false
  const turn = oneAtATime(async (answers: CameBack[]) => {
    const startedAt = performance.now()
    const { claimed, recorded, more } = await takeTurn(app, answers, stopping ? null : memory)
    if (claimed.length > 0) keep(carryAll(claimed, startedAt))
    return { claimed: claimed.length, recorded, more }
  })
  const record = batcher(
    async (answers: CameBack[]) => {
      const { recorded, more } = await turn(answers)
      if (more) onMore()
      return recorded
    },
    { maxBatchSize: ANSWERS_AT_ONCE },
  )

  async function carryAll(claimed: Claimed[], claimedAt: number): Promise<void> {
    try {
      for (let from = 0; from < claimed.length; from += BODIES_AT_ONCE) {
        const calls = claimed.slice(from, from + BODIES_AT_ONCE)
        const bodies = await app.db.oneStatement((tx) => selectBodies(tx, calls))
        for (const [index, call] of calls.entries()) keep(carry(call, bodies[index], claimedAt))
      }
    } catch (error) {
      app.log.warn({ err: error, calls: claimed.length }, 'callbacks were claimed and not sent; they are sent later')
    }
  }

  async function carry(call: Claimed, body: Buffer | undefined, claimedAt: number): Promise<void> {
    const isTooLate = (waited: boolean) => (waited && stopping) || performance.now() - claimedAt > START_WITHIN_MS
    try {
      if (!body) throw new Error('A claimed event has no body.')
      await record(await send(call, body, isTooLate))
    } catch (error) {
      app.log.warn({ err: error, eventId: call.eventId }, 'a callback was not recorded; it is sent again')
    }
  }

  return {
    deliver: () => turn([]),
    async stop() {
      stopping = true
      await finish()
    },
  }
}

const NO_SECRETS = { secrets: [], unopened: null }

/** Makes a call when there is a connection for it, unless it is too late then, or its endpoint was switched off meanwhile. */
function openDoor(app: Deps) {
  // Who waits for a connection has not left: its time does not run, and it can be called back.
  const gate = openGate(CONNECTIONS_PER_ADDRESS)
  // A second old at most: a new secret signs, and a switch works, while people still look at the screen. By endpoint: what was
  // remembered of a merchant's others knows nothing of one that was added since.
  const secretsOf = cached(async (key: string) => {
    const [merchantId = '', endpointId = ''] = key.split('/')
    const { secrets, unopened } = (await openSecrets(app, merchantId)).get(endpointId) ?? NO_SECRETS
    if (unopened) app.log.error({ err: unopened, merchantId, endpointId }, 'a callback secret does not open; rotate it')
    return secrets
  })
  const isEnabled = cached(async (key: string) => {
    const [merchantId = '', endpointId = ''] = key.split('/')
    const endpoints = await findEndpoints(app.db, [merchantId])
    return endpoints.some(({ id, state }) => id === endpointId && state === 'enabled')
  })
  return (claim: Claimed, body: Buffer, isTooLate: (waited: boolean) => boolean): Promise<CameBack> =>
    gate(claim.endpoint.url ?? '', async (waited) => {
      const key = `${claim.merchantId}/${claim.endpointId}`
      if (isTooLate(waited) || (waited && !(await isEnabled(key)))) return { claim, answer: null, at: app.clock.now() }
      const secrets = await secretsOf(key)
      if (secrets.length === 0)
        throw new Error(`Endpoint ${claim.endpointId} has no secret to sign with. Run: vezne endpoint rotate-secret`)
      const at = app.clock.now()
      const headers = headersFor(claim.eventId, body, secrets, app.realClock)
      const answer = await app.outbound.post(claim.endpoint.url ?? '', headers, body)
      app.metrics.callbacks.inc({ outcome: answer.outcome })
      return { claim, answer, at }
    })
}

/** The same id and the same bytes at every try; the time is this call's, so that a receiver can refuse old ones. */
function headersFor(eventId: string, body: Buffer, secrets: string[], realClock: Clock): Record<string, string> {
  const timestamp = String(unixSeconds(realClock))
  return {
    'content-type': 'application/json',
    'user-agent': 'Vezne-Callbacks/1',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signWebhook(secrets, { id: eventId, timestamp, body }),
  }
}

/** Work that nobody waits for until the end. */
function underWay() {
  const all = new Set<Promise<void>>()
  const keep = (work: Promise<void>): void => {
    const leave = () => void all.delete(work)
    all.add(work)
    void work.then(leave, leave)
  }
  const finish = async (): Promise<void> => {
    while (all.size > 0) await Promise.all(all)
  }
  return { keep, finish }
}

/** In the order they came. Two turns at once would pass over each other's lanes, or wait for them. */
function oneAtATime<In, Out>(work: (item: In) => Promise<Out>): (item: In) => Promise<Out> {
  let last: Promise<unknown> = Promise.resolve()
  return (item) => {
    const turn = last.then(
      () => work(item),
      () => work(item),
    )
    last = turn
    return turn
  }
}
