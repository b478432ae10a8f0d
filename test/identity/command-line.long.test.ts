import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { acceptInvitation, findSession, listSessions } from '../../packages/server/src/domain/identity/index.ts'
import { changeSession } from '../../packages/server/src/domain/identity/sessions/mark-session.ts'
import { listOperators } from '../../packages/server/src/domain/people/index.ts'
import { BASE_ENV } from '../harness/child-process.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { endsWithUs } from '../harness/ends-with-us.ts'
import { cheap, PASSWORD, setUpInLive } from '../harness/logins.ts'
import { setMode } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const MAIN = join(import.meta.dirname, '../../packages/server/src/main.ts')
const service = await startService()
const live = cheap(service.app, false)
const data = mkdtempSync(join(tmpdir(), 'vezne-login-'))
const env = {
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: service.app.config.masterKey.toString('hex'),
  VEZNE_MODE: 'live',
  VEZNE_PUBLIC_URL: 'https://pay.example',
}
await setMode(service.databaseUrl, 'live')
const commands = openCommandLine(env)
after(() => {
  commands.stop()
  rmSync(data, { recursive: true, force: true })
})

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever came back
async function vezne(...args: string[]): Promise<any> {
  const { code, output, errors } = await commands.run([...args, '--json'])
  assert.equal(code, 0, errors)
  return JSON.parse(output)
}

async function refused(code: number, message: RegExp, ...args: string[]): Promise<void> {
  const result = await commands.run(args)
  assert.match(result.errors, message)
  assert.equal(result.code, code)
}

/** `vezne login` with what a person types, from a pipe. */
const logInWith = (lines: string[], name = 'ayse.yilmaz') => typed(lines, 'login', name)

async function typed(lines: string[], ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...BASE_ENV, VEZNE_LOG: 'silent', ...env } })
  endsWithUs(child)
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  child.stdin.end(`${lines.join('\n')}\n`)
  const [code] = await once(child, 'close')
  return { code: code as number, errors }
}

let codes: Awaited<ReturnType<typeof setUpInLive>>['codes']
let recoveryCodes: string[]
const file = join(data, 'login.json')

test('before anyone has a login, --as works as it did, and the first admin is created', async () => {
  await vezne('operator', 'add', 'ayse.yilmaz', '--role', 'admin')
  await vezne('operator', 'add', 'mehmet.kaya', '--role', 'admin', '--as', 'ayse.yilmaz')
  const { token, path, expiresAt } = await vezne('admin', 'create', 'ayse.yilmaz')
  assert.equal(path, `/operator/invitation/${token}`)
  assert.ok(Date.parse(expiresAt) > Date.now())
  const { output } = await commands.run(['admin', 'create', 'mehmet.kaya'])
  assert.match(output, /https:\/\/pay\.example\/operator\/invitation\/[\w-]{43}/)
  await acceptInvitation(live, { token, password: PASSWORD })
  await refused(1, /Staff members already have logins/, 'admin', 'create', 'mehmet.kaya')
})

test('then --as takes the login of that person', async () => {
  const add = ['operator', 'add', 'new.person', '--role', 'viewer', '--as']
  await refused(2, /You are not logged in\. .* vezne login ayse\.yilmaz/, ...add, 'ayse.yilmaz')
  await refused(2, /Say who decides/, ...add.slice(0, -1))
  await refused(1, /No one is logged in here/, 'whoami')
  const early = await logInWith([PASSWORD])
  assert.match(early.errors, /Set up a second factor first/)
  ;({ codes, recoveryCodes } = await setUpInLive(live, 'ayse.yilmaz'))
  const wrong = await logInWith(['not the password'])
  assert.deepEqual([wrong.code, /Name or password is wrong/.test(wrong.errors)], [1, true])
  const done = await logInWith([PASSWORD, recoveryCodes[0] ?? ''])
  assert.equal(done.code, 0, done.errors)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await vezne('whoami')).name, 'ayse.yilmaz')
  await vezne(...add, 'ayse.yilmaz')
  await vezne('operator', 'add', 'other.person', '--role', 'viewer')
  await refused(
    2,
    /logged in as ayse\.yilmaz, not as mehmet\.kaya/,
    'operator',
    'add',
    'x.y',
    '--role',
    'viewer',
    '--as',
    'mehmet.kaya',
  )
  const names = new Set((await listOperators(live.db)).map(({ name }) => name))
  assert.ok(names.has('new.person') && names.has('other.person') && !names.has('x.y'))
})

