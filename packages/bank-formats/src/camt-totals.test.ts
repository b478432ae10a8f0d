import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './file-problems.ts'
import { readCamt } from './camt.ts'
import { problemsOf, readAll, readOne } from '../test/bytes-of.ts'
import { balance, camtFile, details, entry, statement } from '../test/camt-file.ts'

const read = (file: string) => readOne(readCamt, file)
const refused = (file: string, message: RegExp) =>
  assert.rejects(readAll(readCamt, file), (error) => error instanceof BankFileError && message.test(error.message))
/** The file is read; its only problem is this. */
const contradicts = async (file: string, ...problems: RegExp[]) => {
  const found = problemsOf(await read(file))
  assert.equal(found.length, problems.length, found.join('\n'))
  for (const [index, problem] of problems.entries()) assert.match(found[index] ?? '', problem)
}

const inLira = (kurus: number) => ({ minor: String(kurus), currency: 'TRY' })
const ends = (code: string, facts: object) => new RegExp(`${RegExp.escape(`: ${code} ${JSON.stringify(facts)}`)}$`)
const sum = (field: string, of: string, found: number, expected: number) =>
  ends('sum_differs', { field, of, found: inLira(found), expected: inLira(expected) })
const count = (field: string, of: string, found: number, expected: number) =>
  ends('count_differs', { field, of, found, expected })
const closing = (found: number, expected: number) =>
  ends('closing_differs', { found: inLira(found), expected: inLira(expected) })

const LINES = entry() + entry({ amount: '30.00', mark: 'DBIT' })
const SUMMARY =
  '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries><Sum>130</Sum><TtlNetNtryAmt>70.0000</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>' +
  '<TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>100.00</Sum></TtlCdtNtries><TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>30</Sum></TtlDbtNtries></TxsSummry>'

test('totals that hold are accepted, in the form of version 2 and of version 8', async () => {
  const later = SUMMARY.replace(
    '<TtlNetNtryAmt>70.0000</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd>',
    '<TtlNetNtry><Amt>70</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry>',
  )
  for (const summary of [SUMMARY, later]) {
    const { lines, credits, debits, problems } = await read(camtFile([statement(summary + LINES)]))
    assert.deepEqual({ lines, credits, debits, problems }, { lines: 2, credits: 100_00n, debits: 30_00n, problems: [] })
  }
  await contradicts(
    camtFile([statement(later.replace('<Amt>70<', '<Amt>71<') + LINES)]),
    sum('<TtlNtries>', 'net', 7100, 7000),
  )
})

test('totals may leave out pending lines', async () => {
  const pending = entry({ amount: '5', status: 'PDNG' })
  await contradicts(camtFile([statement(SUMMARY + LINES + pending)]))
  await contradicts(
    camtFile([statement(SUMMARY + LINES + entry({ amount: '5' }))]),
    count('<TtlNtries>', 'both', 2, 3),
    sum('<TtlNtries>', 'both', 13000, 13500),
    count('<TtlCdtNtries>', 'credit', 1, 2),
    sum('<TtlCdtNtries>', 'credit', 10000, 10500),
    sum('<TtlNtries>', 'net', 7000, 7500),
  )
})

