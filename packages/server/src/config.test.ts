import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import type { Config } from './config.ts'
import { readConfig } from './config.ts'
import { makeMasterKey } from './platform/files/master-key-file.ts'
import { SettingsError } from './platform/read-setting.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-config-'))
after(() => rmSync(folder, { recursive: true }))

const KEY = '5f2b91c07de4836a1b9d40e7c8526fa3'.repeat(2)
const SANDBOX = { VEZNE_DATA: folder, VEZNE_MASTER_KEY: KEY }
const LIVE = {
  VEZNE_MODE: 'live',
  VEZNE_MASTER_KEY: KEY,
  VEZNE_PUBLIC_URL: 'https://pay.example',
  VEZNE_DATA: folder,
}

function mistakes(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof SettingsError, String(error))
    return error.message.split('\n').slice(1)
  }
  return []
}

test('defaults: a sandbox on 127.0.0.1:8080 with an embedded database', () => {
  const { masterKey, ...config } = readConfig({ VEZNE_MASTER_KEY: KEY })
  assert.equal(masterKey.toString('hex'), KEY)
  assert.deepEqual(config, {
    mode: 'sandbox',
    host: '127.0.0.1',
    port: 8080,
    dataFolder: resolve('.vezne'),
    databaseUrl: null,
    pointerFile: null,
    migrateAtStart: true,
    oldMasterKey: null,
    publicUrl: null,
    trustedProxies: [],
    logLevel: null,
    logAddresses: 'masked',
    maxConnections: 4096,
    maxConnectionsPerAddress: 512,
    checkoutRequestsPerSecond: 50,
    authFailuresPerMinute: 60,
    drainSeconds: 0,
    ops: null,
    keepEventsDays: 730,
    retainPersonalDays: 3653,
    booksStopAmount: null,
    auditHeads: resolve('.vezne/audit-heads.jsonl'),
    currencies: ['TRY'],
    bankApi: null,
    tracing: null,
    callbackRules: 'loopback-too',
    databasePatience: 1,
  } satisfies Omit<Config, 'masterKey'>)
})

test('several hosts: each is held to the same rules', () => {
  const several = 'postgres://u:p@h1:5432,h2:5433/vezne?target_session_attrs=read-write'
  assert.equal(readConfig({ VEZNE_MASTER_KEY: KEY, DATABASE_URL: several }).databaseUrl, several)
  const wrong = (DATABASE_URL: string, env = {}) => mistakes({ VEZNE_MASTER_KEY: KEY, DATABASE_URL, ...env }).join()
  assert.match(wrong(several.replace('read-write', 'standby')), /target_session_attrs=standby; Vezne writes/)
  assert.match(wrong(`${several}&host=h3`), /several hosts and an empty one, or a host parameter/)
  assert.match(wrong('postgres://h1,/vezne'), /several hosts and an empty one/)
  assert.match(wrong('postgres://u:p@h1:5432,h2:x/vezne'), /must look like/)
  assert.match(wrong(several, LIVE), /does not ask for TLS/)
  assert.match(wrong(several.replace('h1:5432', '127.0.0.1'), LIVE), /does not ask for TLS/, 'of the second host')
  assert.equal(wrong(`${several}&sslmode=verify-full`, LIVE), '')
})

test('VEZNE_DRAIN_SECONDS: 5 in live, none in a sandbox, up to a minute', () => {
  assert.equal(readConfig({ ...LIVE }).drainSeconds, 5)
  assert.equal(readConfig({ VEZNE_MASTER_KEY: KEY, VEZNE_DRAIN_SECONDS: '60' }).drainSeconds, 60)
  for (const text of ['61', '-1', '1.5', 'x'])
    assert.match(mistakes({ VEZNE_MASTER_KEY: KEY, VEZNE_DRAIN_SECONDS: text }).join(), /from 0 to 60/)
})

