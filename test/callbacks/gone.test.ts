import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { findEndpoint } from '../../packages/server/src/domain/merchants/index.ts'
import { claimOnly, setCallbackUrl, recordOnly, addEvents } from '../harness/callbacks.ts'
import { startService } from '../harness/service.ts'

const { app, merchant } = await startService()

const nothing = { problem: null, body: '', retryAfterSeconds: null, connectMs: 0, waitMs: 0, readMs: 0 }
const gone = { ...nothing, outcome: '4xx' as const, status: 410 }

for (const other of [
  { ...nothing, outcome: 'accepted' as const, status: 200 },
  { ...nothing, outcome: '5xx' as const, status: 500 },
]) {
  test(`410 switches the endpoint off, also when a ${other.status} to another event is recorded right behind it`, async () => {
    const { merchantId } = await merchant()
    const { id } = await setCallbackUrl(app, merchantId, 'http://127.0.0.1:9/callbacks')
    await addEvents(app, merchantId)
    await addEvents(app, merchantId)
    await distributeEvents(app)
    const [first, second] = (await claimOnly(app)).map((claim) => ({ claim, at: app.clock.now() }))
    assert.ok(first && second)
    await recordOnly(app, [
      { ...first, answer: gone },
      { ...second, answer: other },
    ])
    const { state, stateReason } = await findEndpoint(app.db, merchantId, id)
    assert.deepEqual([state, stateReason], ['disabled', 'it answered 410 Gone'])
  })
}
