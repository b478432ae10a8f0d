import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { cloneDatabase } from '../harness/database.ts'

const data = mkdtempSync(join(tmpdir(), 'vezne-lock-'))
const database = await cloneDatabase('empty')
const env = { VEZNE_DATA: data, DATABASE_URL: database.url }
const started: Child[] = []
after(async () => {
  for (const child of started) child.process.kill('SIGTERM')
  await Promise.all(started.map(({ exited }) => exited))
  rmSync(data, { recursive: true, force: true })
  await database.drop()
})

function up(): Child {
  const child = vezne(['up'], env)
  started.push(child)
  return child
}

const sandboxJson = () => readFileSync(join(data, 'sandbox.json'), 'utf8')
const demo = async () => {
  const { output, errors } = await run(['merchant', 'show', 'demo', '--json'], env)
  assert.equal(errors, '')
  return output
}

const first = up()
const address = await ready(first)

test('a second start on the same data folder is refused, names who holds it, and changes nothing', async () => {
  const before = [sandboxJson(), await demo()]
  const { code, output, errors } = await run(['up'], env)
  assert.deepEqual({ code, output }, { code: 2, output: '' })
  const since = String.raw`since \d{4}-\d\d-\d\dT[\d:.]+Z at ${address.replaceAll('.', String.raw`\.`)}`
  assert.match(
    errors,
    new RegExp(`^Process ${first.process.pid} runs a sandbox in the data folder ${data} ${since}\\.`),
  )
  assert.match(
    errors,
    /VEZNE_DATA=(\S+) PORT=0 npm start\. Commands for it need the same folder: VEZNE_DATA=\1 npx vezne …\n$/,
  )
  assert.deepEqual([sandboxJson(), await demo()], before)
})

test('other processes and commands of the same folder go on working', async () => {
  const serve = vezne(['serve'], env)
  started.push(serve)
  await ready(serve)
  assert.equal((await run(['curl', 'GET', '/v1/balance'], env)).code, 0)
})

test('the lock file is private, also one that was made before: another user’s lock would keep us from starting', async () => {
  const file = join(data, 'sandbox.lock')
  const mode = () => statSync(file).mode & 0o777
  assert.equal(mode(), 0o600)
  chmodSync(file, 0o644)
  assert.equal((await run(['up'], env)).code, 2)
  assert.equal(mode(), 0o600)
})

test('kill -9 leaves no lock behind: the next start runs', async () => {
  first.process.kill('SIGKILL')
  await first.exited
  assert.ok(existsSync(join(data, 'sandbox.holder')), 'the name of the dead process')
  const next = up()
  await ready(next)
  next.process.kill('SIGTERM')
  assert.equal(await next.exited, 0)
  assert.ok(!existsSync(join(data, 'sandbox.holder')))
})

test('of two starts at the same moment one runs and the other is refused', async () => {
  const both = [up(), up()]
  const refused = await Promise.race(both.map((child) => child.exited.then((code) => ({ child, code }))))
  assert.equal(refused.code, 2, refused.child.errors())
  assert.match(refused.child.errors(), /runs a sandbox in the data folder/)
  const winner = both.find((child) => child !== refused.child) as Child
  await ready(winner)
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('sandbox.holder.')),
    [],
  )
})