test('every setting is read; spaces around it do not count, and an empty one is none', () => {
  const config = readConfig({
    ...LIVE,
    PORT: ' 0 ',
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgresql://u:p@db:5432/vezne?sslmode=verify-full',
    VEZNE_PUBLIC_URL: 'https://pay.example/odeme//',
    VEZNE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    VEZNE_LOG: 'debug',
    VEZNE_CURRENCIES: 'TRY, EUR',
  })
  assert.equal(config.mode, 'live')
  assert.equal(config.port, 0)
  assert.equal(config.host, '0.0.0.0')
  assert.equal(config.databaseUrl, 'postgresql://u:p@db:5432/vezne?sslmode=verify-full')
  assert.equal(config.publicUrl, 'https://pay.example/odeme')
  assert.deepEqual(
    config.trustedProxies.map(({ address, bits }) => `${address.toString()}/${bits}`),
    ['10.0.0.0/8', '::1/128'],
  )
  assert.equal(config.logLevel, 'debug')
  assert.deepEqual(config.currencies, ['TRY', 'EUR'])
  assert.equal(readConfig({ ...SANDBOX, PORT: '', VEZNE_MODE: ' ', DATABASE_URL: '' }).port, 8080)
})

test('all mistakes are reported in one error, each under its own name', () => {
  const found = mistakes({
    PORT: '65536',
    DATABASE_URL: 'mysql://db/vezne',
    VEZNE_MODE: 'production',
    VEZNE_MASTER_KEY: 'abc',
    VEZNE_PUBLIC_URL: 'ftp://pay.example',
    VEZNE_TRUSTED_PROXIES: '10.0.0.0/33,proxy.internal',
    VEZNE_LOG: 'verbose',
    VEZNE_CURRENCIES: 'try',
    VEZNE_CALLBACKS_TO: 'everywhere',
    VEZNE_DATA: join(folder, 'never'),
  })
  for (const name of [
    ...['PORT', 'DATABASE_URL', 'VEZNE_MODE', 'VEZNE_MASTER_KEY', 'VEZNE_PUBLIC_URL', 'VEZNE_TRUSTED_PROXIES'],
    ...['VEZNE_LOG', 'VEZNE_CURRENCIES', 'VEZNE_CALLBACKS_TO'],
  ]) {
    assert.ok(
      found.some((line) => line.startsWith(`  - ${name} `)),
      `${name} is missing in:\n${found.join('\n')}`,
    )
  }
  assert.equal(found.length, 10)
  assert.ok(!readdirSync(folder).includes('never'), 'wrong settings write nothing')
})

test('mistakes never repeat a password or a key', () => {
  const found = mistakes({ ...SANDBOX, DATABASE_URL: 'http://u:hunter2@db/x', VEZNE_MASTER_KEY: `${KEY}0` }).join('\n')
  assert.match(found, /DATABASE_URL/)
  assert.match(found, /VEZNE_MASTER_KEY/)
  assert.ok(!found.includes('hunter2') && !found.includes(KEY))
})

for (const [name, values] of Object.entries({
  PORT: ['-1', '65536', '8080x', '1e3', '0x50', '80.5', '99999999999999999999', '８０'],
  DATABASE_URL: ['vezne', 'http://db/vezne', 'postgres', '/var/run/postgres'],
  VEZNE_MODE: ['Live', 'prod', 'sandbox,live'],
  VEZNE_MASTER_KEY: ['0'.repeat(64), 'ab'.repeat(32), KEY.slice(1), `${KEY.slice(1)}g`, `0x${KEY.slice(2)}`],
  VEZNE_PUBLIC_URL: [
    ...['pay.example', 'http:/', 'javascript:alert(1)', 'https://pay.example/?a=1', 'https://pay.example/#a'],
    ...['https://u@pay.example', 'https://u:p@pay.example', 'https://:p@pay.example'],
  ],
  VEZNE_TRUSTED_PROXIES: ['*', '10.0.0.0/33', '010.0.0.1', '10.0.0.1;10.0.0.2', '10.0.0.1,,10.0.0.2', 'fe80::1%eth0'],
  VEZNE_LOG: ['trace', 'INFO'],
  VEZNE_KEEP_EVENTS_DAYS: ['0', '30', '-90', '1e3', '100000', 'forever'],
  VEZNE_CURRENCIES: ['try', 'TRYY', 'TRY,,EUR', 'TRY;EUR', '₺', 'TRY,TRY'],
  VEZNE_CALLBACKS_TO: ['everywhere', 'Public', 'loopback', 'public,loopback-too', '127.0.0.1'],
})) {
  for (const value of values) {
    test(`${name}=${value} is refused, and nothing else is`, () => {
      const found = mistakes({ ...SANDBOX, [name]: value })
      assert.ok(found.length > 0, 'it was accepted')
      for (const line of found) assert.ok(line.startsWith(`  - ${name} `), line)
    })
  }
}

