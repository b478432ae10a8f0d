import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TarEntry } from '../../../../../test/harness/tar.ts'
import { readTar, writeTar } from '../../../../../test/harness/tar.ts'
import type { ArchiveWriter } from './archive.ts'
import { extractArchive, readArchive, verifyArchive, writeArchive } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-archive-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const KEY = Buffer.alloc(32, 1)
const good = join(folder, 'good.tar.gz')
await writeArchive(good, KEY, { takenAt: '2026-11-15T09:30:00.000Z', withKey: false }, async (archive) => {
  await archive.folder('cluster/')
  await archive.file('cluster/table', 5, [Buffer.from('rows '), Buffer.alloc(0)])
  await archive.file('password', 6, [Buffer.from('secret')])
})

const verify = async (file: string, keys = [KEY]) => verifyArchive(await readArchive(file, 'password'), keys)
const entry = (name: string, content = '', type = '0') => ({ name, type, content: Buffer.from(content) })

function changed(name: string, change: (entries: TarEntry[]) => TarEntry[]): string {
  const file = join(folder, `${name}.tar.gz`)
  writeTar(file, change(readTar(good)))
  return file
}

function unpack(file: string, manifest: Awaited<ReturnType<typeof verify>>, name: string): Promise<void> {
  mkdirSync(join(folder, name))
  return extractArchive(file, manifest, { folder: join(folder, name), owned: 'cluster/', owner: null })
}

test('what was written comes back, for its owner only, and no unfinished file stays', async () => {
  assert.equal(statSync(good).mode & 0o777, 0o600)
  assert.ok(!existsSync(`${good}.part`))
  await unpack(good, await verify(good, [Buffer.alloc(32, 2), KEY]), 'back')
  assert.equal(readFileSync(join(folder, 'back/cluster/table'), 'utf8'), 'rows ')
  assert.deepEqual(readdirSync(join(folder, 'back')).toSorted(), ['cluster', 'password'])
})

test('another master key did not sign it', async () => {
  await assert.rejects(verify(good, [Buffer.alloc(32, 2)]), /not signed with this master key/)
  await assert.rejects(verify(good, []), /not signed with this master key/)
})

const FORGED: [string, (entries: TarEntry[]) => TarEntry[], RegExp][] = [
  [
    'unlisted',
    (all) => [entry('__proto__', 'not in the list'), ...all],
    /^Error: __proto__ does not match the manifest/,
  ],
  ['unlisted-folder', (all) => [entry('more/', '', '5'), ...all], /^Error: more\/ does not match/],
  ['twice', (all) => [...all.slice(1, 2), ...all], /^Error: cluster\/table .*twice/],
  ['missing', (all) => all.filter(({ name }) => name !== 'password'), /^Error: password is missing/],
  ['link', (all) => [entry('cluster/link', '', '2'), ...all], /^Error: cluster\/link is neither a file nor a folder/],
  ['upwards', (all) => [entry('cluster/../../x'), ...all], /^Error: it has an entry with the name/],
  ['unsigned', (all) => all.filter(({ name }) => name !== 'manifest.hmac'), /^Error: the list of its files is missing/],
]

for (const [name, change, why] of FORGED)
  test(`signed, then changed, is refused: ${name}`, () => assert.rejects(verify(changed(name, change)), why))

test('the entries are counted while they are read: an archive with too many is refused before its list is looked at', async () => {
  // Two files and a folder, the list and its HMAC.
  assert.equal((await readArchive(good, 'password', 5)).files.length, 3)
  await assert.rejects(readArchive(good, 'password', 4), /^Error: it has more than 4 entries/)
  const many = changed('many', (all) => [...Array.from({ length: 50 }, () => entry('cluster/empty')), ...all])
  await assert.rejects(readArchive(many, 'password', 50), /^Error: it has more than 50 entries/)
})

test('what has more entries than can be read back is not written', async () => {
  const path = join(folder, 'too-many.tar.gz')
  const facts = { takenAt: '2026-11-15T09:30:00.000Z', withKey: false }
  const fill = async (archive: ArchiveWriter) => {
    for (let index = 0; index < 3; index++) await archive.folder(`cluster/${index}/`)
  }
  await assert.rejects(writeArchive(path, KEY, facts, fill, 4), /^Error: it has more than 4 entries/)
  assert.ok(!existsSync(path) && !existsSync(`${path}.part`))
  await writeArchive(path, KEY, facts, fill, 5)
  assert.equal((await readArchive(path, 'password', 5)).files.length, 3)
})

test('replaced after it was verified: nothing that is not listed is unpacked', async () => {
  const manifest = await verify(good)
  const planted = changed('planted', (all) => [entry('master.key', 'planted'), ...all])
  await assert.rejects(unpack(planted, manifest, 'planted'), /master\.key is not in its list/)
  const other = (all: TarEntry[]) => all.map((one) => (one.name === 'password' ? entry(one.name, 'other!') : one))
  await assert.rejects(unpack(changed('other', other), manifest, 'other'), /password does not match the manifest/)
  assert.ok(!existsSync(join(folder, 'planted/master.key')))
})

test('an existing file, finished or not, is not written to', async () => {
  const write = (file: string) =>
    writeArchive(file, KEY, { takenAt: '', withKey: false }, () => assert.fail('it was written'))
  const before = readFileSync(good)
  await assert.rejects(write(good), /There is a file .*good\.tar\.gz already/)
  assert.deepEqual([readFileSync(good), existsSync(`${good}.part`)], [before, false])
  const other = join(folder, 'cut-off.tar.gz')
  writeFileSync(`${other}.part`, 'of another backup')
  await assert.rejects(write(other), /cut-off\.tar\.gz\.part already/)
  assert.equal(readFileSync(`${other}.part`, 'utf8'), 'of another backup')
})
