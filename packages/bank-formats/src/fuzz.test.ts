import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError } from './bank-file-error.ts'
import { readCamt } from './camt.ts'
import { readMt940 } from './mt940.ts'
import type { StatementReader } from './statement.ts'
import { readAll } from '../test/bytes-of.ts'
import { balance, camtFile, details, entry, statement } from '../test/camt-file.ts'

const CAMT = camtFile([
  statement(
    balance('OPBD', '0') +
      balance('CLBD', '100') +
      '<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>100</Sum></TtlNtries></TxsSummry>' +
      entry({
        more: details('<Amt Ccy="TRY">60</Amt><RmtInf><Ustrd>Şş &amp;</Ustrd></RmtInf>', '<Amt Ccy="TRY">40</Amt>'),
      }),
  ),
])
const MT940 = `{1:F01X}{2:O940Y}{4:
:20:REF
:25:TR330006100519786457841326TRY
:28C:1/1
:60F:C260130TRY0,
:61:2601310131C100,00NTRFREF//BANK
:86:166?00GUTSCHRIFT?20SVWZ+Şş
:86:/EREF/1/REMI/x
:62F:C260131TRY100,00
-}`
const FILES: { name: string; read: StatementReader; file: string }[] = [
  { name: 'camt', read: readCamt, file: CAMT },
  { name: 'MT940', read: readMt940, file: MT940 },
]

/** The number of statements, or null if the file was refused. Any other error is thrown. */
async function outcome(read: StatementReader, file: Uint8Array): Promise<number | null> {
  try {
    return (await readAll(read, file, 1000)).length
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    assert.ok(error.message.length < 500, error.message)
    return null
  }
}

for (const { name, read, file } of FILES) {
  const bytes = Buffer.from(file)

  test(`${name} cut anywhere is refused`, async () => {
    assert.equal(await outcome(read, bytes), 1)
    for (let length = 0; length < bytes.length; length++)
      assert.equal(await outcome(read, bytes.subarray(0, length)), null, `cut at ${length}`)
  })

  test(`${name} with flipped bits is read or refused`, async () => {
    const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(flips, async (each) => {
        const damaged = Buffer.from(bytes)
        for (const [at, bit] of each) damaged[at] = (damaged[at] as number) ^ (1 << bit)
        await outcome(read, damaged)
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test(`${name} with a part removed, repeated or replaced is read or refused`, async () => {
    const part = fc.tuple(fc.nat(bytes.length), fc.nat(bytes.length), fc.uint8Array({ maxLength: 20 }))
    await fc.assert(
      fc.asyncProperty(part, async ([from, to, other]) => {
        await outcome(read, Buffer.concat([bytes.subarray(0, from), other, bytes.subarray(to)]))
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  test(`${name}: any bytes are read or refused`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (any) => void (await outcome(read, any))),
      { numRuns: 300, seed: 1 },
    )
  })
}