test('live refuses a missing master key and a missing public address, both at once', () => {
  const found = mistakes({ VEZNE_MODE: 'live', VEZNE_DATA: folder })
  assert.equal(found.length, 2)
  assert.match(found.join('\n'), /VEZNE_PUBLIC_URL is missing/)
  assert.match(found.join('\n'), /VEZNE_MASTER_KEY is missing.*openssl rand -hex 32/)
})

test('callbacks go to public addresses only in live, whatever is asked for; a sandbox may choose', () => {
  assert.equal(readConfig(LIVE).callbackRules, 'public')
  assert.equal(readConfig({ ...LIVE, VEZNE_CALLBACKS_TO: 'public' }).callbackRules, 'public')
  const found = mistakes({ ...LIVE, VEZNE_CALLBACKS_TO: 'loopback-too' })
  assert.equal(found.length, 1)
  assert.match(found.join(), /VEZNE_CALLBACKS_TO must be public in live: .*your own network/)
  assert.equal(mistakes({ ...LIVE, VEZNE_CALLBACKS_TO: 'everywhere' }).length, 1, 'one mistake is told once')
  assert.equal(readConfig(SANDBOX).callbackRules, 'loopback-too')
  assert.equal(readConfig({ ...SANDBOX, VEZNE_CALLBACKS_TO: ' public ' }).callbackRules, 'public')
})

test('live refuses a plain-http public address; a sandbox takes it', () => {
  assert.match(mistakes({ ...LIVE, VEZNE_PUBLIC_URL: 'http://pay.example' }).join(), /VEZNE_PUBLIC_URL.*https/)
  assert.deepEqual(mistakes(LIVE), [])
  assert.equal(readConfig({ ...SANDBOX, VEZNE_PUBLIC_URL: 'http://pay.test:8080' }).publicUrl, 'http://pay.test:8080')
})

test('reading settings makes no key; one is made once, readable by its owner only, and found again', () => {
  const VEZNE_DATA = join(folder, 'new', 'data')
  assert.throws(() => readConfig({ VEZNE_DATA }), /VEZNE_MASTER_KEY is missing/)
  assert.ok(!existsSync(VEZNE_DATA))
  const first = makeMasterKey(VEZNE_DATA)
  assert.equal(first.length, 32)
  assert.deepEqual(makeMasterKey(VEZNE_DATA), first)
  assert.deepEqual(readConfig({ VEZNE_DATA }).masterKey, first)
  assert.deepEqual(readdirSync(VEZNE_DATA), ['master.key'])
  assert.equal(statSync(join(VEZNE_DATA, 'master.key')).mode & 0o077, 0)
  assert.equal(readFileSync(join(VEZNE_DATA, 'master.key'), 'utf8'), first.toString('hex'))
  assert.notDeepEqual(makeMasterKey(join(folder, 'other')), first)
})

const CA = join(folder, 'ca.pem')
writeFileSync(CA, '')

for (const url of [
  'postgres://u:p@db.example/vezne',
  'postgres://u:p@10.0.0.5/vezne',
  'postgres://u:p@db.example/vezne?ssl=true',
  'postgres://u:p@db.example/vezne?sslmode=disable',
  'postgres://u:p@db.example/vezne?sslmode=no-verify',
  'postgres://u:p@db.example/vezne?sslmode=prefer',
  'postgres://u:p@db.example/vezne?sslmode=require',
  `postgres://u:p@db.example/vezne?sslmode=verify-ca&sslrootcert=${CA}`,
  'postgres://u:p@db.example/vezne?sslmode=verify-full&sslmode=no-verify',
  'postgres://u:p@db.example/vezne?sslmode=verify-full&uselibpqcompat=true',
  'postgres://u:p@db.example/vezne?sslmode=verify-full&ssl=no-verify',
  `postgres://u:p@db.example/vezne?sslmode=verify-full&sslrootcert=${CA}.missing`,
  'postgres://u:p@localhost/vezne?host=db.example',
  'postgres://u:p@localhost.example/vezne',
  'postgres://u:p@127.0.0.1.example/vezne',
  'postgres:///vezne',
]) {
  test(`live refuses ${url}, and a sandbox does not`, () => {
    const found = mistakes({ ...LIVE, DATABASE_URL: url })
    assert.equal(found.length, 1)
    assert.match(found[0] ?? '', /^ {2}- DATABASE_URL .*(verify-full|sslrootcert)/)
    assert.ok(!found[0]?.includes('u:p@'))
    assert.deepEqual(mistakes({ ...SANDBOX, DATABASE_URL: url }), [])
  })
}

