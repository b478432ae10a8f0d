import { normaliseIban } from '../../iban.ts'
import type { XmlNode } from './read-xml.ts'
import { child, childText, mustText, OrderError, readXml } from './read-xml.ts'

export type OrderedPayment = {
  instructionId: string | null
  endToEnd: string
  to: string
  toName: string
  amount: bigint
  currency: string
  narrative: string
}

export type PaymentInfo = { id: string; asOne: boolean; from: string; payments: OrderedPayment[]; claims: Claims }

/** Number of payments and their sum, as the file says. */
export type Claims = { count: number | null; sum: bigint | null }

export type Order = { messageId: string; messageName: string; claims: Claims; infos: PaymentInfo[] }

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:(pain\.001\.001\.(?:03|09))$/

/** Reads a pain.001.001.03 or .09; throws an OrderError if it is not one. */
export function readOrder(bytes: Uint8Array): Order {
  const document = readXml(decodedText(bytes))
  const messageName = NAMESPACE.exec(document.namespace ?? '')?.[1]
  if (messageName === undefined)
    throw new OrderError(`namespace ${document.namespace}; expected pain.001.001.03 or .09`)
  const message = child(document, 'CstmrCdtTrfInitn')
  const head = child(message, 'GrpHdr')
  if (document.name !== 'Document' || !head) throw new OrderError('<Document/CstmrCdtTrfInitn/GrpHdr> is missing')
  mustText(head, 40, 'CreDtTm')
  const infos = message?.children.filter(({ name }) => name === 'PmtInf') ?? []
  if (infos.length === 0) throw new OrderError('<PmtInf> is missing')
  const claims = claimsIn(head)
  if (claims.count === null) throw new OrderError('<GrpHdr/NbOfTxs> is missing')
  return {
    ...{ messageId: mustText(head, 35, 'MsgId'), messageName, claims },
    infos: infos.map((info) => infoIn(info, messageName.endsWith('09'))),
  }
}

function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new OrderError('not UTF-8')
  }
}

function infoIn(info: XmlNode, isNine: boolean): PaymentInfo {
  if (childText(info, 'PmtMtd') !== 'TRF') throw new OrderError('<PmtMtd> is not TRF')
  const day = isNine ? mustText(info, 10, 'ReqdExctnDt', 'Dt') : mustText(info, 10, 'ReqdExctnDt')
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new OrderError(`<ReqdExctnDt> is ${day}, expected a day`)
  mustText(info, 140, 'Dbtr', 'Nm')
  const payments = info.children.filter(({ name }) => name === 'CdtTrfTxInf')
  if (payments.length === 0) throw new OrderError('<CdtTrfTxInf> is missing')
  return {
    id: mustText(info, 35, 'PmtInfId'),
    asOne: childText(info, 'BtchBookg') === 'true',
    from: normaliseIban(mustText(info, 40, 'DbtrAcct', 'Id', 'IBAN')),
    payments: payments.map(paymentIn),
    claims: claimsIn(info),
  }
}

function paymentIn(payment: XmlNode): OrderedPayment {
  const money = child(payment, 'Amt', 'InstdAmt')
  const currency = money?.attributes.get('Ccy')
  if (!money || currency === undefined) throw new OrderError('<Amt/InstdAmt Ccy="…"> is missing')
  const texts = child(payment, 'RmtInf')?.children.filter(({ name }) => name === 'Ustrd') ?? []
  return {
    instructionId: childText(payment, 'PmtId', 'InstrId'),
    endToEnd: mustText(payment, 35, 'PmtId', 'EndToEndId'),
    to: normaliseIban(mustText(payment, 40, 'CdtrAcct', 'Id', 'IBAN')),
    toName: mustText(payment, 140, 'Cdtr', 'Nm'),
    ...{ amount: amountIn(money.text.trim()), currency },
    narrative: texts.map(({ text }) => text.trim()).join(' '),
  }
}

function claimsIn(node: XmlNode): Claims {
  const [count, sum] = [childText(node, 'NbOfTxs'), childText(node, 'CtrlSum')]
  if (count !== null && !/^\d{1,15}$/.test(count)) throw new OrderError(`<NbOfTxs> is ${count}`)
  return { count: count === null ? null : Number(count), sum: sum === null ? null : amountIn(sum) }
}

function amountIn(text: string): bigint {
  const [, whole, cents = ''] = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text) ?? []
  if (whole === undefined) throw new OrderError(`the amount ${text} is not a number with two decimals`)
  return BigInt(whole + cents.padEnd(2, '0'))
}
