import type { Books } from '../bank.ts'
import type { Instruction } from '../bank-event.ts'
import { newBankReference, rejection } from '../decide.ts'
import type { Ledger } from '../ledger.ts'
import { isIban } from '../../iban.ts'
import type { OrderFile, OrderPayment, ReportTerms, StatusCode } from './order-file.ts'
import { CODE_OF } from './order-file.ts'
import type { Claims, Order, OrderedPayment, PaymentInfo } from './read-order.ts'
import { readOrder } from './read-order.ts'
import { OrderError } from './read-xml.ts'

export type Received = { receipt: string; name: string; folder: string; bytes: Uint8Array; report: ReportTerms }

/** Checks a file as a bank does, pays what it may, and journals both as one event. */
export function executeOrder({ ledger, record, now }: Books, { bytes, ...received }: Received): OrderFile {
  const file: OrderFile = {
    ...{ ...received, messageId: null, messageName: 'pain.001', at: now().toISOString() },
    ...{ refused: null, batches: [], payments: [] },
  }
  try {
    const order = readOrder(bytes)
    file.messageId = order.messageId
    file.messageName = order.messageName
    file.refused = refusal(ledger, order)
    if (!file.refused) decideAll(ledger, order, file)
  } catch (error) {
    if (!(error instanceof OrderError)) throw error
    file.refused = { code: 'FF01', text: error.message }
  }
  record([{ kind: 'ordered', ...file }])
  return file
}

/** Why the whole file is refused. */
function refusal(ledger: Ledger, { messageId, claims, infos }: Order): OrderFile['refused'] {
  // A file that was refused may come again, corrected.
  const isKnown = [...ledger.orderFiles.values()].some((one) => one.messageId === messageId && !one.refused)
  if (isKnown) return { code: 'DU01', text: `message ${messageId} was received before` }
  const all = infos.flatMap(({ payments }) => payments)
  for (const [claim, payments] of [
    [claims, all] as const,
    ...infos.map((one) => [one.claims, one.payments] as const),
  ]) {
    const wrong = wrongClaim(claim, payments)
    if (wrong) return wrong
  }
  return null
}

function wrongClaim({ count, sum }: Claims, payments: OrderedPayment[]): OrderFile['refused'] {
  const total = payments.reduce((before, { amount }) => before + amount, 0n)
  if (count !== null && count !== payments.length)
    return { code: 'AM18', text: `NbOfTxs is ${count}, there are ${payments.length} payments` }
  if (sum !== null && sum !== total) return { code: 'AM10', text: `CtrlSum is ${sum}, the payments give ${total}` }
  return null
}

function decideAll(ledger: Ledger, { infos }: Order, file: OrderFile): void {
  const spent = new Map<string, bigint>()
  const seen = new Set<string>()
  const numbers = { bankReferences: new Set(ledger.bankReferences) }
  const newNumber = () => {
    const number = newBankReference(numbers)
    numbers.bankReferences.add(number)
    return number
  }
  for (const info of infos) {
    file.batches.push({ paymentInfoId: info.id, number: newNumber(), asOne: info.asOne })
    for (const payment of info.payments) {
      const before = spent.get(info.from) ?? 0n
      const code = seen.has(payment.endToEnd) ? 'DU04' : codeFor(ledger, info, payment, { spent: before, at: file.at })
      seen.add(payment.endToEnd)
      if (code === null) spent.set(info.from, before + payment.amount)
      const decided: OrderPayment = { ...payment, paymentInfoId: info.id, from: info.from, code, number: null }
      file.payments.push(code === null ? { ...decided, number: newNumber() } : decided)
    }
  }
}

/** Null if it can be paid. */
function codeFor(
  ledger: Ledger,
  { from }: PaymentInfo,
  { endToEnd, to, toName, amount, currency, narrative }: OrderedPayment,
  { spent, at }: { spent: bigint; at: string },
): StatusCode | null {
  const debtor = ledger.accounts.get(from)
  if (!isIban(from)) return 'AC01'
  if (debtor?.customer || debtor?.world || from === to) return 'AG01'
  if (amount === 0n) return 'AM01'
  const instruction: Instruction = {
    ...{ book: 'transfer', reference: endToEnd, from, to, senderName: debtor?.holder ?? '', receiverName: toName },
    ...{ amount, currency, narrative, at },
  }
  const reason = rejection(ledger, instruction, spent)
  return reason && CODE_OF[reason]
}
