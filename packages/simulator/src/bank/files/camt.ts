import { UTC_OFFSET } from '../../time.ts'
import type { Booking } from '../bookings.ts'
import type { AccountStatement } from './account-statement.ts'
import { pointAmount } from './amounts.ts'
import { camtEntry } from './camt-entry.ts'
import type { Encoding } from './encode.ts'
import type { CamtFormat } from './formats.ts'
import { element, leaf, xmlDocument } from './xml.ts'

export type CamtVersion = '02' | '08'

const MESSAGES: Record<CamtFormat, { message: string; statement: string }> = {
  'camt.052': { message: 'BkToCstmrAcctRpt', statement: 'Rpt' },
  'camt.053': { message: 'BkToCstmrStmt', statement: 'Stmt' },
  'camt.054': { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
}

type Options = { format: CamtFormat; version: CamtVersion; encoding: Encoding }

export function writeCamt(statement: AccountStatement, { format, version, encoding }: Options): string {
  const names = MESSAGES[format]
  const { account, from, to, createdAt, entries } = statement
  const id = `${format.slice(-3)}${account.slice(-10)}${to.replaceAll('-', '')}`
  const head = element('GrpHdr', [leaf('MsgId', `M${id}`), leaf('CreDtTm', createdAt)])
  const content = [
    leaf('Id', id),
    leaf('ElctrncSeqNb', String(daysBetween(`${to.slice(0, 4)}-01-01`, to) + 1)),
    leaf('CreDtTm', createdAt),
    element('FrToDt', [
      leaf('FrDtTm', `${from}T00:00:00${UTC_OFFSET}`),
      leaf('ToDtTm', format === 'camt.053' ? `${to}T23:59:59${UTC_OFFSET}` : createdAt),
    ]),
    owner(statement),
    ...balances(statement, format),
    summary(statement, version),
    ...entries.map((entry) => `\n${camtEntry(entry, { version, withTimes: statement.withTimes })}`),
  ]
  const message = element(names.message, [head, '\n', element(names.statement, content)])
  return xmlDocument(`${format}.001.${version}`, message, encoding === 'utf-8' ? 'UTF-8' : 'windows-1254')
}

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000
}

function owner({ account, currency, holder, bank }: AccountStatement): string {
  return element('Acct', [
    element('Id', leaf('IBAN', account)),
    leaf('Ccy', currency),
    holder === '' ? '' : element('Ownr', leaf('Nm', holder)),
    element('Svcr', element('FinInstnId', leaf('Nm', bank))),
  ])
}

/** A report of a part of the day has an interim balance, a notification none. */
function balances({ opening, closing, from, to, currency }: AccountStatement, format: CamtFormat): string[] {
  const balance = (type: string, amount: bigint, day: string) =>
    element('Bal', [
      element('Tp', element('CdOrPrtry', leaf('Cd', type))),
      leaf(`Amt Ccy="${currency}"`, pointAmount(amount)),
      leaf('CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT'),
      element('Dt', leaf('Dt', day)),
    ])
  if (format === 'camt.052') return [balance('ITBD', closing, to)]
  return format === 'camt.053' ? [balance('OPBD', opening, from), balance('CLBD', closing, to)] : []
}

function summary({ entries }: AccountStatement, version: CamtVersion): string {
  const of = (direction: Booking['direction']) => {
    const own = entries.filter((entry) => entry.direction === direction)
    return { count: own.length, sum: own.reduce((sum, { amount }) => sum + amount, 0n) }
  }
  const [credit, debit] = [of('credit'), of('debit')]
  const figures = ({ count, sum }: typeof credit) => [leaf('NbOfNtries', String(count)), leaf('Sum', pointAmount(sum))]
  const net = credit.sum - debit.sum
  const mark = leaf('CdtDbtInd', net < 0n ? 'DBIT' : 'CRDT')
  const total = figures({ count: entries.length, sum: credit.sum + debit.sum })
  const netEntry =
    version === '02'
      ? [leaf('TtlNetNtryAmt', pointAmount(net)), mark]
      : [element('TtlNetNtry', [leaf('Amt', pointAmount(net)), mark])]
  return element('TxsSummry', [
    element('TtlNtries', [...total, ...netEntry]),
    element('TtlCdtNtries', figures(credit)),
    element('TtlDbtNtries', figures(debit)),
  ])
}
