import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../../test/harness/linear-time.ts'
import { Refusal } from '../refusal.ts'
import { parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

function refused(input: string | Buffer, problem: RegExp) {
  assert.throws(
    () => parseStrictJson(Buffer.from(input)),
    (error) => {
      assert.ok(error instanceof Refusal, `not a Refusal: ${String(error)}`)
      assert.equal(error.code, 'VALIDATION_ERROR')
      assert.match(error.message, problem)
      return true
    },
  )
}

test('the same key twice in one object is refused, however it is spelled and wherever it stands', () => {
  for (const text of [
    '{"amount":1,"amount":2}',
    '{"amount":1,"\\u0061mount":2}',
    '{"\\u0061mount":1,"amo\\u0075nt":2}',
    '{"a":{"b":1},"a":{"b":1}}',
    '[{"x":[1,{"k":"v","l":[],"k":null}]}]',
    '{"":1,"":2}',
    '{"a":[1,2],"b":{"c":3},"a":4}',
    '{"a\\"b":1,"a\\u0022b":2}',
    '{"ş":1,"\\u015f":2}',
    '{"😀":1,"\\ud83d\\ude00":2}',
  ]) {
    refused(text, /twice in one object/)
  }
})

test('the same key in different objects, or as a value, is no duplicate', () => {
  for (const text of [
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a","c":["a","a"]}',
    '{"a":1,"A":2,"a ":3}',
    '{"é":1,"e\\u0301":2}',
  ]) {
    assert.deepEqual(parse(text), JSON.parse(text))
  }
})

test('braces, quotes, colons, commas and digits inside strings are only text', () => {
  for (const text of [
    '{"{\\"a\\":1,\\"a\\":2}":"}{][,:\\"\\\\"}',
    '{"a:":"b","a,":"{","a\\\\":"\\\\"}',
    '["[[[[[[[[[[[[[[[[[[[[[[","1e400","9007199254740993"]',
    '{"\\\\":1,"\\"":2,"\\\\\\"":3}',
    '{"x":"__proto__"}',
    '{"1e400":"100.00000000000000001"}',
  ]) {
    assert.deepEqual(parse(text), JSON.parse(text))
  }
})

test('16 levels are accepted, 17 are refused, siblings do not count', () => {
  assert.doesNotThrow(() => parse(nested(16)))
  refused(nested(17), /deeper than 16/)
  assert.doesNotThrow(() => parse(nestedObjects(16)))
  refused(nestedObjects(17), /deeper than 16/)
  assert.doesNotThrow(() => parse(`[${Array(1000).fill(nested(15)).join()}]`))
  refused(`[${nested(15)},${nested(16)}]`, /deeper than 16/)
})

test('bytes that are not UTF-8 are refused', () => {
  const inString = (...bytes: number[]) => Buffer.from([0x22, ...bytes, 0x22])
  refused(inString(0xff), /UTF-8/)
  refused(inString(0xc3), /UTF-8/)
  refused(inString(0xc0, 0xaf), /UTF-8/) // overlong
  refused(inString(0xed, 0xa0, 0x80), /UTF-8/) // a surrogate, encoded
  refused(inString(0xf5, 0x80, 0x80, 0x80), /UTF-8/) // beyond U+10FFFF
  refused(Buffer.from('{"a":1}', 'utf16le'), /JSON|UTF-8/)
  refused(Buffer.from('\ufeff{}'), /JSON/) // a byte order mark is not JSON
})

test('half a surrogate pair is refused in keys and values; a whole pair is a character', () => {
  for (const half of ['\\ud800', '\\udc00', '\\udc00\\ud800', '\\ud83d\\u0041', 'a\\uDBFFb', '\\ud83d😀']) {
    refused(`"${half}"`, /surrogate/)
    refused(`{"${half}":1}`, /surrogate/)
  }
  assert.equal(parse('"\\ud83d\\ude00"'), '😀')
  assert.equal(parse('"\\\\ud800"'), '\\ud800')
})

test('NUL is refused in keys and values; other control characters may be escaped', () => {
  refused('"a\\u0000b"', /NUL/)
  refused('{"a\\u0000":1}', /NUL/)
  refused('"a\0b"', /JSON/)
  assert.equal(parse('"\\\\u0000"'), '\\u0000')
  assert.equal(parse('"\\u0001\\u001f\\u007f\\n"'), '\u0001\u001f\u007f\n')
})

test('a key named __proto__ is refused in any spelling; it changes no prototype', () => {
  refused('{"__proto__":{"admin":true}}', /__proto__/)
  refused('{"a":[{"\\u005f_proto__":1}]}', /__proto__/)
  assert.equal(({} as { admin?: boolean }).admin, undefined)
})

test('numbers that a double would change are refused', () => {
  for (const text of ['1e400', '-1e400', '9'.repeat(400)]) refused(text, /too large/)
  for (const text of [
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e16',
    '100.00000000000000001',
    '-100.00000000000000001',
    '99.999999999999999999999',
    '1e-400',
    '1.0000000000000000000000001e3',
    '9007199254740991.1',
  ]) {
    refused(`{"amount":${text}}`, /rounded/)
    refused(`[1,${text},2]`, /rounded/)
  }
})

test('every spelling of a whole number that is exactly itself is accepted', () => {
  const same: [string, number][] = [
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1.0E7', 1e7],
    ['1000.0', 1000],
    ['1000.000000000000000000000000', 1000],
    ['12500e-2', 125],
    ['1.25e2', 125],
    ['0.000125e6', 125],
    ['0', 0],
    ['0.0', 0],
    ['0e99999999999', 0],
    ['-0', -0],
    ['-1e3', -1000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991.0', Number.MIN_SAFE_INTEGER],
    ['0.1', 0.1],
    ['-12.5', -12.5],
    [`1${'0'.repeat(5000)}e-5000`, 1],
    [`0.${'0'.repeat(5000)}1e5001`, 1],
  ]
  for (const [text, value] of same) assert.equal(parse(text), value, text.slice(0, 40))
})

test('what is not JSON is refused as such', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '01',
    '1.',
    '+1',
    '// x\n1',
    '{"a":1}{}',
    '\u00a01',
  ]) {
    refused(text, /not valid JSON/)
  }
})