for (const url of [
  'postgres://u:p@localhost:5432/vezne',
  'postgres://u:p@127.0.0.1/vezne',
  'postgres://u:p@[::1]/vezne',
  'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/vezne',
  'postgres:///vezne?host=/var/run/postgresql',
  'postgres://u:p@db.example/vezne?sslmode=verify-full',
  `postgres://u:p@10.0.0.5/vezne?sslmode=verify-full&sslrootcert=${CA}`,
]) {
  test(`live accepts ${url.replace(folder, '…')}`, () => assert.deepEqual(mistakes({ ...LIVE, DATABASE_URL: url }), []))
}

test('live wants https for the bank API, except on this machine', () => {
  const bank = (url: string, mode: Record<string, string> = LIVE) =>
    mistakes({ ...mode, VEZNE_BANK_API_URL: url, VEZNE_BANK_API_KEY: 'k' })
  for (const url of ['http://bank.example', 'http://10.0.0.5:8081', 'http://localhost.example'])
    assert.match(bank(url).join(), /VEZNE_BANK_API_URL .*https/)
  for (const url of ['https://bank.example', 'http://127.0.0.1:8081', 'http://localhost:8081', 'http://[::1]:8081'])
    assert.deepEqual(bank(url), [])
  assert.deepEqual(bank('http://bank.example', SANDBOX), [])
})

test('live refuses an environment in which no certificate is checked', () => {
  assert.match(mistakes({ ...LIVE, NODE_TLS_REJECT_UNAUTHORIZED: '0' }).join(), /NODE_TLS_REJECT_UNAUTHORIZED/)
})

test('the old master key is checked like the new one, and is another', () => {
  for (const old of ['abc', '0'.repeat(64), KEY])
    assert.match(mistakes({ ...LIVE, VEZNE_MASTER_KEY_OLD: old }).join(), /VEZNE_MASTER_KEY_OLD /)
  const { masterKey, oldMasterKey } = readConfig({ ...LIVE, VEZNE_MASTER_KEY_OLD: KEY.split('').toReversed().join('') })
  assert.equal(masterKey.toString('hex'), KEY)
  assert.equal(oldMasterKey?.toString('hex'), KEY.split('').toReversed().join(''))
})

test('VEZNE_MIGRATE=off needs a database that someone else migrates', () => {
  assert.equal(
    readConfig({ ...SANDBOX, VEZNE_MIGRATE: 'off', DATABASE_URL: 'postgres://u:p@db/vezne' }).migrateAtStart,
    false,
  )
  assert.match(mistakes({ ...SANDBOX, VEZNE_MIGRATE: 'off' }).join(), /VEZNE_MIGRATE=off needs DATABASE_URL/)
  assert.match(mistakes({ ...SANDBOX, VEZNE_MIGRATE: 'no' }).join(), /VEZNE_MIGRATE is "no"; it must be one of on, off/)
})

test('an address with a user, a password, a query or a fragment is refused, and never printed', () => {
  for (const address of ['https://u:hunter2@bank.example', 'https://hunter2@bank.example', 'https://u:hunter2@b:x']) {
    for (const name of ['VEZNE_BANK_API_URL', 'VEZNE_PUBLIC_URL']) {
      const found = mistakes({ ...SANDBOX, VEZNE_BANK_API_KEY: 'k', VEZNE_BANK_API_URL: 'https://b', [name]: address })
      assert.match(found.join(), new RegExp(`${name} .*without`))
      assert.doesNotMatch(found.join(), /hunter2/)
    }
  }
  for (const address of ['https://bank.example?key=hunter2', 'https://bank.example#hunter2'])
    assert.match(
      mistakes({ ...SANDBOX, VEZNE_BANK_API_KEY: 'k', VEZNE_BANK_API_URL: address }).join(),
      /VEZNE_BANK_API_URL .*without/,
    )
})

test('a password in DATABASE_URL that must be escaped is named as such, and never printed', () => {
  for (const url of ['postgres://u:12/hunter2@db/x', 'postgres://u:12?hunter2@db/x', 'postgres://u:12#hunter2@db/x']) {
    const found = mistakes({ ...SANDBOX, DATABASE_URL: url }).join()
    assert.match(found, /DATABASE_URL .*%2F/)
    assert.doesNotMatch(found, /hunter2/)
  }
  assert.deepEqual(mistakes({ ...SANDBOX, DATABASE_URL: 'postgres://u:p@ssw0rd@db/x' }), [])
})
