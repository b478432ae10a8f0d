import { excerpt, fileError } from './file-problems.ts'
import { accountOf } from './account-number.ts'
import { amountIn, codeAt, dayAt, directionOf, requiredDirection } from './camt-values.ts'
import { toMinorUnits } from './minor-units.ts'
import type { Balance, StatementAccount, StatementHead } from './statement.ts'
import type { Claim } from './tally.ts'
import { nodeAt, textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

/** IBAN, Othr; the first versions have BBAN, PrtryAcct and UPIC. */
export function accountIn(acct: XmlNode): StatementAccount {
  const id = nodeAt(acct, 'Id')
  const iban = textAt(id, 'IBAN')
  const other = textAt(id, 'Othr', 'Id') ?? textAt(id, 'PrtryAcct', 'Id') ?? textAt(id, 'BBAN') ?? textAt(id, 'UPIC')
  const currency = textAt(acct, 'Ccy')
  if (currency !== null && !/^[A-Z]{3}$/.test(currency))
    throw fileError(acct.position, 'value_not_currency', { text: excerpt(currency) })
  if (iban !== null) return { iban: iban.replaceAll(/\s/g, ''), number: other, currency }
  if (other === null)
    throw fileError(acct.position, 'field_missing', { fields: ['<IBAN>', '<Othr>'], inside: '<Acct>' })
  const account = accountOf(other)
  return { ...account, currency: currency ?? account.currency }
}

/** Not `marked`: CdtDbtInd is missing, so the amount has no sign yet. Zero needs none. */
export type CamtBalance = Balance & { type: string; marked: boolean; position: XmlNode['position'] }

/** Null for a type that is not used. */
export function balanceIn(bal: XmlNode): CamtBalance | null {
  const type = codeAt(bal, 'Tp', 'CdOrPrtry') ?? codeAt(bal, 'Tp') ?? ''
  if (!['OPBD', 'PRCD', 'CLBD'].includes(type)) return null
  const { amount, currency } = amountIn(bal)
  const on = dayAt(bal, 'Dt')
  if (on === null) throw fileError(bal.position, 'field_missing', { fields: ['<Dt>'], inside: '<Bal>' })
  const mark = directionOf(bal)
  const signed = mark === 'debit' ? -amount : amount
  return { type, position: bal.position, marked: mark !== null || amount === 0n, amount: signed, currency, on }
}

/** The earliest opening and the latest closing balance in the account's currency: a statement of several days has one a day. */
export function bookedBalances(balances: readonly CamtBalance[], accountCurrency: string | null) {
  const openings = ['OPBD', 'PRCD'].map((type) => balances.filter((balance) => balance.type === type))
  const currency = accountCurrency ?? (openings[0]?.[0] ?? openings[1]?.[0])?.currency
  const own = (of: readonly CamtBalance[]) =>
    of.filter((balance) => currency === undefined || balance.currency === currency)
  const opening = openings.map(own).find(({ length }) => length > 0) ?? []
  const closing = own(balances.filter(({ type }) => type === 'CLBD'))
  return {
    opening: opening.reduce<CamtBalance | null>((first, next) => (first && first.on <= next.on ? first : next), null),
    closing: closing.reduce<CamtBalance | null>((last, next) => (last && last.on > next.on ? last : next), null),
  }
}

const TOTALS = [
  ['TtlNtries', 'both'],
  ['TtlCdtNtries', 'credit'],
  ['TtlDbtNtries', 'debit'],
] as const

/** What TxsSummry says; the sums have no currency of their own. */
export function claimsIn(summary: XmlNode, currency: string): Claim[] {
  const claims: Claim[] = []
  for (const [name, of] of TOTALS) {
    const total = nodeAt(summary, name)
    if (!total) continue
    const { position } = total
    const [number, sum] = [textAt(total, 'NbOfNtries'), textAt(total, 'Sum')]
    if (number !== null && !/^\d{1,15}$/.test(number))
      throw fileError(position, 'field_wrong', { field: '<NbOfNtries>', text: excerpt(number), example: '12' })
    claims.push({
      ...{ field: `<${name}>`, position, of, count: number === null ? null : Number(number) },
      sum: sum === null ? null : toMinorUnits(sum, currency, 'point', position),
    })
  }
  const net = netIn(summary, currency)
  return net ? [...claims, net] : claims
}

/** TtlNetNtryAmt beside CdtDbtInd in TtlNtries, from version 4 on TtlNetNtry with both. */
function netIn(summary: XmlNode, currency: string): Claim | null {
  const total = nodeAt(summary, 'TtlNtries')
  const net = nodeAt(total, 'TtlNetNtry') ?? total
  const amount = textAt(total, 'TtlNetNtry', 'Amt') ?? textAt(total, 'TtlNetNtryAmt')
  if (!net || amount === null) return null
  const sum = toMinorUnits(amount, currency, 'point', net.position)
  const signed = sum === 0n || requiredDirection(net) === 'credit' ? sum : -sum
  return { field: '<TtlNtries>', position: net.position, of: 'net', count: null, sum: signed }
}

/** Null if it is the only page. */
export function pageIn(pagination: XmlNode | undefined): NonNullable<StatementHead['page']> | null {
  if (!pagination) return null
  const written = textAt(pagination, 'PgNb') ?? '1'
  if (!/^\d{1,5}$/.test(written) || Number(written) === 0)
    throw fileError(pagination.position, 'field_wrong', { field: '<PgNb>', text: excerpt(written), example: '1' })
  const [number, isLast] = [Number(written), textAt(pagination, 'LastPgInd') !== 'false']
  return number === 1 && isLast ? null : { number, isLast }
}
