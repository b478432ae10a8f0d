import { minorDigits } from './minor-units.ts'
import type { Order, OrderBatch, PainProfile } from './orders.ts'
import { mustBeOneCurrency, OrderError } from './orders.ts'
import { cut, decimal, lengthOf, plainText, toSepa } from './orders-text.ts'

/** Longest reference of ISO 20022. */
const MAX_REFERENCE = 35

/** A pain.001 file with one debit account. References are written as they are, texts as the profile's character set has them. */
export function writePain001(batch: OrderBatch, profile: PainProfile): Uint8Array {
  const isFirst = profile.format === 'pain.001.001.03'
  const { currency = 'TRY' } = batch.orders[0] ?? {}
  mustBeOneCurrency(batch.orders)
  const sum = batch.orders.reduce((total, { amount }) => total + amount, 0n)
  const totals = tag('NbOfTxs', String(batch.orders.length)) + tag('CtrlSum', decimal(sum, minorDigits(currency), '.'))
  const debtor = tag('Nm', nameOf(batch.debtor.name, batch.id, profile))
  const { customerId } = profile
  const organisation = customerId === null ? '' : tag('Id', tag('OrgId', tag('Othr', text('Id', customerId))))
  const group =
    text('MsgId', reference(batch.id, batch.id)) +
    tag('CreDtTm', batch.createdAt) +
    totals +
    tag('InitgPty', debtor + organisation)
  const payment =
    text('PmtInfId', batch.id) +
    tag('PmtMtd', 'TRF') +
    tag('BtchBookg', String(profile.batchBooking)) +
    totals +
    (profile.serviceLevel === null ? '' : tag('PmtTpInf', tag('SvcLvl', text('Cd', profile.serviceLevel)))) +
    tag('ReqdExctnDt', isFirst ? batch.executeOn : tag('Dt', batch.executeOn)) +
    tag('Dbtr', debtor + organisation) +
    tag('DbtrAcct', tag('Id', text('IBAN', batch.debtor.iban)) + tag('Ccy', currency)) +
    tag('DbtrAgt', tag('FinInstnId', agent(profile, isFirst))) +
    (profile.chargeBearer === null ? '' : tag('ChrgBr', profile.chargeBearer))
  const orders = batch.orders.map((order) => `\n${orderElement(order, profile)}`).join('')
  const message = tag('GrpHdr', group) + '\n' + tag('PmtInf', payment + orders)
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${profile.format}`
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${tag('CstmrCdtTrfInitn', message)}</Document>\n`,
  )
}

function orderElement(order: Order, profile: PainProfile): string {
  const { endToEndId, amount, currency, iban, purpose } = order
  const id = reference(endToEndId, endToEndId)
  if (amount <= 0n) throw new OrderError(endToEndId, { code: 'order_amount_missing', facts: {} })
  const value = decimal(amount, minorDigits(currency), '.')
  const code = profile.purpose === 'code' ? 'Cd' : 'Prtry'
  return tag(
    'CdtTrfTxInf',
    tag('PmtId', text('InstrId', id) + text('EndToEndId', id)) +
      tag('Amt', `<InstdAmt Ccy="${currency}">${value}</InstdAmt>`) +
      tag('Cdtr', tag('Nm', nameOf(order.name, endToEndId, profile))) +
      tag('CdtrAcct', tag('Id', text('IBAN', iban))) +
      (profile.purpose === 'none' ? '' : tag('Purp', text(code, purpose))) +
      tag('RmtInf', tag('Ustrd', textOf(order, profile))),
  )
}

/** Without a BIC the schema wants something. */
function agent({ bic }: PainProfile, isFirst: boolean): string {
  if (bic === null) return tag('Othr', tag('Id', 'NOTPROVIDED'))
  return text(isFirst ? 'BIC' : 'BICFI', bic)
}

function reference(id: string, of: string): string {
  if (/^[A-Za-z0-9.+-]{1,35}$/.test(id)) return id
  throw new OrderError(of, { code: 'order_id_unwritable', facts: { most: MAX_REFERENCE } })
}

const inSet = (words: string, { characters }: PainProfile) => (characters === 'sepa' ? toSepa(words) : plainText(words))

function nameOf(name: string, of: string, profile: PainProfile): string {
  const written = cut(inSet(name, profile), profile.nameLength)
  if (written === '') throw new OrderError(of, { code: 'order_name_unwritable', facts: {} })
  return escaped(written)
}

function textOf(order: Order, profile: PainProfile): string {
  const written = inSet(order.text, profile)
  if (written === '') throw new OrderError(order.endToEndId, { code: 'order_text_missing', facts: {} })
  if (lengthOf(written) > profile.textLength)
    throw new OrderError(order.endToEndId, {
      code: 'order_value_long',
      facts: { value: 'text', most: profile.textLength },
    })
  return escaped(written)
}

const tag = (name: string, content: string) => `<${name}>${content}</${name}>`
const text = (name: string, content: string) => tag(name, escaped(plainText(content)))

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