test('any JSON value without the traps comes out as JSON.parse reads it, also with spaces', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((s) => !s.includes('\0'))
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: -9e15, max: 9e15 }))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 8 }, text, number, fc.boolean(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 6 }),
    object: fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 6 },
    ),
  }))
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t', '\n'), (v, space) => {
      const written = JSON.stringify(v, null, space)
      assert.deepEqual(parse(written), JSON.parse(written))
    }),
    { numRuns: 500 },
  )
})

test('any whole number beyond 2^53 is refused, any within is kept', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (integer) => {
      if (-(2n ** 53n) < integer && integer < 2n ** 53n) assert.equal(parse(String(integer)), Number(integer))
      else refused(String(integer), /rounded/)
    }),
  )
})

/** Of the small texts: the large one has 64 kB. */
const SIZE = 4000
const SHAPES: Record<string, (size: number) => string> = {
  'escaped quotes': (size) => `"${'\\"'.repeat(size / 2)}"`,
  backslashes: (size) => `"${'\\\\'.repeat(size / 2)}"`,
  'an unfinished string of backslashes': (size) => `"${'\\'.repeat(size)}`,
  'unbalanced quotes': (size) => '"'.repeat(size),
  'opening brackets': (size) => '['.repeat(size),
  'nested brackets': (size) => nested(size / 2),
  'a long whole number': (size) => '1'.repeat(size),
  'a whole number of zeros and a one behind the point': (size) => `1.${'0'.repeat(size)}1`,
  'a fraction of zeros': (size) => `0.${'0'.repeat(size)}`,
  'many small numbers': (size) =>
    `[${Array(size / 2)
      .fill('1')
      .join()}]`,
  'signs and exponents': (size) => '1e+-.'.repeat(size / 5),
  'many keys': (size) => `{${Array.from({ length: size / 10 }, (_, index) => `"k${index}":1`).join()}}`,
  'unicode escapes': (size) => `"${'\\u0061'.repeat(size / 6)}"`,
  spaces: (size) => `${' '.repeat(size)}1`,
}
for (const [what, shape] of Object.entries(SHAPES)) {
  test(`64 kB of ${what} are read in linear time`, () => {
    assertLinear(
      what,
      shape,
      (text) => {
        try {
          parse(text)
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error))
        }
      },
      SIZE,
    )
  })
}
