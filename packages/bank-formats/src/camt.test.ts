import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BankFileError } from './file-problems.ts'
import { readCamt } from './camt.ts'
import { readAll, readOne } from '../test/bytes-of.ts'
import { ACCOUNT, balance, camtFile, details, entry, prefixed, statement } from '../test/camt-file.ts'

const read = (file: string) => readOne(readCamt, file)
const refused = (file: string, message: RegExp) =>
  assert.rejects(readAll(readCamt, file), (error) => error instanceof BankFileError && message.test(error.message))

const FULL = camtFile([
  statement(
    '<FrToDt><FrDtTm>2026-01-30T00:00:00</FrDtTm><ToDtTm>2026-01-31T00:00:00</ToDtTm></FrToDt>'.concat(
      balance('OPBD', '10.00', undefined, 'DBIT'),
      balance('CLBD', '90.00', '<DtTm>2026-01-31T23:59:00+03:00</DtTm>'),
      entry({
        more: `<AcctSvcrRef>B-1</AcctSvcrRef>${details(
          `<Refs><EndToEndId>E-1</EndToEndId></Refs>
           <RltdPties><Dbtr><Nm>Ayşe Işık</Nm></Dbtr><DbtrAcct><Id><IBAN>TR470000100100000350930001</IBAN></Id></DbtrAcct>
             <Cdtr><Nm>We</Nm></Cdtr></RltdPties>
           <RmtInf><Ustrd>Sipariş</Ustrd><Ustrd>VZ-1 &amp; VZ-2</Ustrd></RmtInf>`,
        )}<AddtlNtryInf>FAST</AddtlNtryInf>`,
      }),
    ),
  ),
])

const LINE = {
  direction: 'credit',
  amount: 100_00n,
  currency: 'TRY',
  bookedOn: '2026-01-30',
  bookedAt: null,
  valueOn: '2026-01-31',
  status: 'booked',
  reversal: false,
  returned: null,
  bankReference: 'B-1',
  endToEndReference: 'E-1',
  counterpartyName: 'Ayşe Işık',
  counterpartyIban: 'TR470000100100000350930001',
  narrative: 'Sipariş VZ-1 & VZ-2 FAST',
  balance: null,
  batch: null,
}

test('a statement of camt.053: head, line and foot', async () => {
  const { entries, ...rest } = await read(FULL)
  assert.deepEqual(rest, {
    format: 'camt.053',
    id: 'S1',
    account: { iban: ACCOUNT, number: null, currency: 'TRY' },
    from: '2026-01-30',
    to: '2026-01-31',
    opening: { amount: -10_00n, currency: 'TRY', on: '2026-01-30' },
    closing: { amount: 90_00n, currency: 'TRY', on: '2026-01-31' },
    lines: 1,
    credits: 100_00n,
    debits: 0n,
    problems: [],
  })
  assert.deepEqual(entries, [{ ...LINE, position: { line: 5 } }])
})

test('a prefix, another namespace, none, an envelope, or the name of version 1: the same statement', async () => {
  const expected = await read(FULL)
  const bare = FULL.replace(/ xmlns="[^"]*"/, '')
  for (const file of [
    prefixed(FULL),
    bare,
    FULL.replace(/xmlns="[^"]*"/, 'xmlns="urn:bank:own"'),
    FULL.replaceAll('BkToCstmrStmt>', 'BkToCstmrStmtV01>'),
    FULL.replace('<Document', '<Envelope><AppHdr><Id>1</Id></AppHdr><Document').concat('</Envelope>'),
    FULL.replace(/<\?xml[^>]*>/, ''),
    `\uFEFF${FULL}`,
    FULL.replaceAll('\n', '\r\n'),
  ])
    assert.deepEqual(await read(file), expected)
})

test('camt.052 and camt.054 of version 8: status and parties nested', async () => {
  const more = details('<RltdPties><Dbtr><Pty><Nm>Ali</Nm></Pty></Dbtr></RltdPties>')
  const lines = statement(entry({ status: '<Cd>BOOK</Cd>', more }) + entry({ status: '<Cd>PDNG</Cd>' }))
  for (const format of ['052', '054'] as const) {
    const found = await read(camtFile([lines], { format, version: '08' }))
    assert.equal(found.format, `camt.${format}`)
    assert.deepEqual(
      found.entries.map(({ status, counterpartyName }) => [status, counterpartyName]),
      [
        ['booked', 'Ali'],
        ['pending', null],
      ],
    )
  }
})