test('the token works on this host only, not as a cookie, and not from a file that others can read', async () => {
  const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
  assert.equal(await findSession(live, 'operator', token), null)
  assert.equal(await findSession(live, 'operator', token, 'another-host'), null)
  chmodSync(file, 0o644)
  await refused(1, /can be read by others/, 'whoami')
  chmodSync(file, 0o600)
  assert.equal((await vezne('whoami')).name, 'ayse.yilmaz')
})

test('what moves money or rights takes a code of the last ten minutes; resending and ending a session do not', async () => {
  const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
  const own = (await findSession(live, 'operator', token, hostname())) ?? assert.fail('no session')
  const old = new Date(live.clock.now().getTime() - 11 * 60_000)
  await live.db.transaction((tx) => changeSession(live, tx, own.id, { steppedUpAt: old }, live.clock.now()))
  const add = ['operator', 'add', 'third.person', '--role', 'viewer']
  const has = async () => (await listOperators(live.db)).some(({ name }) => name === 'third.person')
  assert.equal((await typed([''], ...add)).code, 1)
  assert.equal((await typed(['no code'], ...add)).code, 1)
  assert.equal(await has(), false)
  const { merchantId } = await service.merchant()
  const resend = ['events', 'resend', '--merchant', merchantId, '--since', '2026-11-15T00:00:00Z']
  assert.equal((await typed([], ...resend)).code, 0)
  assert.equal((await typed([recoveryCodes[9] ?? ''], ...add)).code, 0)
  assert.equal(await has(), true)
  assert.equal((await typed([], 'operator', 'disable', 'third.person')).code, 0, 'for ten minutes')
})

test('sessions are listed and ended; a session that was ended decides nothing', async () => {
  const { sessions } = await vezne('operator', 'sessions', 'ayse.yilmaz')
  const [own, ...others] = (sessions as { id: string; kind: string }[]).filter(({ kind }) => kind === 'command_line')
  assert.deepEqual(others, [])
  await vezne('operator', 'sessions', '--revoke', own?.id ?? '')
  await refused(1, /No one is logged in here/, 'whoami')
  await refused(2, /You are not logged in/, 'operator', 'add', 'x.y', '--role', 'viewer', '--as', 'ayse.yilmaz')
  assert.equal((await logInWith([PASSWORD, recoveryCodes[1] ?? ''])).code, 0)
  await vezne('logout')
  await refused(1, /No one is logged in here/, 'whoami')
  assert.deepEqual(
    (await listSessions(live, { name: 'ayse.yilmaz' })).filter(({ kind }) => kind === 'command_line'),
    [],
  )
})

test('operators and users of merchants are invited by who is logged in', async () => {
  assert.equal((await logInWith([PASSWORD, recoveryCodes[2] ?? ''])).code, 0)
  const shop = await vezne('merchant', 'create', '--name', 'Kitap')
  const { token } = await vezne('merchant', 'invite', shop.merchantId, 'Ayla@shop.example', '--role', 'owner')
  await acceptInvitation(live, { token, password: PASSWORD })
  assert.equal((await vezne('merchant', 'users', shop.merchantId)).users[0].name, 'ayla@shop.example')
  const { users } = await vezne('merchant', 'users', shop.merchantId, '--disable', 'ayla@shop.example')
  assert.deepEqual(users, [])
  assert.equal((await vezne('operator', 'invite', 'mehmet.kaya')).name, 'mehmet.kaya')
})

const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
const skip = stdout?.includes('util-linux') ? false : 'this machine has no script(1) of util-linux'

test('on a terminal neither password nor code is shown', { skip }, async () => {
  const child = spawn('script', ['-qec', `exec "${process.execPath}" "${MAIN}" login ayse.yilmaz`, '/dev/null'], {
    env: { ...BASE_ENV, VEZNE_LOG: 'silent', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endsWithUs(child)
  const exited = once(child, 'close')
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += String(chunk)))
  const seen = (text: string) =>
    until(
      async () => screen,
      (shown) => shown.includes(text),
    )
  await seen('Password of ayse.yilmaz: ')
  child.stdin.write(`${PASSWORD}\r`)
  await seen('recovery code: ')
  const code = codes(live, 1)
  child.stdin.write(`${code}\r`)
  await seen('logged in as')
  await exited
  assert.ok(!screen.includes(code) && !screen.includes('mevsim'), screen)
})
