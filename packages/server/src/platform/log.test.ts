import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { test } from 'node:test'

const MODULE = JSON.stringify(join(import.meta.dirname, 'log.ts'))

/** A separate process, because a log belongs to a file descriptor. */
async function logged(script: string, { destination = 2 }: { destination?: 1 | 2 } = {}) {
  const program = `import { openLog } from ${MODULE}; const log = openLog('info', ${destination}); ${script}; log.flush()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise((resolve) => child.on('exit', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  assert.equal(await exited, 0, err)
  return { out, err }
}

const lines = (written: string) =>
  written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const SECRETS = [
  ...['secret', 'apiSecret', 'callbackSecret', 'signature', 'token', 'checkoutUrl', 'password', 'masterKey', 'iban'],
  ...['name', 'accountName', 'userName', 'username', 'customer', 'narrative', 'metadata', 'body', 'databaseUrl'],
]

test('secrets and personal data are masked at the top and one level down; the rest is readable', async () => {
  const canary = 'canary-5f2b91c0'
  const fields = JSON.stringify(Object.fromEntries(SECRETS.map((name) => [name, canary])))
  const { out, err } = await logged(
    `log.info(${fields}, 'top'); log.warn({ request: ${fields}, transactionId: 't-1' }, 'nested')`,
  )
  assert.equal(out, '')
  assert.ok(!err.includes(canary), err)
  const [top, nested] = lines(err)
  const inside = nested?.['request'] as Record<string, unknown> | undefined
  for (const name of SECRETS) {
    assert.equal(top?.[name], '[masked]', name)
    assert.equal(inside?.[name], '[masked]', name)
  }
  assert.equal(nested?.['transactionId'], 't-1')
  assert.equal(nested?.['msg'], 'nested')
})

test('structured values are masked whole', async () => {
  const { err } = await logged(
    `log.info({ customer: { id: 'c-1', name: 'Ayşe' }, metadata: { note: 'private' } }, 'x')`,
  )
  assert.ok(!/Ayşe|private|c-1/.test(err), err)
})

test('a line has its time in ISO form, its process and its level; below the level nothing is written', async () => {
  const { err } = await logged(`log.debug({}, 'quiet'); log.error({ err: new Error('broken') }, 'loud')`)
  const [line, ...more] = lines(err)
  assert.equal(more.length, 0)
  assert.match(String(line?.['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(typeof line?.['pid'], 'number')
  assert.match(JSON.stringify(line?.['err']), /broken/)
})

test('it writes to the descriptor that it was given, and flush without a line is harmless', async () => {
  const { out, err } = await logged(`log.info({}, 'here')`, { destination: 1 })
  assert.equal(lines(out)[0]?.['msg'], 'here')
  assert.equal(err, '')
  assert.deepEqual(await logged(''), { out: '', err: '' })
})

test('what cannot be seen is escaped: a line moves no cursor and turns no text around, and is still JSON', async () => {
  const hostile = 'a\u001b[2J\u009b1m\u007f\u202eb\u2066\u200b\ufeff\u2028\u{e0041}\n'
  const { err } = await logged(`log.error({ err: new Error(${JSON.stringify(hostile)}) }, 'x')`)
  assert.doesNotMatch(err.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  const [{ err: error } = {}] = lines(err)
  assert.equal((error as Error).message, hostile)
})

test('of equal errors the first has its stack, the others their number; another error has its own', async () => {
  const { err } = await logged(`
    const refused = () => Object.assign(new Error('refused', { cause: new Error('driver') }), { code: 'ECONNREFUSED' })
    const other = () => Object.assign(new Error('ended'), { code: '57P01' })
    for (let n = 0; n < 100; n++) log.error({ err: refused() }, 'worker run failed')
    log.warn({ err: refused() }, 'request failed')
    log.error({ err: other() }, 'worker run failed')
    log.error({ err: new TypeError('x') }, 'one place')
    log.error({ err: new TypeError('x') }, 'another place')
    performance.now = () => 3_600_000
    log.error({ err: refused() }, 'an hour later')`)
  const errors = lines(err).map((line) => line['err'] as { stack?: string; repeated?: number; cause?: object })
  assert.equal(errors.length, 105, 'no line is missing')
  const withStack = errors.flatMap(({ stack }, index) => (stack === undefined ? [] : [index]))
  assert.deepEqual(withStack, [0, 101, 102, 103, 104])
  assert.deepEqual([errors[1]?.repeated, errors[100]?.repeated], [1, 100])
  assert.deepEqual(errors[1]?.cause && Object.keys(errors[1].cause).includes('stack'), false)
})
