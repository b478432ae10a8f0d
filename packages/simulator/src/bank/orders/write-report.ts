import { localTime, UTC_OFFSET } from '../../time.ts'
import { pointAmount } from '../files/amounts.ts'
import { element, leaf, xmlDocument } from '../files/xml.ts'
import type { OrderFile, OrderPayment, StatusCode } from './order-file.ts'

export type ReportStatus = 'first' | 'final'

/** A pain.002: what the bank says of an order file. The same file and status give the same bytes. */
export function writeReport(file: OrderFile, status: ReportStatus): string {
  const { receipt, at, report } = file
  const accepted = status === 'first' && report.settle === 'later' ? 'ACSP' : 'ACSC'
  const createdAt = `${localTime(at)}${UTC_OFFSET}`
  const message = element('CstmrPmtStsRpt', [
    element('GrpHdr', [leaf('MsgId', `${receipt}-${status}`), leaf('CreDtTm', createdAt)]),
    `\n${group(file, accepted)}`,
    ...paymentInfos(file, accepted).map((info) => `\n${info}`),
  ])
  return xmlDocument(`pain.002.001.${report.version}`, message)
}

/** For the whole of some payments. */
function statusOf(payments: OrderPayment[], accepted: string): string {
  const refused = payments.filter(({ code }) => code !== null).length
  return refused === 0 ? accepted : refused === payments.length ? 'RJCT' : 'PART'
}

function group({ messageId, messageName, refused, payments, report }: OrderFile, accepted: string): string {
  const status = refused ? 'RJCT' : report.level === 'transaction' ? null : statusOf(payments, accepted)
  return element('OrgnlGrpInfAndSts', [
    leaf('OrgnlMsgId', messageId ?? 'NOTPROVIDED'),
    leaf('OrgnlMsgNmId', messageName),
    payments.length === 0 ? '' : leaf('OrgnlNbOfTxs', String(payments.length)),
    leaf('GrpSts', status),
    refused ? reason(refused.code, refused.text) : '',
  ])
}

function reason(code: StatusCode, text: string | null): string {
  return element('StsRsnInf', [element('Rsn', leaf('Cd', code)), leaf('AddtlInf', text?.slice(0, 105) ?? null)])
}

/** At group and payment level only refused payments are listed one by one. */
function paymentInfos({ payments, report: { level, version } }: OrderFile, accepted: string): string[] {
  const infos = [...Map.groupBy(payments, ({ paymentInfoId }) => paymentInfoId)]
  return infos.flatMap(([id, own]) => {
    const listed = level === 'transaction' ? own : own.filter(({ code }) => code !== null)
    if (level === 'group' && listed.length === 0) return []
    return element('OrgnlPmtInfAndSts', [
      leaf('OrgnlPmtInfId', id),
      level === 'payment' ? leaf('PmtInfSts', statusOf(own, accepted)) : '',
      ...listed.map((payment) => `\n  ${transaction(payment, accepted, version)}`),
    ])
  })
}

function transaction(payment: OrderPayment, accepted: string, version: string): string {
  const { instructionId, endToEnd, code, number, amount, currency, toName, to } = payment
  const name = leaf('Nm', toName)
  return element('TxInfAndSts', [
    leaf('OrgnlInstrId', instructionId),
    leaf('OrgnlEndToEndId', endToEnd),
    leaf('TxSts', code === null ? accepted : 'RJCT'),
    code === null ? '' : reason(code, null),
    leaf('AcctSvcrRef', number),
    element('OrgnlTxRef', [
      element('Amt', leaf(`InstdAmt Ccy="${currency}"`, pointAmount(amount))),
      element('Cdtr', version === '03' ? name : element('Pty', name)),
      element('CdtrAcct', element('Id', leaf('IBAN', to))),
    ]),
  ])
}
