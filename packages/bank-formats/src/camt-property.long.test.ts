import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCamt } from './camt.ts'
import type { Statement, StatementLine } from './statement.ts'
import { readAll } from '../test/bytes-of.ts'
import { camtFile, prefixed } from '../test/camt-file.ts'
import { anyLine, statementOf } from '../test/any-statement.ts'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const tag = (name: string, content: string | null) => (content === null ? '' : `<${name}>${content}</${name}>`)
const text = (name: string, content: string | null) => tag(name, content && escape(content))
const decimal = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`
const amt = (amount: bigint) => `<Amt Ccy="TRY">${decimal(amount)}</Amt>`
const mark = (isCredit: boolean) => tag('CdtDbtInd', isCredit ? 'CRDT' : 'DBIT')

function writeBalance(type: string, balance: Statement['opening']): string {
  if (!balance) return ''
  const amount = balance.amount < 0n ? -balance.amount : balance.amount
  const tp = tag('Tp', tag('CdOrPrtry', tag('Cd', type)))
  return tag('Bal', tp + amt(amount) + mark(balance.amount >= 0n) + tag('Dt', tag('Dt', balance.on)))
}

/** Version 8 nests status and parties. */
function writeLine(line: StatementLine, isLater: boolean): string {
  const nest = (inner: string, name: string) => (isLater ? tag(name, inner) : inner)
  const role = line.direction === 'credit' ? 'Dbtr' : 'Cdtr'
  const party = line.counterpartyName === null ? '' : tag(role, nest(text('Nm', line.counterpartyName), 'Pty'))
  const account = tag(`${role}Acct`, tag('Id', text('IBAN', line.counterpartyIban)))
  const detail =
    tag('Refs', text('EndToEndId', line.endToEndReference ?? 'NOTPROVIDED')) +
    tag('RltdPties', party + account) +
    tag('RmtInf', text('Ustrd', line.narrative)) +
    (line.returned === null ? '' : tag('RtrInf', tag('Rsn', text('Cd', line.returned))))
  return tag(
    'Ntry',
    amt(line.amount) +
      mark(line.direction === 'credit') +
      (line.reversal ? tag('RvslInd', 'true') : '') +
      tag('Sts', nest(line.status === 'booked' ? 'BOOK' : 'PDNG', 'Cd')) +
      tag('BookgDt', line.bookedAt === null ? tag('Dt', line.bookedOn) : tag('DtTm', line.bookedAt)) +
      tag('ValDt', line.valueOn && tag('DtTm', `${line.valueOn}T23:59:59+03:00`)) +
      text('AcctSvcrRef', line.bankReference) +
      tag('NtryDtls', tag('TxDtls', detail)),
  )
}

function write(statements: Statement[], isLater: boolean): string {
  const contents = statements.map(
    ({ id, account, opening, closing, entries }) =>
      text('Id', id) +
      tag(
        'Acct',
        tag('Id', account.iban === null ? tag('Othr', text('Id', account.number)) : tag('IBAN', account.iban)) +
          text('Ccy', account.currency),
      ) +
      writeBalance('OPBD', opening) +
      writeBalance('CLBD', closing) +
      entries.map((line) => writeLine(line, isLater)).join(''),
  )
  return camtFile(contents, { version: isLater ? '08' : '02' })
}

test('parse(write(x)) = x', async () => {
  const timed = fc.tuple(anyLine(), fc.option(fc.constantFrom('T10:15:00+03:00', 'T23:59:59.5Z', 'T00:00:01-05:30')))
  const line = timed.map(([line, time]) => ({ ...line, bookedAt: time === null ? null : `${line.bookedOn}${time}` }))
  const lines = fc.array(line, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(lines, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.boolean(),
      async (files, isLater, hasPrefix) => {
        const statements = files.map((entries, at) => statementOf('camt.053', entries, at))
        const file = write(statements, isLater)
        const found = await readAll(readCamt, hasPrefix ? prefixed(file) : file)
        const placeless = found.map(({ entries, ...rest }) => ({
          ...rest,
          entries: entries.map((line) => ({ ...line, position: { line: 0 } })),
        }))
        assert.deepEqual(placeless, statements)
      },
    ),
    { numRuns: 60, seed: 1 },
  )
})
