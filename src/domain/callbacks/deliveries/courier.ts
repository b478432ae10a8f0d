import type { Clock } from '../../../platform/clock.ts'
import { unixSeconds } from '../../../platform/clock.ts'
import { coalesce } from '../../../platform/coalesce.ts'
import type { Db } from '../../../platform/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Outbound } from '../../../platform/outbound.ts'
import type { Random } from '../../../platform/random.ts'
import { remember } from '../../../platform/remember.ts'
import type { Vault } from '../../../platform/vault.ts'
import { signWebhook } from '../../../platform/webhook-signature.ts'
import { openSecrets } from '../../merchants/index.ts'
import type { Call } from './claim-deliveries.ts'
import { claimDeliveries, LEASE_MS } from './claim-deliveries.ts'
import type { Answered } from './record-answers.ts'
import { recordAnswers } from './record-answers.ts'

type Needs = {
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
  /** Claims what is due and starts sending it. Answers how many were claimed; it does not wait for them. */
  deliver: () => Promise<number>
  /** Waits for what is on its way, which is all that was claimed. */
  stop: () => Promise<void>
}

/** No call is started that could outlive its claim: after this another process may make it. */
const START_WITHIN_MS = LEASE_MS / 2

/**
 * Carries events to endpoints: claim, call, record, and no transaction is open during a call. What is claimed leaves at once:
 * every endpoint has places of its own, so one that hangs keeps nobody else waiting. `onFree` is told when places have come free.
 */
export function openCourier(app: Needs, onFree: () => void): Courier {
  // A second old at most: a new secret signs while people still look at the screen.
  const secretsOf = remember((merchantId: string) => openSecrets(app, merchantId))
  const underWay = new Set<Promise<void>>()
  const record = coalesce(async (list: Answered[]) => {
    const outcomes = await recordAnswers(app, list)
    onFree()
    return outcomes
  })

  async function carry(call: Call): Promise<void> {
    if (performance.now() - call.claimedAt > START_WITHIN_MS) return
    try {
      const at = app.clock.now()
      const secrets = (await secretsOf(call.merchantId)).get(call.endpointId) ?? []
      const headers = headersFor(call, secrets, app.realClock)
      const answer = await app.outbound.post(call.endpoint.url ?? '', headers, call.body)
      app.metrics.callbacks.inc({ outcome: answer.outcome })
      await record({ claim: call, answer, at })
    } catch (error) {
      app.log.warn({ err: error, eventId: call.eventId }, 'a callback was not recorded; it is sent again')
    }
  }

  return {
    async deliver() {
      const calls = await claimDeliveries(app)
      for (const call of calls) {
        const carried = carry(call).finally(() => underWay.delete(carried))
        underWay.add(carried)
      }
      return calls.length
    },
    stop: async () => void (await Promise.all(underWay)),
  }
}

/** The same id and the same bytes at every try; the time is this call's, so that a receiver can refuse old ones. */
function headersFor({ eventId, body }: Call, secrets: string[], realClock: Clock): Record<string, string> {
  const timestamp = String(unixSeconds(realClock))
  return {
    'content-type': 'application/json',
    'user-agent': 'Vezne-Callbacks/1',
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signWebhook(secrets, { id: eventId, timestamp, body }),
  }
}
