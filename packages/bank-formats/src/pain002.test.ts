import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { BankFileError, readOrderReport, reportedSum } from './index.ts'
import type { OrderReport } from './index.ts'
import { prefixed } from '../test/camt-file.ts'
import { inPieces } from '../test/sheets.ts'

const read = (file: string | Uint8Array) => readOrderReport(inPieces(Buffer.from(file as string), 7))

const reportOf = (content: string, version = '10') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-01-31T08:00:00+03:00</CreDtTm></GrpHdr>
${content}</CstmrPmtStsRpt></Document>`
const GROUP = '<OrgnlGrpInfAndSts><OrgnlMsgId>B1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>'
const WHOLE = reportOf(
  `${GROUP}<OrgnlNbOfTxs>2</OrgnlNbOfTxs><OrgnlCtrlSum>30.500</OrgnlCtrlSum><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId><PmtInfSts>PART</PmtInfSts>
<TxInfAndSts><StsId>1</StsId><OrgnlInstrId>I1</OrgnlInstrId><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Hesap kapalı</AddtlInf><AddtlInf>Şube 12</AddtlInf></StsRsnInf>
<OrgnlTxRef><Amt><InstdAmt Ccy="TRY">10.50</InstdAmt></Amt><CdtrAcct><Id><IBAN>TR620006200029500006291296</IBAN></Id></CdtrAcct></OrgnlTxRef>
</TxInfAndSts>
<TxInfAndSts><OrgnlEndToEndId>E2</OrgnlEndToEndId><TxSts>ACSC</TxSts><AcctSvcrRef>778899</AcctSvcrRef></TxInfAndSts>
</OrgnlPmtInfAndSts>`,
)

test('every level: statuses, reasons, original ids, amounts', async () => {
  for (const file of [
    WHOLE,
    prefixed(WHOLE),
    WHOLE.replaceAll('002.001.10', '002.001.03'),
    WHOLE.replace('.10"', '.11"'),
  ]) {
    const { id, group, payments } = await read(file)
    assert.deepEqual([id, group.messageId, group.status, group.count], ['R1', 'B1', 'PART', 2])
    assert.equal(reportedSum(group, 'TRY'), 3050n)
    const [payment] = payments
    assert.deepEqual([payments.length, payment?.id, payment?.status, payment?.reasons], [1, 'P1', 'PART', []])
    assert.deepEqual(
      payment?.transactions.map(({ position, ...rest }) => [rest, position.line]),
      [
        [
          {
            ...{
              endToEndId: 'E1',
              instructionId: 'I1',
              status: 'RJCT',
              amount: 1050n,
              currency: 'TRY',
              bankReference: null,
            },
            ...{ iban: 'TR620006200029500006291296', reasons: [{ code: 'AC04', text: 'Hesap kapalı Şube 12' }] },
          },
          6,
        ],
        [
          {
            ...{ endToEndId: 'E2', instructionId: null, status: 'ACSC', amount: null, currency: null, iban: null },
            ...{ bankReference: '778899', reasons: [] },
          },
          10,
        ],
      ],
    )
  }
})

const WRONG: [string, string, RegExp][] = [
  [
    'a statement',
    '<Document><BkToCstmrStmt/></Document>',
    /^line 1, column \d+: message_unexpected {"found":"<BkToCstmrStmt>","expected":\["pain.002"\]}/,
  ],
  ['another namespace', WHOLE.replace('pain.002', 'pain.001'), /namespace_differs .*"namespace":"pain\.001"}/],
  ['no group', reportOf(''), /^field_missing {"fields":\["<OrgnlGrpInfAndSts>"\]/],
  ['two groups', reportOf(`${GROUP}</OrgnlGrpInfAndSts>`.repeat(2)), /field_twice {"field":"<OrgnlGrpInfAndSts>"}/],
  [
    'a status that is none',
    WHOLE.replace('RJCT', 'Rejected!'),
    /^line 6, column \d+: field_wrong {"field":"<TxSts>","text":"Rejected!"/,
  ],
  [
    'an amount that is none',
    WHOLE.replace('10.50', '10.50x'),
    /^line 8, column \d+: value_not_amount {"text":"10.50x"/,
  ],
  ['an entity', WHOLE.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'), /xml_doctype/],
  ['no XML', 'report', /xml_malformed|message_unexpected/],
]
for (const [name, file, message] of WRONG)
  test(`${name}: an error with its place`, () =>
    assert.rejects(read(file), (error) => error instanceof BankFileError && message.test(error.message)))

test('more transactions than any order file has: an error, memory is bounded', async () => {
  const many = '<TxInfAndSts><TxSts>ACSC</TxSts></TxInfAndSts>'.repeat(10_001)
  const file = reportOf(`${GROUP}</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>${many}</OrgnlPmtInfAndSts>`)
  await assert.rejects(readOrderReport(inPieces(Buffer.from(file))), /too_many {"what":"transactions","most":10000}/)
})

/** Null if the file was refused. Any other error is thrown. */
async function outcome(file: Uint8Array): Promise<OrderReport | null> {
  try {
    return await readOrderReport(inPieces(file, 1000))
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    assert.ok(error.message.length < 500, error.message)
    return null
  }
}

const BYTES = Buffer.from(WHOLE)

test('a report cut anywhere is refused', async () => {
  for (let length = 0; length < BYTES.length; length++)
    assert.equal(await outcome(BYTES.subarray(0, length)), null, `cut at ${length}`)
})

test('a damaged report, or any bytes, are read or refused', async () => {
  const flips = fc.array(fc.tuple(fc.nat(BYTES.length - 1), fc.nat(7)), { minLength: 1, maxLength: 4 })
  const part = fc.tuple(fc.nat(BYTES.length), fc.nat(BYTES.length), fc.uint8Array({ maxLength: 20 }))
  await fc.assert(
    fc.asyncProperty(flips, part, fc.uint8Array({ maxLength: 300 }), async (each, [from, to, other], any) => {
      const damaged = Buffer.from(BYTES)
      for (const [at, bit] of each) damaged[at] = (damaged[at] as number) ^ (1 << bit)
      await outcome(damaged)
      await outcome(Buffer.concat([BYTES.subarray(0, from), other, BYTES.subarray(to)]))
      await outcome(any)
    }),
    { numRuns: 400, seed: 1 },
  )
})

const FOLDER = process.env['VEZNE_SAMPLES'] ?? join(import.meta.dirname, '../../../../shared/samples')
const skip = existsSync(FOLDER)
  ? false
  : `skipped: there is no folder of public samples (${FOLDER}, or set VEZNE_SAMPLES)`

test('public samples: every status with its id', { skip }, async (t) => {
  for (const file of globSync('pain/*pain_002*.xml', { cwd: FOLDER }).toSorted())
    await t.test(basename(file), async () => {
      const text = readFileSync(join(FOLDER, file), 'utf8')
      const all = (tag: string) =>
        [...text.matchAll(new RegExp(`<${tag}>\\s*(.*?)\\s*</${tag}>`, 'g'))].map(([, one]) => one)
      const { group, payments } = await read(text)
      const transactions = payments.flatMap((payment) => payment.transactions)
      assert.deepEqual([group.messageId].filter(Boolean), all('OrgnlMsgId'))
      assert.deepEqual([group.status].filter(Boolean), all('GrpSts'))
      assert.deepEqual(payments.map(({ status }) => status).filter(Boolean), all('PmtInfSts'))
      assert.deepEqual(
        transactions.map(({ status }) => status),
        all('TxSts'),
      )
      assert.deepEqual(transactions.map(({ endToEndId }) => endToEndId).filter(Boolean), all('OrgnlEndToEndId'))
    })
})
