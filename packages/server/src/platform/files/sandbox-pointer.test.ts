import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { envOfCommand } from '../../config.ts'
import { readSandbox } from '../../edges/cli/core/context.ts'
import { realClock } from '../time/clock.ts'
import { lockDataFolder } from './lock-data-folder.ts'
import { findRunningSandbox, pointToSandbox } from './sandbox-pointer.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-pointer-'))
after(() => rmSync(folder, { recursive: true }))

function sandbox(name: string) {
  const data = join(folder, name)
  const lock = lockDataFolder(data, realClock)
  writeFileSync(join(data, 'sandbox.json'), '{}')
  return { data, lock }
}

const home = join(folder, 'home')
const file = join(home, '.vezne', 'current.json')
const { data, lock } = sandbox('data')

test('the file is for its owner only, and names data folders and nothing else', () => {
  mkdirSync(home)
  pointToSandbox(file, data)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { dataFolders: [data] })
  assert.deepEqual([statSync(file).mode & 0o777, statSync(join(home, '.vezne')).mode & 0o777], [0o600, 0o700])
  assert.equal(findRunningSandbox(file), data)
})

test('of two, the one started last is found; when it has ended, the other', () => {
  const later = sandbox('later')
  pointToSandbox(file, later.data)
  pointToSandbox(file, data)
  pointToSandbox(file, later.data)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { dataFolders: [later.data, data] })
  assert.equal(findRunningSandbox(file), later.data)
  later.lock.release()
  assert.equal(findRunningSandbox(file), data)
})

test('a start forgets those that have ended', () => {
  const third = sandbox('third')
  pointToSandbox(file, third.data)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { dataFolders: [third.data, data] })
  third.lock.release()
})

test('a file that others can read or write, is damaged or leads nowhere is ignored', () => {
  pointToSandbox(file, data)
  for (const mode of [0o666, 0o640, 0o604]) {
    chmodSync(file, mode)
    assert.equal(findRunningSandbox(file), null, mode.toString(8))
  }
  chmodSync(file, 0o600)
  assert.equal(findRunningSandbox(file), data)
  for (const text of [
    '',
    '[]',
    'null',
    '{"dataFolders":7}',
    '{"dataFolders":[7,null,"x"]}',
    JSON.stringify({ dataFolders: [home] }),
  ]) {
    writeFileSync(file, text)
    assert.equal(findRunningSandbox(file), null, text)
  }
})

test('a file in a folder that others can write, and a link, are ignored', () => {
  pointToSandbox(file, data)
  chmodSync(join(home, '.vezne'), 0o777)
  assert.equal(findRunningSandbox(file), null, 'others can replace it')
  chmodSync(join(home, '.vezne'), 0o700)
  assert.equal(findRunningSandbox(file), data)
  const link = join(home, '.vezne', 'link.json')
  symlinkSync(file, link)
  assert.equal(findRunningSandbox(link), null)
})

test('the file or sandbox.json in a folder of another user is not used', { skip: process.geteuid?.() !== 0 }, () => {
  const NOBODY = 65_534
  pointToSandbox(file, data)
  chownSync(join(home, '.vezne'), NOBODY, NOBODY)
  assert.equal(findRunningSandbox(file), null)
  chownSync(join(home, '.vezne'), 0, 0)
  const foreign = join(folder, 'foreign')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'sandbox.json'), '{"baseUrl":"http://127.0.0.1:9"}')
  assert.ok(readSandbox({ dataFolder: foreign }))
  const theirs = join(folder, 'theirs')
  symlinkSync(foreign, theirs)
  assert.ok(readSandbox({ dataFolder: theirs }), 'a link of our own')
  lchownSync(theirs, NOBODY, NOBODY)
  assert.throws(() => readSandbox({ dataFolder: theirs }), /belongs to another user/)
  for (const path of [foreign, join(foreign, 'sandbox.json')]) {
    chownSync(path, NOBODY, NOBODY)
    assert.throws(() => readSandbox({ dataFolder: foreign }), /belongs to another user.* VEZNE_DATA=FOLDER/, path)
    chownSync(path, 0, 0)
  }
})

test('a home folder that cannot be written is no error', () => {
  const notes = join(folder, 'a-file')
  writeFileSync(notes, '')
  for (const where of [join(notes, '.vezne/current.json'), '/proc/none/current.json'])
    assert.doesNotThrow(() => pointToSandbox(where, data), where)
})

test('a command uses what is named first, then the file; never in live, nor without a home folder', () => {
  pointToSandbox(file, data)
  const HOME = home
  assert.deepEqual(envOfCommand({ HOME }), { HOME, VEZNE_DATA: data })
  const others: Record<string, string>[] = [
    { HOME, DATABASE_URL: 'postgres://u:p@db/vezne' },
    { HOME, VEZNE_DATA: '/srv/other' },
    { HOME, VEZNE_MODE: 'live' },
    { HOME, VEZNE_MODE: 'LIVE' },
    { HOME: '' },
    { HOME: 'home' },
    {},
  ]
  for (const env of others) assert.deepEqual(envOfCommand(env), env)
  lock.release()
  assert.deepEqual(envOfCommand({ HOME }), { HOME })
})
