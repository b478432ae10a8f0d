import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { threadMs } from '../../../../../test/harness/thread-ms.ts'
import { Refusal } from '../refusal.ts'
import { parseStrictJson } from './strict-json.ts'

// Twice the bytes must cost about twice the time. A quadratic parser takes four times as long.
const HALF = 32_000
const RUNS = 7
const TRIES = 3
const MAX_RATIO = 3
/** Allowance for a garbage collection during a measurement. */
const SLACK_MS = 4

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
  'white space': repeated('{', ' ', '}'),
  'an unfinished string': repeated('{"a":"', '\\"', ''),
  'an unfinished array': repeated('{"a":[', '{},', ''),
  'an unfinished object': repeated('{', '"a":1,', ''),
  'an unfinished number': repeated('{"a":', '1', ''),
}

function cpuMs(bytes: Buffer): number {
  return threadMs(() => {
    try {
      parseStrictJson(bytes)
    } catch (error) {
      assert.ok(error instanceof Refusal, String(error))
    }
  })
}

/** The fastest of several alternating runs, so that both sizes see the same machine speed. */
function fastest(half: Buffer, whole: Buffer): { half: number; whole: number } {
  const runs = Array.from({ length: RUNS }, () => ({ half: cpuMs(half), whole: cpuMs(whole) }))
  return { half: Math.min(...runs.map((run) => run.half)), whole: Math.min(...runs.map((run) => run.whole)) }
}

/** Retried: a quadratic parser fails every time, a linear one only occasionally, under cache pressure. */
function assertLinear(shape: Shape, name: string): void {
  const [half, whole] = [Buffer.from(shape(HALF)), Buffer.from(shape(2 * HALF))]
  let figures = ''
  for (let tries = 0; tries < TRIES; tries++) {
    const ms = fastest(half, whole)
    if (ms.whole <= MAX_RATIO * ms.half + SLACK_MS) return
    figures = `32 kB took ${ms.half.toFixed(1)} ms, 64 kB ${ms.whole.toFixed(1)} ms: ${name}`
  }
  assert.fail(figures)
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`twice the body takes about twice the time: ${name}`, () => assertLinear(shape, name))
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
      assertLinear(inArray(part), part)
      assertLinear(repeated('{"a":[', part + joint, ''), part)
    }),
    { numRuns: 40 },
  )
})
