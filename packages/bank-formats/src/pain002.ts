import { ibanOf } from './account-number.ts'
import { excerpt, fileError } from './file-problems.ts'
import { codeAt, currencyOf } from './camt-values.ts'
import { toMinorUnits } from './minor-units.ts'
import { narrativeOf } from './narrative.ts'
import { readReportParts } from './pain002-parts.ts'
import type { ReportPart } from './pain002-parts.ts'
import type { Bytes, Position } from './statement.ts'
import { childrenOf, nodeAt, textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

/** Ten times as many as an order file has. */
const MAX_TRANSACTIONS = 10_000
const MAX_PAYMENTS = 1000

/** Codes of ISO 20022, such as RJCT and AC04. `text` is the bank's own. */
export type StatusReason = { code: string | null; text: string }

type Reported = { status: string | null; reasons: StatusReason[]; position: Position }

/** What the file says about the original's totals. `sum` has no currency. */
type Totals = { count: number | null; sum: string | null }

export type TransactionReport = Reported & {
  endToEndId: string | null
  instructionId: string | null
  amount: bigint | null
  currency: string | null
  /** Of the recipient. */
  iban: string | null
  bankReference: string | null
}
export type PaymentReport = Reported & Totals & { id: string | null; transactions: TransactionReport[] }
/** `messageId` is null if the bank could not read the order file. */
export type OrderReport = {
  id: string | null
  group: Reported & Totals & { messageId: string | null; messageName: string | null }
  payments: PaymentReport[]
}

/** Reads pain.002 of all versions: what a bank says about an order file, as a whole, by payment information, or by transaction. */
export async function readOrderReport(bytes: Bytes): Promise<OrderReport> {
  let [id, group, count]: [string | null, OrderReport['group'] | null, number] = [null, null, 0]
  const payments: PaymentReport[] = []
  let transactions: TransactionReport[] = []
  for await (const part of readReportParts(bytes)) {
    if (part.name === 'GrpHdr') id = textAt(part, 'MsgId')
    else if (part.name === 'OrgnlGrpInfAndSts') group = groupIn(part, group !== null)
    else if (part.name === 'TxInfAndSts') transactions.push(transactionIn(part, ++count))
    else {
      payments.push(paymentIn(part, transactions, payments.length))
      transactions = []
    }
  }
  if (!group) throw fileError(null, 'field_missing', { fields: ['<OrgnlGrpInfAndSts>'], inside: null })
  return { id, group, payments }
}

/** The total that the report repeats, in minor units; null if it has none. */
export function reportedSum({ sum, position }: Reported & Totals, currency: string): bigint | null {
  return sum === null ? null : toMinorUnits(sum, currency, 'point', position)
}

function groupIn(part: ReportPart, isSecond: boolean): OrderReport['group'] {
  if (isSecond) throw fileError(part.position, 'field_twice', { field: '<OrgnlGrpInfAndSts>' })
  return {
    messageId: textAt(part, 'OrgnlMsgId'),
    messageName: textAt(part, 'OrgnlMsgNmId'),
    ...totalsIn(part),
    ...reportedIn(part, 'GrpSts'),
  }
}

function paymentIn(part: ReportPart, transactions: TransactionReport[], before: number): PaymentReport {
  if (before >= MAX_PAYMENTS) throw fileError(part.position, 'too_many', { what: 'payments', most: MAX_PAYMENTS })
  return { id: textAt(part, 'OrgnlPmtInfId'), ...totalsIn(part), ...reportedIn(part, 'PmtInfSts'), transactions }
}

function transactionIn(part: ReportPart, count: number): TransactionReport {
  if (count > MAX_TRANSACTIONS)
    throw fileError(part.position, 'too_many', { what: 'transactions', most: MAX_TRANSACTIONS })
  const original = nodeAt(part, 'OrgnlTxRef')
  const amt = nodeAt(original, 'Amt', 'InstdAmt') ?? nodeAt(original, 'Amt', 'EqvtAmt', 'Amt')
  const currency = amt ? currencyOf(amt) : null
  return {
    endToEndId: textAt(part, 'OrgnlEndToEndId'),
    instructionId: textAt(part, 'OrgnlInstrId'),
    ...reportedIn(part, 'TxSts'),
    amount: amt && currency !== null ? toMinorUnits(amt.text.trim(), currency, 'point', amt.position) : null,
    currency,
    iban: ibanOf(textAt(original, 'CdtrAcct', 'Id', 'IBAN')),
    bankReference: textAt(part, 'AcctSvcrRef'),
  }
}

function reportedIn(part: XmlNode, name: string): Reported {
  const status = textAt(part, name)
  if (status !== null && !/^[A-Z]{1,4}$/.test(status))
    throw fileError(part.position, 'field_wrong', { field: `<${name}>`, text: excerpt(status), example: 'RJCT' })
  const reasons = childrenOf(part, 'StsRsnInf').map((info) => ({
    code: codeAt(info, 'Rsn'),
    text: narrativeOf(childrenOf(info, 'AddtlInf').map(({ text }) => text)),
  }))
  return { status, reasons, position: part.position }
}

function totalsIn(part: XmlNode): Totals {
  const count = textAt(part, 'OrgnlNbOfTxs')
  if (count !== null && !/^\d{1,15}$/.test(count))
    throw fileError(part.position, 'field_wrong', { field: '<OrgnlNbOfTxs>', text: excerpt(count), example: '12' })
  return { count: count === null ? null : Number(count), sum: textAt(part, 'OrgnlCtrlSum') }
}
