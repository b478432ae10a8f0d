import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../../test/harness/linear-time.ts'
import { Refusal } from '../refusal.ts'
import { parseStrictJson } from './strict-json.ts'

type Shape = (size: number) => string

function list(item: (index: number) => string, size: number): string {
  const items: string[] = []
  for (let length = 0; length < size; length += (items.at(-1) ?? '').length + 1) items.push(item(items.length))
  return items.join()
}

function inObject(item: (index: number) => string): Shape {
  return (size) => `{${list(item, size)}}`
}

function inArrayOf(item: (index: number) => string): Shape {
  return (size) => `{"a":[${list(item, size)}]}`
}

function inArray(item: string): Shape {
  return inArrayOf(() => item)
}

function repeated(before: string, part: string, after: string): Shape {
  return (size) => before + part.repeat(size / part.length) + after
}

const SHAPES: Record<string, Shape> = {
  'many keys': inObject((index) => `"k${index}":1`),
  'many long keys that differ at their end': inObject((index) => `"${'a'.repeat(20)}${index}":1`),
  'keys that are numbers': inObject((index) => `"${index}":1`),
  'keys that are multiples of a power of two': inObject((index) => `"${(index + 256) * 4096}":1`),
  'keys with escapes': inObject((index) => `"\\u006b${index}":1`),
  'one key in many objects': inArrayOf((index) => `{"k${index}":1}`),
  'empty objects': inArray('{}'),
  'empty arrays': inArray('[]'),
  'empty strings': inArray('""'),
  'strings with one escape': inArray('"\\n"'),
  fractions: inArray('1.0'),
  'numbers and white space': inArray('1 '),
  exponents: inArray('1e1'),
  words: inArray('true'),
  'nesting to the limit': inArray(`${'['.repeat(14)}${']'.repeat(14)}`),
  'objects to the limit': inArray('{"a":{"a":{"a":{"a":{"a":{}}}}}}'),
  'escaped quotes': repeated('{"a":"', '\\"', '"}'),
  backslashes: repeated('{"a":"', '\\\\', '"}'),
  'surrogate pairs': repeated('{"a":"', '\\ud83d\\ude00', '"}'),
  'one long whole number': repeated('{"a":', '1', '}'),
  'one long fraction of zeros': repeated('{"a":1.', '0', '}'),
  'zeros before a one': repeated('{"a":0.', '0', '1e9}'),
  'zeros between two ones': repeated('{"a":1.', '0', '1}'),
  'white space': repeated('{', ' ', '}'),
  'an unfinished string': repeated('{"a":"', '\\"', ''),
  'an unfinished array': repeated('{"a":[', '{},', ''),
  'an unfinished object': repeated('{', '"a":1,', ''),
  'an unfinished number': repeated('{"a":', '1', ''),
}

function parse(bytes: Buffer): void {
  try {
    parseStrictJson(bytes)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
  }
}

const assertLinearShape = (shape: Shape, name: string) => assertLinear(name, (size) => Buffer.from(shape(size)), parse)

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`one large body takes about as long as the same bytes in small ones: ${name}`, () =>
    assertLinearShape(shape, name))
}

test('no repetition of a few tokens takes more than linear time', () => {
  const tokens = [
    '{}',
    '[]',
    '""',
    '"a"',
    '"\\n"',
    '"\\\\"',
    '1',
    '-1.5',
    '1e2',
    '1.000',
    'true',
    'null',
    '{"a":1}',
    '[[]]',
  ]
  const joints = fc.constantFrom(',', ' ,', ',\n', ':', '')
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 4 }), joints, (some, joint) => {
      const part = some.join(joint)
      assertLinearShape(inArray(part), part)
      assertLinearShape(repeated('{"a":[', part + joint, ''), part)
    }),
    { numRuns: 40 },
  )
})
