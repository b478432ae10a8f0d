import { openGate } from '../../../platform/concurrency/gate.ts'
import { cached } from '../../../platform/concurrency/cached.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { signWebhook } from '../../../platform/crypto/webhook-signature.ts'
import type { Outbound } from '../../../platform/http-client/outbound.ts'
import { CONNECTIONS_PER_ADDRESS } from '../../../platform/http-client/outbound.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { unixSeconds } from '../../../platform/time/clock.ts'
import { findEndpoints, openSecrets } from '../../merchants/index.ts'
import type { Claimed } from './claim-deliveries.ts'
import type { CallResult } from './record-results.ts'

export type SenderDeps = {
  db: Db
  clock: Clock
  realClock: Clock
  vault: Vault
  log: Log
  metrics: Metrics
  outbound: Outbound
}
type Sender = (claim: Claimed, isTooLate: (waited: boolean) => boolean) => Promise<CallResult>

/** Calls once a connection is free, unless it is too late by then or the endpoint was disabled meanwhile. */
export function openSender(app: SenderDeps): Sender {
  // Waits here, not in the client: the timeout of a call starts when it is sent.
  const gate = openGate(CONNECTIONS_PER_ADDRESS)
  // Cached for a second, so that a new secret or a disabled endpoint takes effect almost immediately.
  const secretsOf = cached((key: string) => loadSecrets(app, key))
  const isEnabled = cached((key: string) => loadEnabled(app, key))
  return (claim, isTooLate) =>
    gate(claim.url, async (waited) => {
      const notSent = { claim, answer: null, at: app.clock.now() }
      const key = `${claim.merchantId}/${claim.endpointId}`
      if (isTooLate(waited) || (waited && !(await isEnabled(key)))) return notSent
      const secrets = await secretsOf(key)
      if (secrets.length === 0) throw new Error(`Endpoint ${claim.endpointId} has no secret to sign with.`)
      const at = app.clock.now()
      const bytes = Buffer.from(claim.body)
      const headers = headersFor(claim.eventId, bytes, secrets, app.realClock)
      const answer = await app.outbound.post(claim.url, headers, bytes, claim.merchantId)
      app.metrics.callbacks.inc({ outcome: answer.outcome })
      return { claim, answer, at }
    })
}

async function loadSecrets(app: SenderDeps, key: string): Promise<string[]> {
  const [merchantId = '', endpointId = ''] = key.split('/')
  const { secrets, unopened } = (await openSecrets(app, merchantId)).get(endpointId) ?? { secrets: [], unopened: null }
  if (unopened) app.log.error({ err: unopened, merchantId, endpointId }, 'a callback secret does not open; rotate it')
  return secrets
}

async function loadEnabled({ db }: SenderDeps, key: string): Promise<boolean> {
  const [merchantId = '', endpointId = ''] = key.split('/')
  return (await findEndpoints(db, [merchantId])).some(({ id, state }) => id === endpointId && state === 'enabled')
}

/** Same id and bytes at every attempt. The timestamp is that of this call, so that a receiver can refuse old ones. */
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
