import { setTimeout } from 'node:timers/promises'
import { findEvent, recordTestEvent } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { decider } from '../core/decider.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { Explained } from '../core/context.ts'
import type { ScenarioContext } from './trigger-steps.ts'
import { TIMEOUT_MS } from './trigger-steps.ts'
import { LOOK_EVERY_MS } from './trigger-timeline.ts'

/** Sends a test to the merchant's first endpoint, or reports why it failed, without waiting for retries. */
export async function testEndpoint({
  app,
  merchant: name,
  merchantId: merchant,
  say,
}: ScenarioContext): Promise<{ eventId: string; endpointId: string }> {
  const [first] = await findEndpoints(app.db, [merchant])
  if (!first) throw new Refusal('INVALID_STATE', `The merchant has no endpoint: npx vezne endpoint add ${name} --url …`)
  const eventId = await recordTestEvent(app, decider(app, undefined), merchant, first.id)
  say(`a test is on its way to ${first.url}`)
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const event = await findEvent(app.db, merchant, eventId)
    const attempt = event?.attempts[0]
    if (attempt?.outcome === 'accepted') {
      say(`endpoint.test, delivered: the endpoint answered ${attempt.status}`)
      return { eventId, endpointId: first.id }
    }
    const why = attempt && (attempt.problem ?? attempt.outcome)
    if (why !== undefined || performance.now() > deadline) throw notDelivered(name, eventId, why)
    await setTimeout(LOOK_EVERY_MS)
  }
}

function notDelivered(merchant: string, eventId: string, why = 'nothing has been sent so far'): Explained {
  const checks = [
    [`npx vezne events show ${eventId}`, 'every attempt; more are made by themselves'],
    [`npx vezne endpoint list ${merchant}`, 'where it goes, and whether it has been failing'],
    ['npx vezne up', 'what does the background work; npx vezne serve alone does not'],
  ]
  const lines = checks.map(([command, words]) => `  ${command}  (${words})`)
  return new Explained([`endpoint.test was not delivered: ${why}. What to check:`, ...lines])
}
