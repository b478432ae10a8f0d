import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineForTerminal } from './log-for-terminal.ts'

const plain = (_style: unknown, text: string) => text
const line = (fields: object) =>
  JSON.stringify({ level: 30, time: '2026-11-15T11:32:05.123Z', pid: 7, msg: 'request', ...fields })

test('time, level, message and fields, aligned; a text with spaces is quoted', () => {
  const fields = { status: 200, path: '/v1/balance', why: 'two words', nested: { a: [1] }, none: null }
  const shown = lineForTerminal(line(fields), plain)
  assert.match(
    shown,
    /^\d\d:\d\d:05\.123 INFO {2}request {30}status=200 path=\/v1\/balance why="two words" nested=\{"a":\[1\]\} none=null\n$/,
  )
  const warned = lineForTerminal(line({ level: 40, msg: 'x', status: 1 }), plain)
  assert.equal(warned.indexOf('status='), shown.indexOf('status='))
})

test('an error has its stack and those of its causes on lines of their own', () => {
  const cause = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at three' }
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at one\n    at two', code: '23505', cause }
  const rows = lineForTerminal(line({ level: 50, msg: 'failed', err }), plain).split('\n')
  assert.match(rows[0] ?? '', /ERROR failed +code=23505$/)
  const traces = ['Error: broken', '    at one', '    at two', 'caused by Error: gone', '    at three']
  assert.deepEqual(rows.slice(1), [...traces.map((one) => `    ${one}`), ''])
})

test('what cannot be seen is escaped in names, values, messages and stacks: it forges no line and no colour', () => {
  const hostile = 'a\u001b[31m\u009b1m\u202eb\nINFO forged\r\u2028'
  const fields = { msg: hostile, [hostile]: hostile, deep: { [hostile]: [hostile] } }
  const shown = lineForTerminal(line(fields), plain)
  assert.doesNotMatch(shown.slice(0, -1), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  const trace = lineForTerminal(line({ err: { stack: hostile } }), plain).split('\n')
  assert.deepEqual(
    trace.slice(1).filter((one) => !one.startsWith('    ')),
    [''],
  )
  assert.doesNotMatch(trace.join(''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
})

test('a message may be anything, and a long text is cut', () => {
  for (const msg of [null, 7, true, { a: 1 }, ['x']])
    assert.match(
      lineForTerminal(line({ msg, status: 1 }), plain),
      /INFO {2}(null|7|true|\{"a":1\}|\["x"\]) +status=1\n$/,
    )
  const long = 'x'.repeat(20_000)
  const shown = lineForTerminal(line({ msg: long, field: long, err: { stack: long } }), plain)
  assert.ok(shown.length < 4000, `${shown.length}`)
  assert.match(shown, /field=x+… \(20000 characters\)/)
})
