import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signWebhook } from '../../packages/server/src/platform/crypto/webhook-signature.ts'
import { BASE_ENV, withoutTarget } from '../harness/child-process.ts'
import { openCommandLine } from '../harness/command-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-verify-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const id = '6af95a29428d9b71948dc42f'
const timestamp = String(Math.floor(Date.now() / 1000))
const body = '{"type":"endpoint.test","timestamp":"2026-11-15T07:00:00.000Z","data":{"endpointId":"Şube-1"}}'
const signature = signWebhook([OTHER, SECRET], { id, timestamp, body })
const headers = file(
  'headers.txt',
  `webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}\n`,
)
const bodyFile = file('body.json', body)
const single = ['--id', id, '--timestamp', timestamp, '--signature', signature]

const warm = openCommandLine({ VEZNE_DATA: folder, VEZNE_MODE: 'sandbox' })
after(warm.stop)

type Surroundings = { input?: string; data?: string; mode?: string }

/** What reads its standard input, or lives elsewhere, needs a process of its own; the others share one. */
async function verify(args: string[], given: Surroundings = {}) {
  if (Object.keys(given).length === 0) return warm.run(['verify', ...args])
  const { input = '', data = folder, mode = 'sandbox' } = given
  const main = join(import.meta.dirname, '../../packages/server/src/main.ts')
  const env = { ...BASE_ENV, VEZNE_DATA: data, VEZNE_MODE: mode, VEZNE_LOG: 'silent', ...live(mode) }
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'verify', ...args], { env, input })
  return { code: status, output: stdout.toString(), errors: withoutTarget(stderr.toString()) }
}

const live = (mode: string) =>
  mode === 'live' && { VEZNE_MASTER_KEY: '0123456789abcdef'.repeat(4), VEZNE_PUBLIC_URL: 'https://pay.example' }

test('0: valid, from files, from options, from a pipe; it says which signature', async () => {
  for (const args of [
    ['--headers', headers, '--body', bodyFile],
    [...single, '--body', bodyFile],
  ]) {
    const { code, output, errors } = await verify(['--secret', SECRET, ...args])
    assert.equal(code, 0, output + errors)
    assert.match(output, /^Valid\. Signature 2 of 2 /)
  }
  for (const args of [single, [...single, '--body', '-']])
    assert.equal((await verify(['--secret', SECRET, ...args], { input: body })).code, 0)
})

test("0: without --secret it is the demo merchant's", async () => {
  file('sandbox.json', JSON.stringify({ merchant: { callbackSecret: SECRET } }))
  assert.equal((await verify(['--headers', headers, '--body', bodyFile])).code, 0)
})

test('1: invalid, and the mistake has a name for people and for programs', async () => {
  const args = ['--secret', SECRET, '--headers', headers]
  const people = await verify(args, { input: `${body}\n` })
  assert.equal(people.code, 1)
  assert.match(people.output, /^Invalid\.\n- body_rewritten: .*newline/)
  assert.match(people.output, /^expected {6}v1,/m)
  const { code, output } = await verify([...args, '--json'], { input: `${body}\n` })
  const verdict = JSON.parse(output)
  assert.deepEqual([code, verdict.valid, verdict.mistakes[0].differences], [1, false, ['newline']])
  const missing = await verify(['--secret', SECRET, '--id', id], { input: body })
  assert.match(missing.output, /header_missing: webhook-timestamp/)
  assert.equal(missing.code, 1)
})

test('1: right but old, and both are said', async () => {
  const old = String(Number(timestamp) - 3600)
  const signed = signWebhook([SECRET], { id, timestamp: old, body })
  const args = ['--secret', SECRET, '--id', id, '--timestamp', old, '--signature', signed, '--body', bodyFile]
  const { code, output } = await verify(args)
  assert.equal(code, 1)
  assert.match(output, /the signature is right/)
  assert.match(output, /timestamp_old/)
})

test('2: wrong usage', async () => {
  for (const args of [[], ['--headers', headers, ...single], ['--headers', join(folder, 'nowhere')], ['--nonsense']]) {
    const { code, errors } = await verify(['--secret', SECRET, ...args])
    assert.equal(code, 2, args.join(' '))
    assert.notEqual(errors, '')
  }
  assert.equal((await verify(single, { mode: 'live' })).code, 2, 'live has no demo merchant')
})

test('3: no secret, and no sandbox to take it from', async () => {
  assert.equal((await verify(single, { data: join(folder, 'empty') })).code, 3)
})