test('several statements in a file, each with its own account', async () => {
  const acct = '<Acct><Id><Othr><Id>12345678</Id></Othr></Id></Acct>'
  const found = await readAll(readCamt, camtFile([statement(entry()), statement(entry({ amount: '0' }), acct)]))
  assert.deepEqual(
    found.map(({ account, credits, lines }) => ({ account, credits, lines })),
    [
      { account: { iban: ACCOUNT, number: null, currency: 'TRY' }, credits: 100_00n, lines: 1 },
      { account: { iban: null, number: '12345678', currency: null }, credits: 0n, lines: 1 },
    ],
  )
})

test('dates: Dt or DtTm; without booking date the value date, without both the day of the statement', async () => {
  const dates = [
    '<BookgDt><DtTm>2026-01-30T23:59:59.999+03:00</DtTm></BookgDt>',
    '<ValDt><Dt>2026-02-28+03:00</Dt></ValDt>',
    '',
  ]
  const { entries } = await read(camtFile([statement(dates.map((each) => entry({ dates: each })).join(''))]))
  assert.deepEqual(
    entries.map(({ bookedOn, valueOn }) => [bookedOn, valueOn]),
    [
      ['2026-01-30', null],
      ['2026-02-28', '2026-02-28'],
      ['2026-01-31', null],
    ],
  )
  await refused(
    camtFile([statement(entry({ dates: '<ValDt><Dt>2026-02-30</Dt></ValDt>' }))]),
    /value_not_date {"text":"2026-02-30"/,
  )
})

test('amounts: five decimals, none, a currency without decimals; more digits than the currency has are refused', async () => {
  const amounts = ['1.50000', '7', '.5', '3.']
  const { entries } = await read(camtFile([statement(amounts.map((amount) => entry({ amount })).join(''))]))
  assert.deepEqual(
    entries.map(({ amount }) => amount),
    [150n, 700n, 50n, 300n],
  )
  const yen = await read(
    camtFile([statement(entry({ amount: '25', currency: 'JPY' }), '<Acct><Id><IBAN>JP00</IBAN></Id></Acct>')]),
  )
  assert.equal(yen.credits, 25n)
  for (const amount of ['1.005', '-1', '1,00', '1e3', '', '9'.repeat(19)])
    await refused(
      camtFile([statement(entry({ amount }))]),
      /^line \d+, column \d+: value_(?:not_amount|decimals) {"text":"/,
    )
})

test('a time of booking has its zone or that of Istanbul; without a time, or at midnight, there is none', async () => {
  const bookedAt = async (date: string) => {
    const dates = `<BookgDt>${date}</BookgDt><ValDt><DtTm>2026-01-31T09:00:00</DtTm></ValDt>`
    const [line] = (await read(camtFile([statement(entry({ dates }))]))).entries
    return [line?.bookedOn, line?.bookedAt]
  }
  for (const [written, found] of [
    ['T10:15:30+01:00', 'T10:15:30+01:00'],
    ['T10:15:30Z', 'T10:15:30Z'],
    ['T10:15:30', 'T10:15:30+03:00'],
    ['T10:15:30.123456789-0200', 'T10:15:30.123-02:00'],
    ['T00:00:01', 'T00:00:01+03:00'],
  ] as const)
    assert.deepEqual(await bookedAt(`<DtTm>2026-01-30${written}</DtTm>`), ['2026-01-30', `2026-01-30${found}`])
  for (const none of ['<Dt>2026-01-30</Dt>', '<Dt>2026-01-30+03:00</Dt>', '<DtTm>2026-01-30T00:00:00.000Z</DtTm>'])
    assert.deepEqual(await bookedAt(none), ['2026-01-30', null])
  const [unbooked] = (
    await read(camtFile([statement(entry({ dates: '<ValDt><DtTm>2026-01-31T09:00:00</DtTm></ValDt>' }))]))
  ).entries
  assert.deepEqual([unbooked?.bookedOn, unbooked?.bookedAt], ['2026-01-31', null], 'a value date is no time of booking')
  for (const wrong of ['T25:00:00', 'T10:61:00', 'T10', 'Tnoon', 'T10:15:00+99:00'])
    await refused(
      camtFile([statement(entry({ dates: `<BookgDt><DtTm>2026-01-30${wrong}</DtTm></BookgDt>` }))]),
      /^line \d+, column \d+: value_not_time {"text":"2026-01-30T/,
    )
})

test('statuses: INFO and FUTR are not booked; an unknown one is refused', async () => {
  const { entries } = await read(camtFile([statement(['INFO', 'FUTR'].map((status) => entry({ status })).join(''))]))
  assert.deepEqual(
    entries.map(({ status }) => status),
    ['pending', 'pending'],
  )
  await refused(
    camtFile([statement(entry({ status: '<Prtry>MAYBE</Prtry>' }))]),
    /code_unknown {"field":"<Sts>","text":"MAYBE","known":\["BOOK"/,
  )
})

test('reversals and returns', async () => {
  const code = (sub: string) =>
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>`
  const swapped = `<RltdPties><Dbtr><Nm>We</Nm></Dbtr><DbtrAcct><Id><IBAN>${ACCOUNT}</IBAN></Id></DbtrAcct><Cdtr><Nm>Ali</Nm></Cdtr></RltdPties>`
  const { entries } = await read(
    camtFile([
      statement(
        entry({ more: '<RvslInd>true</RvslInd>' }) +
          entry({ more: code('RRTN') }) +
          entry({ more: details(`${swapped}<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>`) }) +
          entry({ more: details('<RtrInf><Rsn><Prtry>KAPALI</Prtry></Rsn></RtrInf>') }) +
          entry({ more: code('ESCT') }),
      ),
    ]),
  )
  assert.deepEqual(
    entries.map(({ reversal, returned }) => [reversal, returned]),
    [
      [true, null],
      [false, ''],
      [false, 'AC04'],
      [false, 'KAPALI'],
      [false, null],
    ],
  )
  assert.equal(entries[2]?.counterpartyName, 'Ali')
})

test('references: NOTPROVIDED is none; the number of the transaction is used where the bank has none', async () => {
  const { entries } = await read(
    camtFile([
      statement(
        entry({
          more: `<AcctSvcrRef>NONREF</AcctSvcrRef>${details(
            '<Refs><AcctSvcrRef>NOT PROVIDED</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId><UETR>u-1</UETR></Refs>',
          )}`,
        }) +
          entry({
            more: `<AcctSvcrRef>N</AcctSvcrRef>${details('<Refs><AcctSvcrRef>T</AcctSvcrRef><TxId>x</TxId></Refs>')}`,
          }),
      ),
    ]),
  )
  assert.deepEqual(
    entries.map(({ bankReference, endToEndReference }) => [bankReference, endToEndReference]),
    [
      ['u-1', null],
      ['T', null],
    ],
  )
})

test('a file that is something else, or has no statement, says what was found', async () => {
  await refused(
    FULL.replaceAll('BkToCstmrStmt>', 'CstmrCdtTrfInitn>'),
    /^line 2.*message_unexpected {"found":"<CstmrCdtTrfInitn>","expected":\["camt.052"/,
  )
  await refused(
    FULL.replace('camt.053', 'camt.054'),
    /namespace_differs {"element":"<BkToCstmrStmt>","format":"camt.053","namespace":"camt.054"}/,
  )
  await refused('<html><body>Oturum kapandı</body></html>', /^message_unexpected {"found":null/)
  await refused(camtFile([]), /^field_missing {"fields":\["<Stmt>"/)
  await refused(camtFile([statement(entry(), '')]), /field_missing {"fields":\["<Acct>"\],"inside":null}/)
  await refused(
    camtFile([statement(entry(), '<Acct><Id/></Acct>')]),
    /field_missing {"fields":\["<IBAN>","<Othr>"\],"inside":"<Acct>"}/,
  )
  await refused(
    camtFile([statement(entry({ mark: 'CREDIT' }))]),
    /code_unknown {"field":"<CdtDbtInd>","text":"CREDIT","known":\["CRDT","DBIT"\]}/,
  )
  await refused(camtFile([statement(entry({ currency: 'TL' }))]), /value_not_currency {"text":"TL"}/)
  await refused(
    camtFile([statement(entry() + balance('CLBD', '1'))]),
    /field_misplaced {"field":"<Bal>","before":\["<Ntry>"\]}/,
  )
})

test('decimals are those of ISO 4217', async () => {
  const amount = (text: string, currency: string) =>
    read(camtFile([statement(entry({ amount: text, currency }), ACCT_OF(currency))])).then(({ credits }) => credits)
  assert.equal(await amount('1234.56', 'HUF'), 1234_56n)
  assert.equal(await amount('1234.560', 'IDR'), 1234_56n)
  assert.equal(await amount('1.234', 'IQD'), 1_234n)
  assert.equal(await amount('1234.00', 'JPY'), 1234n)
  await assert.rejects(amount('1234.5', 'JPY'), /value_decimals {"text":"1234.5","most":0,"currency":"JPY"}/)
})

const ACCT_OF = (currency: string) => `<Acct><Id><IBAN>${ACCOUNT}</IBAN></Id><Ccy>${currency}</Ccy></Acct>`
