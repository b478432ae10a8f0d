import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError } from './file-problems.ts'
import { detectFormat } from './detect-format.ts'
import type { DetectedFormat } from './detect-format.ts'
import { readAll } from '../test/bytes-of.ts'
import { BOMBS, FUZZED } from '../test/fuzzed-files.ts'
import type { StatementReader } from './statement.ts'

/** The number of statements, or null if the file was refused, with a place. Any other error is thrown. */
async function outcome(read: StatementReader, file: Uint8Array): Promise<number | null> {
  try {
    return (await readAll(read, file, 1000)).length
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    const { line, column = 1 } = error.problem.position ?? { line: 1 }
    assert.ok(Number.isInteger(line) && line >= 1 && Number.isInteger(column) && column >= 1, error.message)
    assert.match(error.message, /^(?:(?:sheet ".*", )?line \d+(?:, column \d+)?: )?[a-z]+(?:_[a-z]+)+ {/s)
    assert.ok(error.message.length < 500, error.message)
    return null
  }
}

for (const { name, read, source, pack = (bytes: Uint8Array) => bytes, cutIsSeen } of FUZZED) {
  const bytes = Buffer.from(source)

  test(`${name} cut anywhere is refused${cutIsSeen ? '' : ' or has whole lines'}`, async () => {
    assert.equal(await outcome(read, pack(bytes)), 1)
    for (let length = 0; length < bytes.length; length++) {
      const found = await outcome(read, pack(bytes.subarray(0, length)))
      assert.ok(found === null || (!cutIsSeen && found === 1), `cut at ${length}`)
    }
  })

  test(`${name} with flipped bits is read or refused`, async () => {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(flips, async (each) => {
        const damaged = Buffer.from(bytes)
        for (const [at, bit] of each) damaged[at] = (damaged[at] as number) ^ (1 << bit)
        await outcome(read, pack(damaged))
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test(`${name} with a part removed, repeated or replaced is read or refused`, async () => {
    const part = fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length), fc.uint8Array({ maxLength: 20 }))
    await fc.assert(
      fc.asyncProperty(part, async ([from, to, other]) => {
        await outcome(read, pack(Buffer.concat([bytes.subarray(0, from), other, bytes.subarray(to)])))
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test(`${name}: any bytes are read or refused`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (any) => void (await outcome(read, pack(any)))),
      { numRuns: 200, seed: 1 },
    )
  })
}

for (const { name, read, file } of BOMBS)
  test(`made to grow or to be slow, refused: ${name}`, async () => assert.equal(await outcome(read, file()), null))

const isAnswer = ({ format, problem }: DetectedFormat) => format !== null || problem !== null

test('what a file is can be said of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (any) => assert.ok(isAnswer(detectFormat(any)))),
    { numRuns: 500, seed: 1 },
  )
  const heads = ['<', '"', '<a ', ':20:\n', '{1:', ';', ' ', 'TR00 0', '\u0130;'].map((text) => text.repeat(64 * 1024))
  for (const head of heads) assert.ok(isAnswer(detectFormat(Buffer.from(head))))
})
