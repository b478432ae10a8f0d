import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac, hkdfSync } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { run } from '../harness/child-process.ts'
import type { TarEntry } from '../harness/tar.ts'
import { readTar, sha256, writeTar } from '../harness/tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-attacks-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
const env = { VEZNE_DATA: data }
const good = join(folder, 'good.tar.gz')
await succeeds('migrate')
await succeeds('backup', good)
const masterKey = readFileSync(join(data, 'master.key'), 'utf8')
const withKey = (where: string) => ({ VEZNE_DATA: where, VEZNE_MASTER_KEY: masterKey })

async function succeeds(...args: string[]): Promise<void> {
  const { code, errors } = await run(args, env)
  assert.equal(code, 0, errors)
}

async function refused(args: string[], why: RegExp, code = 1, where: Record<string, string> = env): Promise<void> {
  const found = await run(args, where)
  assert.match(found.errors, why)
  assert.equal(found.code, code)
}

/** Holds the lock of a data folder's database as another process would, while `work` runs. */
async function whileLocked(dataFolder: string, how: string, work: () => Promise<void>): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(dataFolder, 'postgres.lock'))
  try {
    lock.exec(how)
    await work()
  } finally {
    lock.close()
  }
}

test('while a restore runs, no process starts on its folder, no backup and no second restore', async () => {
  await whileLocked(data, 'begin exclusive', async () => {
    const starts = [['serve'], ['work'], ['migrate'], ['backup', join(folder, 'meanwhile.tar.gz')]]
    const why = /A restore runs in the data folder .*Start again when it is done/
    await Promise.all([...starts, ['up']].map((args) => refused(args, why, 2)))
    await refused(['restore', good, '--force'], /Stop the service first/)
  })
  const fresh = join(folder, 'fresh')
  await whileLocked(fresh, 'begin exclusive', () => refused(['serve'], /A restore runs/, 2, withKey(fresh)))
  assert.ok(!existsSync(join(fresh, 'postgres')), 'a database was made under the restore')
})

test('restore is refused while a process uses the folder, also when its PostgreSQL does not run at this moment', async () => {
  await whileLocked(data, 'begin; select count(*) from sqlite_master', () =>
    refused(['restore', good, '--force'], /Stop the service first/),
  )
  assert.deepEqual(
    readdirSync(data).filter((name) => /before|restoring/.test(name)),
    [],
  )
})

test('two restores at once: one succeeds, the other is refused; a replaced database never has the name of another', async () => {
  const target = join(folder, 'two')
  const found = (prefix: string) => readdirSync(target).filter((name) => name.startsWith(prefix)).length
  const both = await Promise.all([1, 2].map(() => run(['restore', good], withKey(target))))
  const errors = both.map((one) => one.errors).join('\n')
  assert.deepEqual(new Set(both.map(({ code }) => code)), new Set([0, 1]), errors)
  assert.match(errors, /Stop the service first|There is a database/)
  for (const times of [1, 2]) {
    const again = await run(['restore', good, '--force'], withKey(target))
    assert.equal(again.code, 0, again.errors)
    assert.deepEqual([found('postgres.before-'), found('restoring')], [times, 0])
  }
})

test('a restore that was cut off between two renames: no start makes an empty database beside the replaced one', async () => {
  const target = join(folder, 'cut-off')
  mkdirSync(join(target, 'postgres.before-2026'), { recursive: true, mode: 0o700 })
  await refused(['serve'], /has no postgres, but postgres\.before-2026.*restore/s, 2, withKey(target))
  assert.ok(!existsSync(join(target, 'postgres')))
})

test('backup: a planted FILE.part is neither written to nor followed', async () => {
  const file = join(folder, 'planted.tar.gz')
  const part = `${file}.part`
  const victim = join(folder, 'victim')
  writeFileSync(part, '')
  chmodSync(part, 0o666)
  await refused(['backup', file, '--with-key'], /planted\.tar\.gz\.part.*delete it/s)
  assert.equal(statSync(part).size, 0)
  rmSync(part)
  writeFileSync(victim, 'precious')
  symlinkSync(victim, part)
  await refused(['backup', file], /planted\.tar\.gz\.part.*delete it/s)
  assert.equal(readFileSync(victim, 'utf8'), 'precious')
  assert.ok(lstatSync(part).isSymbolicLink() && !existsSync(file))
})

