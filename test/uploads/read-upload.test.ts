import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { FileTooLarge, readUpload, TooManyFiles } from '../../packages/server/src/edges/web/console/read-upload.ts'

// A form with a file, as a browser writes it, in pieces of any size.

const MAX = 1024 * 1024
const BOUNDARY = 'x-form'
const part = (head: string, body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])
const field = (name: string, value: string) => part(`name="${name}"`, value)
const file = (name: string, body: string | Buffer) => part(`name="file"; filename="${name}"`, body)
const END = Buffer.from(`--${BOUNDARY}--\r\n`)

async function read(parts: Buffer[], { pieces = 7, type = `multipart/form-data; boundary=${BOUNDARY}` } = {}) {
  const all = Buffer.concat(parts)
  function* cut() {
    for (let at = 0; at < all.length; at += pieces) yield all.subarray(at, at + pieces)
  }
  const sent = await readUpload(Readable.from(cut(), { objectMode: false }), { 'content-type': type }, MAX)
  const content = sent.file ? Buffer.concat(await Array.fromAsync(sent.file.content)) : null
  return { fields: sent.fields, name: sent.file?.name, content }
}

test('fields before the file, its name and its bytes, however they are cut', async () => {
  const body = Buffer.from(Array.from({ length: 500 }, (_, at) => at % 256))
  for (const pieces of [1, 3, 64, 100_000]) {
    const sent = await read([field('csrf', 'ş-token'), file('ekstre.xml', body), END], { pieces })
    assert.deepEqual([sent.fields.get('csrf'), sent.name, sent.content], ['ş-token', 'ekstre.xml', body])
  }
})

test('a field after the file does not count', async () => {
  const sent = await read([file('a.csv', 'x'), field('csrf', 'late'), END])
  assert.equal(sent.fields.get('csrf'), null)
})

test('no file chosen, and no file at all: none', async () => {
  for (const parts of [
    [field('csrf', 't'), file('', ''), END],
    [field('csrf', 't'), END],
  ])
    assert.deepEqual(await read(parts).then(({ fields, content }) => [fields.get('csrf'), content]), ['t', null])
})

const NAMES: [given: string, kept: string][] = [
  ['../../etc/passwd', 'passwd'],
  ['C:\\\\Users\\\\x\\\\ekstre.csv', 'ekstre.csv'],
  ['\u202Egnp.exe\u2066', 'gnp.exe'],
  ['<img src=x onerror=alert(1)>.xml', '<img src=x onerror=alert(1)>.xml'],
  ['a'.repeat(400), `${'a'.repeat(120)}…`],
  ['\u0007\u2028', 'file'],
]

for (const [given, kept] of NAMES)
  test(`a file name is one line without a path: ${JSON.stringify(given.slice(0, 40))}`, async () => {
    assert.equal((await read([file(given, 'x'), END])).name, kept)
  })

test('one byte more than the limit ends the reading; exactly the limit does not', async () => {
  const full = await read([file('a', Buffer.alloc(MAX)), END], { pieces: 50_000 })
  assert.equal(full.content?.length, MAX)
  await assert.rejects(read([file('a', Buffer.alloc(MAX + 1)), END], { pieces: 50_000 }), FileTooLarge)
})

const UNREADABLE: [string, Parameters<typeof read>][] = [
  ['it ends in the middle of the file', [[field('csrf', 't'), file('a', 'x')]]],
  ['it ends in the middle of a field', [[field('csrf', 't').subarray(0, -3)]]],
  ['no boundary', [[END], { type: 'multipart/form-data' }]],
  ['a field that is too long', [[field('csrf', 'x'.repeat(5000)), END]]],
  ['too many fields', [[...Array.from({ length: 30 }, (_, at) => field(`f${at}`, 'x')), END]]],
]

for (const [what, given] of UNREADABLE)
  test(`refused: ${what}`, () => assert.rejects(read(...given), { statusCode: 400 }))

test('a connection that closes ends the reading of the file', async () => {
  const body = new Readable({ read: () => undefined })
  body.push(Buffer.concat([field('csrf', 't'), file('a', 'first bytes').subarray(0, -2)]))
  const sent = await readUpload(body, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, MAX)
  const reading = Array.fromAsync(sent.file?.content ?? [])
  body.destroy()
  await assert.rejects(reading, { statusCode: 400 })
})

/** All files of a form that takes three. */
async function readSeveral(parts: Buffer[], pieces: number) {
  const all = Buffer.concat(parts)
  function* cut() {
    for (let at = 0; at < all.length; at += pieces) yield all.subarray(at, at + pieces)
  }
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  const sent = await readUpload(Readable.from(cut(), { objectMode: false }), { 'content-type': type }, MAX, 3)
  const files: [string, string][] = []
  const keep = async (one: { name: string; content: AsyncIterable<Uint8Array> }) =>
    files.push([one.name, Buffer.concat(await Array.fromAsync(one.content)).toString()])
  if (sent.file) await keep(sent.file)
  for await (const one of sent.others) await keep(one)
  return { csrf: sent.fields.get('csrf'), files }
}

test('several files: each as it came, however the form is cut', async () => {
  const long = 'x'.repeat(200_000)
  const parts = [field('csrf', 't'), file('a.xml', 'one'), file('b.csv', long), file('c.sta', ''), END]
  for (const pieces of [7, 64, 65_536, 1_000_000]) {
    const sent = await readSeveral(parts, pieces)
    assert.deepEqual(sent, { csrf: 't', files: [['a.xml', 'one'], ['b.csv', long], ['c.sta', '']] }) // prettier-ignore
  }
})

test('several files: more than the form takes, more bytes together, or a form that breaks off', async () => {
  const many = [1, 2, 3, 4].map((at) => file(`${at}.xml`, 'x'))
  const half = 'x'.repeat(MAX / 2 + 1)
  for (const pieces of [7, 1_000_000])
    await assert.rejects(readSeveral([field('csrf', 't'), ...many, END], pieces), TooManyFiles)
  await assert.rejects(readSeveral([file('a', half), file('b', half), END], 65_536), FileTooLarge)
  await assert.rejects(readSeveral([file('a', 'x'), file('b', 'y').subarray(0, -10)], 64), { statusCode: 400 })
})
