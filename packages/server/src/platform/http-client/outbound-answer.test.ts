import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPost, serve } from '../../../../../test/harness/outbound.ts'

const LIMIT = 16 * 1024

test('the body is text that PostgreSQL takes: no NUL, no invalid UTF-8', async (t) => {
  const url = await serve(t, (request, response) => {
    request.pipe(response)
  })
  const post = openPost(t)
  for (const [sent, kept] of [
    ['teşekkürler 🎉', 'teşekkürler 🎉'],
    ['a\0b\0', 'a\u{FFFD}b\u{FFFD}'],
    [Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]), 'a\u{FFFD}\u{FFFD}(b'],
    // A lone surrogate, as some encoders write it; then a character cut off at the end.
    [Buffer.from([0xed, 0xa0, 0x80, 0x21, 0xc5]), '\u{FFFD}\u{FFFD}\u{FFFD}!\u{FFFD}'],
    ['\u{FEFF}bom', '\u{FEFF}bom'],
    ['', ''],
  ] as const) {
    const { body } = await post(url, sent)
    assert.equal(body, kept)
    assert.ok(body.isWellFormed())
  }
})

test('16 kB are kept, and a character that is cut in two there is left out', async (t) => {
  const url = await serve(t, (request, response) => {
    request.pipe(response)
  })
  const post = openPost(t)
  const kept = async (body: string) => (await post(url, body)).body
  assert.equal(await kept('x'.repeat(LIMIT)), 'x'.repeat(LIMIT))
  assert.equal(await kept('x'.repeat(LIMIT + 1)), 'x'.repeat(LIMIT))
  assert.equal(await kept(`${'x'.repeat(LIMIT - 1)}ş`), 'x'.repeat(LIMIT - 1))
  assert.equal(await kept('🎉'.repeat(LIMIT)), '🎉'.repeat(LIMIT / 4))
})

test('a body in many pieces is put together', async (t) => {
  const pieces = Array.from({ length: 3000 }, (_, index) => `${index},`)
  const url = await serve(t, (_, response) => {
    const write = (index: number): unknown =>
      index === pieces.length ? response.end() : response.write(pieces[index], () => write(index + 1))
    write(0)
  })
  assert.equal((await openPost(t)(url)).body, pieces.join('').slice(0, LIMIT))
})

test('Retry-After: seconds or a date, a day at most, null when it makes no sense', async (t) => {
  const clock = { now: () => new Date('2026-01-02T03:04:05.500Z') }
  let header: string | string[] | undefined
  const url = await serve(t, (_, response) => {
    if (header !== undefined) response.setHeader('retry-after', header)
    response.writeHead(503).end()
  })
  const post = openPost(t, { clock })
  const cases: [header: string | string[] | undefined, seconds: number | null][] = [
    ...[undefined, '', '-1', '1.5', '1e3', '0x10', 'soon', '5 minutes'].map((text): [string | undefined, null] => [
      text,
      null,
    ]),
    ['0', 0],
    ['120', 120],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    [['5', '7'], null],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60],
    ['Fri, 02 Jan 2026 03:04:05 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Sat, 01 Jan 2050 00:00:00 GMT', 86_400],
    ['Fri, 99 Foo 2026 03:05:05 GMT', null],
    ['2026-01-02T03:05:05Z', null],
    ['January 5', null],
  ]
  for (const [given, seconds] of cases) {
    header = given
    assert.equal((await post(url)).retryAfterSeconds, seconds, JSON.stringify(given))
  }
})