test('backup: a link, a pipe or another user’s file in the cluster is refused by name', async () => {
  const planted = join(data, 'postgres/base/zz')
  const cases = [
    () => symlinkSync(join(data, 'master.key'), planted),
    () => void execFileSync('sh', ['-c', 'mkfifo "$0"', planted]),
    // Only root runs PostgreSQL as somebody else.
    ...(process.getuid?.() === 0 ? [() => writeFileSync(planted, 'of root')] : []),
  ]
  for (const [number, plant] of cases.entries()) {
    plant()
    const file = join(folder, `linked-${number}.tar.gz`)
    await refused(['backup', file], /base\/zz is not a PostgreSQL file/)
    assert.deepEqual([existsSync(file), existsSync(`${file}.part`)], [false, false])
    rmSync(planted)
  }
})

type Manifest = { takenAt: string; withKey: boolean; files: [string, string][] }

/** A backup changed by someone who makes its checksums right again; with the master key also its signature. */
function forge(name: string, change: (entries: TarEntry[]) => TarEntry[], key?: string, facts = {}): string {
  const own = new Set(['manifest.json', 'manifest.hmac'])
  const all = readTar(good)
  const entries = change(all.filter((entry) => !own.has(entry.name)))
  const { takenAt } = JSON.parse(String(all.find((entry) => entry.name === 'manifest.json')?.content)) as Manifest
  const files = entries.map(({ name, content, type }) => [name, type === '5' ? '' : sha256(content)])
  const manifest = Buffer.from(JSON.stringify({ takenAt, withKey: false, files, ...facts }))
  const before = all.find((entry) => entry.name === 'manifest.hmac')?.content ?? Buffer.alloc(0)
  const hmac = key === undefined ? before : Buffer.from(sign(manifest, key))
  const file = join(folder, `${name}.tar.gz`)
  const entry = (name: string, content: Buffer) => ({ name, type: '0', content })
  writeTar(file, [...entries, entry('manifest.json', manifest), entry('manifest.hmac', hmac)])
  return file
}

function sign(manifest: Buffer, key: string): string {
  const derived = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'vezne backup v1', 32))
  return createHmac('sha256', derived).update(manifest).digest('hex')
}

const file = (name: string, content: string) => ({ name, type: '0', content: Buffer.from(content) })
const RUNS_CODE = file('postgres/postgresql.auto.conf', "archive_mode=on\narchive_command='touch /tmp/x; false'\n")

test('restore: a backup that was not signed with the master key of the deployment is refused', async () => {
  const target = join(folder, 'forged')
  const forged = forge('forged', (entries) => [...entries, RUNS_CODE])
  await refused(['restore', forged], /not signed with this master key.*Nothing was changed/s, 1, withKey(target))
  const otherKey = forge('other-key', (entries) => [...entries, RUNS_CODE], 'ab'.repeat(32))
  await refused(['restore', otherKey], /not signed with this master key/, 1, withKey(target))
  const ownKey = (entries: TarEntry[]) => [...entries, file('master.key', 'ab'.repeat(32))]
  const itsOwn = forge('its-own', ownKey, 'ab'.repeat(32), { withKey: true })
  await refused(['restore', itsOwn], /not signed with this master key/, 1, withKey(target))
  assert.ok(!existsSync(target))
})

test('restore: signed, but its list and its key do not agree: refused', async () => {
  const target = join(folder, 'planted')
  const planted = forge('key', (all) => [...all, file('master.key', 'ab'.repeat(32))], masterKey)
  const missing = forge('no-key', (all) => all, masterKey, { withKey: true })
  for (const archive of [planted, missing])
    await refused(['restore', archive], /master\.key do not match/, 1, withKey(target))
  assert.ok(!existsSync(target))
})

test('restore: settings of PostgreSQL come from us, never from the archive', async () => {
  const target = join(folder, 'settings')
  const names = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf']
  const taken = new Set(names.map((name) => `postgres/${name}`))
  const change = (all: TarEntry[]) => [
    ...all.filter(({ name }) => !taken.has(name)),
    ...names.map((name) => file(`postgres/${name}`, `# from the archive\n`)),
  ]
  const { code, errors } = await run(['restore', forge('settings', change, masterKey)], withKey(target))
  assert.equal(code, 0, errors)
  for (const name of names)
    assert.doesNotMatch(readFileSync(join(target, 'postgres', name), 'utf8'), /from the archive/)
})
