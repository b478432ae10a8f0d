import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { SandboxFacts } from '../../packages/server/src/edges/cli/core/context.ts'
import { ready, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { accepted } from '../harness/envelope.ts'
import { startReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'

const data = mkdtempSync(join(tmpdir(), 'vezne-listen-twice-'))
const env = { VEZNE_DATA: data }
const sandbox = vezne(['up'], { ...env, VEZNE_LOG: 'info' })
await ready(sandbox)
after(async () => {
  sandbox.process.kill('SIGTERM')
  await sandbox.exited
  rmSync(data, { recursive: true, force: true })
})
const { baseUrl, merchant } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8')) as SandboxFacts
const demo = client(baseUrl, merchant)
const when = (holds: () => boolean) => until(() => demo.get('/v1/balance'), holds)
const requests = (route: string, status: number) =>
  sandbox
    .errors()
    .split('\n')
    .filter((line) => line.includes(`"route":"${route}","status":${status}`))

test('a second listen that forwards to the same address says that every event arrives twice', async () => {
  const { url } = await startReceiver()
  const listening = () => {
    const child = vezne(['listen', '--forward', url], env)
    after(() => child.process.kill('SIGKILL'))
    return child
  }
  const first = listening()
  await when(() => first.errors().includes('verifies with the secret'))
  const words = `Another listen forwards to ${url} already: every event arrives there twice.`
  const second = listening()
  await when(() => second.errors().includes(words))
  assert.ok(!first.errors().includes(words))
})

test('the log of a sandbox has no line for each look at the stream, and one for every other request', async () => {
  accepted(await demo.get('/v1/events?after=0'), 200)
  assert.equal((await demo.get('/v1/events?type=x')).status, 400)
  await when(() => requests('/v1/events', 400).length === 1 && requests('/v1/balance', 200).length > 0)
  assert.deepEqual(requests('/v1/events', 200), [])
})