test('every total that differs from the lines is a problem', async () => {
  for (const [from, to] of [
    ['<NbOfNtries>2<', '<NbOfNtries>3<'],
    ['<Sum>130<', '<Sum>130.01<'],
    ['<Sum>100.00<', '<Sum>99.99<'],
    ['<Sum>30<', '<Sum>31<'],
    ['>70.0000<', '>70.0100<'],
    ['<CdtDbtInd>CRDT<', '<CdtDbtInd>DBIT<'],
  ] as const) {
    const summary = SUMMARY.replace(from, to)
    assert.notEqual(summary, SUMMARY)
    await contradicts(camtFile([statement(summary + LINES)]), /^line \d+.*: (?:sum|count)_differs {"field":"<Ttl/)
  }
  await refused(
    camtFile([statement(SUMMARY.replace('>2<', '>two<') + LINES)]),
    /field_wrong {"field":"<NbOfNtries>","text":"two"/,
  )
})

test('opening balance and lines that do not give the closing balance are a problem', async () => {
  const file = (closing: string, more = LINES, head = '') =>
    camtFile([statement(balance('OPBD', '1000') + balance('CLBD', closing) + more)], { head })
  assert.equal((await read(file('1070'))).closing?.amount, 1070_00n)
  await contradicts(file('1070'))
  await contradicts(file('1070.01'), closing(107001, 107000))
  await contradicts(file('1070', ''), closing(107000, 100000))
  // Not compared with pending lines, nor for one page of several.
  await contradicts(file('1', LINES + entry({ status: 'PDNG' })))
  const page = (number: number, last: boolean) =>
    `<MsgPgntn><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></MsgPgntn>`
  await contradicts(file('1', LINES, page(1, false)))
  await contradicts(file('1', LINES, page(1, true)), /closing_differs/)
  assert.deepEqual((await read(file('1', LINES, page(1, false)))).page, { number: 1, isLast: false })
  assert.deepEqual((await read(file('1', LINES, page(2, true)))).page, { number: 2, isLast: true })
  assert.equal((await read(file('1070', LINES, page(1, true)))).page, undefined)
})

/** A balance without its mark. */
const unmarked = (type: string, amount: string) => balance(type, amount).replace(/<CdtDbtInd>.*<.CdtDbtInd>/, '')

test('a balance without CRDT or DBIT has the sign that the sums prove, and is a problem', async () => {
  const DEBIT = balance('CLBD', '930', undefined, 'DBIT')
  for (const [balances, opening, closing, problems] of [
    [balance('OPBD', '1000') + unmarked('CLBD', '1070'), 1000_00n, 1070_00n, ['closing']],
    [unmarked('OPBD', '1000') + balance('CLBD', '1070'), 1000_00n, 1070_00n, ['opening']],
    [unmarked('OPBD', '1000') + DEBIT, -1000_00n, -930_00n, ['opening']],
    [unmarked('OPBD', '1000') + unmarked('CLBD', '1070'), 1000_00n, 1070_00n, ['opening', 'closing']],
    [unmarked('OPBD', '1000') + unmarked('CLBD', '930'), -1000_00n, -930_00n, ['opening', 'closing']],
    [unmarked('PRCD', '30') + unmarked('CLBD', '40'), -30_00n, 40_00n, ['opening', 'closing']],
    [unmarked('OPBD', '0') + unmarked('CLBD', '70'), 0n, 70_00n, ['closing']],
  ] as const) {
    const file = camtFile([statement(balances + LINES), statement(LINES)])
    const [found, next] = await readAll(readCamt, file)
    assert.deepEqual([found?.opening?.amount, found?.closing?.amount, found?.entries.length], [opening, closing, 2])
    assert.deepEqual(
      found?.problems.map(({ code, facts }) => ({ code, facts })),
      problems.map((which) => ({ code: 'balance_unmarked', facts: { which } })),
    )
    assert.deepEqual([next?.opening, next?.problems], [null, []])
  }
})

test('a balance without CRDT or DBIT whose sign nothing proves is refused', async () => {
  const page = '<MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>'
  const both = unmarked('OPBD', '1000') + unmarked('CLBD', '1070')
  const message = /^line \d+, column \d+: balance_sign_unknown {}$/
  for (const [content, head] of [
    [unmarked('CLBD', '1070') + LINES],
    [unmarked('OPBD', '1000') + LINES],
    [balance('OPBD', '1000') + unmarked('CLBD', '1071') + LINES],
    [unmarked('OPBD', '1000') + unmarked('CLBD', '1000')],
    [both + LINES + entry({ status: 'PDNG' })],
    [both + LINES, page],
  ] as const)
    await refused(camtFile([statement(content)], { head: head ?? '' }), message)
})

test('an entry in another currency is kept as it is, is a problem, and is not in the sums', async () => {
  const file = camtFile([statement(entry() + entry({ amount: '7', currency: 'EUR' }))])
  const { entries, lines, credits } = await read(file)
  assert.deepEqual(
    entries.map(({ amount, currency }) => [amount, currency]),
    [
      [100_00n, 'TRY'],
      [7_00n, 'EUR'],
    ],
  )
  assert.deepEqual([lines, credits], [2, 100_00n])
  await contradicts(file, /^line \d+, column \d+: currency_differs {"found":"EUR","expected":"TRY"}$/)
})

test('of many problems the first hundred are listed, the others are counted', async () => {
  const { problems } = await read(camtFile([statement(entry() + entry({ currency: 'EUR' }).repeat(250))]))
  assert.equal(problems.length, 101)
  assert.deepEqual(problems.at(-1), { code: 'problems_more', facts: { count: 150 }, position: null })
})

test('balances: PRCD is an opening; of several days the first and the last; other currencies and types are not used', async () => {
  const day = (number: number) => `<Dt>2026-01-${number}</Dt>`
  const several = [
    balance('OPBD', '1070', day(30)),
    balance('OPBD', '1000', day(29)),
    balance('CLBD', '1070', day(30)),
    balance('CLBD', '1070', day(29)),
    balance('CLBD', '5', day(31), 'CRDT', 'EUR'),
    balance('CLAV', '7', day(31)),
  ]
  const found = await read(camtFile([statement(several.join('') + LINES)]))
  assert.deepEqual(
    [found.opening?.on, found.closing],
    ['2026-01-29', { amount: 1070_00n, currency: 'TRY', on: '2026-01-30' }],
  )
  const earlier = balance('PRCD', '20', undefined, 'DBIT') + balance('CLBD', '50')
  assert.equal((await read(camtFile([statement(earlier + LINES)]))).opening?.amount, -20_00n)
})

const PAID = (amount: string, more = '') =>
  `<Refs><AcctSvcrRef>R${amount}</AcctSvcrRef></Refs>${amount && `<Amt Ccy="TRY">${amount}</Amt>`}${more}`
const TEXT = (text: string) => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`

test('a batch whose details sum to the entry becomes its details', async () => {
  const batch = `<AcctSvcrRef>B</AcctSvcrRef>${details(PAID('60', TEXT('VZ-1')), PAID('40', TEXT('VZ-2')))}`
  const { entries, lines, credits } = await read(camtFile([statement(entry({ more: batch }))]))
  assert.deepEqual(
    entries.map(({ amount, bankReference, narrative, batch }) => ({ amount, bankReference, narrative, batch })),
    [
      { amount: 60_00n, bankReference: 'R60', narrative: 'VZ-1', batch: { lines: 2, bankReference: 'B' } },
      { amount: 40_00n, bankReference: 'R40', narrative: 'VZ-2', batch: { lines: 2, bankReference: 'B' } },
    ],
  )
  assert.deepEqual([lines, credits], [2, 100_00n])
})

test('a batch of version 2 has its amounts in AmtDtls; details directly in the entry are those of version 1', async () => {
  const own = (amount: string) =>
    `<AmtDtls><InstdAmt><Amt Ccy="EUR">9</Amt></InstdAmt><TxAmt><Amt Ccy="TRY">${amount}</Amt></TxAmt></AmtDtls>`
  for (const more of [
    details(own('99'), own('1')),
    details(own('99')) + details(own('1')),
    `<TxDtls>${own('99')}</TxDtls><TxDtls>${own('1')}</TxDtls>`,
  ]) {
    const { entries } = await read(camtFile([statement(entry({ more }))]))
    assert.deepEqual(
      entries.map(({ amount }) => amount),
      [99_00n, 1_00n],
    )
  }
})

test('a net batch has lines of both directions', async () => {
  const more = details(PAID('130'), PAID('30', '<CdtDbtInd>DBIT</CdtDbtInd>'))
  const summary = '<TxsSummry><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>100</Sum></TtlCdtNtries></TxsSummry>'
  const { entries, credits, debits } = await read(camtFile([statement(summary + entry({ more }))]))
  assert.deepEqual(
    entries.map(({ direction }) => direction),
    ['credit', 'debit'],
  )
  assert.deepEqual([credits, debits], [130_00n, 30_00n])
})

test('a batch whose details do not sum to the entry, or have no amount, stays one line with their texts', async () => {
  for (const more of [
    details(PAID('60', TEXT('VZ-1')), PAID('39', TEXT('VZ-2'))),
    details(PAID('100', TEXT('VZ-1')), PAID('', TEXT('VZ-2'))),
    details(TEXT('VZ-1'), TEXT('VZ-2'), TEXT('VZ-1')),
    details(PAID('60', TEXT('VZ-1')), `<Amt Ccy="EUR">40</Amt>${TEXT('VZ-2')}`),
  ]) {
    const { entries } = await read(camtFile([statement(entry({ more }))]))
    assert.deepEqual(
      entries.map(({ amount, narrative, bankReference, batch }) => ({ amount, narrative, bankReference, batch })),
      [{ amount: 100_00n, narrative: 'VZ-1 VZ-2', bankReference: null, batch: null }],
    )
  }
})

test('in a batch, the reference of the batch or one that details share is no reference of a line', async () => {
  const same = (reference: string) => `<Refs><AcctSvcrRef>${reference}</AcctSvcrRef></Refs><Amt Ccy="TRY">25</Amt>`
  const more = `<AcctSvcrRef>B</AcctSvcrRef>${details(same('B'), same('X'), same('X'), same('Y'))}`
  const { entries } = await read(camtFile([statement(entry({ more }))]))
  assert.deepEqual(
    entries.map(({ bankReference }) => bankReference),
    [null, null, null, 'Y'],
  )
})

test('a single detail with another amount: the line has the amount of the entry', async () => {
  const { entries } = await read(camtFile([statement(entry({ more: details(PAID('101')) }))]))
  assert.deepEqual(
    entries.map(({ amount, batch }) => [amount, batch]),
    [[100_00n, null]],
  )
})

test('one detail of a batch of several does not name the whole entry', async () => {
  const detail = `<Refs><EndToEndId>E-1</EndToEndId></Refs>${TEXT('VZ-1')}`
  const batch = '<Btch><NbOfTxs>20</NbOfTxs></Btch>'
  const nested = details(detail).replace('<NtryDtls>', `<NtryDtls>${batch}`)
  for (const more of [nested, `${batch}<TxDtls>${detail}</TxDtls>`]) {
    const { entries } = await read(camtFile([statement(entry({ more }))]))
    assert.deepEqual(
      entries.map(({ endToEndReference, narrative }) => [endToEndReference, narrative]),
      [[null, 'VZ-1']],
    )
  }
  const whole = nested.replace('<RmtInf>', '<Amt Ccy="TRY">100</Amt><RmtInf>')
  assert.equal((await read(camtFile([statement(entry({ more: whole }))]))).entries[0]?.endToEndReference, 'E-1')
})
