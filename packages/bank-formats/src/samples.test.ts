import assert from 'node:assert/strict'
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { XmlDocument } from 'libxml2-wasm'
import { BANK_PROFILES, BankFileError, collectStatements, detectFormat, readCamt, readCsv, readMt940 } from './index.ts'
import type { Statement, StatementLine } from './index.ts'
import { REFUSED, SAMPLES } from '../test/sample-facts.ts'
import type { SampleFacts } from '../test/sample-facts.ts'

// Public files that are not part of the project, compared with what other tools found in them.

const FOLDER = process.env['VEZNE_SAMPLES'] ?? join(import.meta.dirname, '../../../../shared/samples')
const skip = existsSync(FOLDER)
  ? false
  : `skipped: there is no folder of public samples (${FOLDER}, or set VEZNE_SAMPLES)`

async function read(file: string): Promise<Statement[]> {
  const path = join(FOLDER, file)
  const { profile } = detectFormat(readFileSync(path))
  const table = () => readCsv(profile ?? BANK_PROFILES.vakifbank)
  const reader = file.startsWith('camt/') ? readCamt : file.startsWith('mt940/') ? readMt940 : table()
  return collectStatements(reader(createReadStream(path)))
}

/** `49396.74 DEM 3000.00 EUR`: all samples have currencies of two decimals. */
function sums(lines: StatementLine[], direction: StatementLine['direction']): string {
  const own = Map.groupBy(
    lines.filter((line) => line.direction === direction),
    ({ currency }) => currency,
  )
  const sum = (of: StatementLine[]) => String(of.reduce((total, { amount }) => total + amount, 0n)).padStart(3, '0')
  const texts = [...own].map(([currency, of]) => `${sum(of).replace(/..$/, '.$&')} ${currency}`)
  return texts.toSorted((a, b) => a.slice(-3).localeCompare(b.slice(-3))).join(' ') || '0'
}

/** The lines of a batch are one entry. */
function entriesIn(lines: StatementLine[]): number {
  return Math.round(lines.reduce((sum, { batch }) => sum + 1 / (batch?.lines ?? 1), 0))
}

function factsOf(file: string, statements: Statement[]): SampleFacts {
  const all = statements.flatMap(({ entries }) => entries)
  return {
    file,
    statements: statements.length,
    entries: entriesIn(all),
    lines: all.length,
    credits: sums(all, 'credit'),
    debits: sums(all, 'debit'),
    problems: statements.reduce((sum, { problems }) => sum + problems.length, 0),
  }
}

test('samples have the entries, lines, sums and problems that other tools found', { skip }, async (t) => {
  for (const expected of SAMPLES)
    await t.test(expected.file, async () => {
      const statements = await read(expected.file)
      assert.deepEqual(factsOf(expected.file, statements), expected)
      for (const { lines, credits, debits, entries, account, opening } of statements) {
        const currency = account.currency ?? opening?.currency ?? entries[0]?.currency
        const own = entries.filter((line) => line.currency === currency)
        const sum = (direction: string) =>
          own.reduce((total, line) => total + (line.direction === direction ? line.amount : 0n), 0n)
        assert.deepEqual([lines, credits, debits], [entries.length, sum('credit'), sum('debit')])
      }
    })
})

test('samples that are not statements are refused with their place', { skip }, async () => {
  for (const { file, message } of REFUSED)
    await assert.rejects(read(file), (error) => {
      assert.ok(error instanceof BankFileError, file)
      assert.match(error.message, message, file)
      return true
    })
})

test('a statement that contradicts itself says where, what it has and what was expected', { skip }, async () => {
  const problems = async (file: string) => (await read(file)).flatMap((statement) => statement.problems)
  assert.deepEqual(await problems('camt/genkgo_camt__camt053.v2.five.decimals.xml'), [
    {
      code: 'closing_differs',
      facts: { found: { minor: '2705', currency: 'EUR' }, expected: { minor: '2700', currency: 'EUR' } },
      position: { line: 49, column: 18 },
    },
  ])
  const [currency] = await problems('camt/svapnil_iso20022.js__goldman_sachs_camt_053_us_v2_sample.xml')
  assert.deepEqual([currency?.code, currency?.facts], ['currency_differs', { found: 'EUR', expected: 'USD' }])
})

test(
  'camt samples, with or without a row in the table: as many entries and as much as libxml2 finds',
  { skip },
  async () => {
    const entry = "//*[local-name()='Ntry']"
    const side = (mark: string) => `sum(${entry}[*[local-name()='CdtDbtInd']='${mark}']/*[local-name()='Amt'])`
    for (const file of globSync('camt/*.xml', { cwd: FOLDER }).filter(
      (name) => !REFUSED.some((one) => one.file === name),
    )) {
      using document = XmlDocument.fromBuffer(readFileSync(join(FOLDER, file)))
      const all = (await read(file)).flatMap(({ entries }) => entries)
      const net = all.reduce((sum, line) => sum + (line.direction === 'credit' ? line.amount : -line.amount), 0n)
      assert.deepEqual(
        [entriesIn(all), Number(net)],
        [
          document.eval(`count(${entry})`),
          Math.round(Number(document.eval(`${side('CRDT')} - ${side('DBIT')}`)) * 100),
        ],
        file,
      )
    }
  },
)

test('samples of tables and MT940 without a row in the table are read or refused', { skip }, async () => {
  const known = new Set([...SAMPLES, ...REFUSED].map(({ file }) => file))
  for (const file of globSync('{mt940,tr-statements}/*', { cwd: FOLDER }).filter((name) => !known.has(name)))
    await read(file).catch((error: unknown) => assert.ok(error instanceof BankFileError, `${file}: ${String(error)}`))
})

test('fields of MT940 samples that are parts of messages are read inside of a message', { skip }, async () => {
  const field = (name: string) =>
    readFileSync(join(FOLDER, `mt940/wolph_mt940__${name}.sta`), 'utf8')
      .trim()
      .split('\n-')[0] as string
  const message = (account: string, opening: string, line: string, closing: string) =>
    [':20:X', account, ':28C:1', opening, line, closing].join('\n')
  const one = async (text: string) => {
    async function* bytes() {
      yield Buffer.from(text)
    }
    return Array.fromAsync(readMt940(bytes()))
  }
  for (const opening of field('betterplace_amount_formats').split('\n'))
    assert.equal(
      (await one(message(field('betterplace_currency_in_25'), opening, '', opening.replace('60F', '62F')))).length,
      2,
      opening,
    )
  for (const [line, closing] of [
    [field('betterplace_empty_entry_date'), '50,00'],
    [`${field('betterplace_empty_entry_date')}\n${field('betterplace_empty_86')}`, '50,00'],
  ] as const)
    assert.equal((await one(message(':25:1', ':60F:C110701EUR0,', line, `:62F:C110701EUR${closing}`))).length, 3)
  const [, details] = await one(
    message(
      field('cmxl_account_identification_iban'),
      ':60F:C140901EUR1,62',
      field('cmxl_statement_details'),
      ':62F:C140901EUR0,',
    ),
  )
  assert.ok(details?.kind === 'line')
  assert.equal(details.line.endToEndReference, 'TRX-0A4A47C3-F846-4729-8A1B-5DF620F')
  assert.equal(details.line.bankReference, '025498557/000001')
})
