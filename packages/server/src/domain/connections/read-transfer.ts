import { foldText } from '../../kernel/fold.ts'
import { normaliseIban } from '../../kernel/iban.ts'
import { currencyCode } from '../../kernel/money.ts'
import { cleaned, shortText } from './cleaned-text.ts'
import type { AskedTransfer, FindAnswer, SubmitAnswer } from './connection.ts'

type WireTransfer = {
  status?: unknown
  bankReference?: unknown
  reason?: unknown
  error?: unknown
  reference?: unknown
  amount?: unknown
  toIban?: unknown
  currency?: unknown
}

/** The message of a JSON error quotes the body, so it can contain characters that PostgreSQL refuses. */
export function unknown(why: string): { outcome: 'unknown'; why: string } {
  return { outcome: 'unknown', why: cleaned(why) }
}

function contradictory(why: string): { outcome: 'contradictory'; why: string } {
  return { outcome: 'contradictory', why: cleaned(why) }
}

export function readTransfer(body: unknown, asked: AskedTransfer): SubmitAnswer {
  const wire = (body ?? {}) as WireTransfer
  const { status } = wire
  const difference = differenceFrom(asked, wire)
  if (difference) return saysTaken(wire) ? contradictory(`${String(status)}, but ${difference}`) : unknown(difference)
  const bankReference = shortText(wire.bankReference)
  if (status === 'accepted' && bankReference === '')
    return contradictory('accepted, but without a reference of the bank')
  if (status === 'accepted') return { outcome: 'accepted', bankReference }
  if (status === 'rejected') return readRefusal(wire)
  return status === 'pending' ? { outcome: 'pending' } : unknown('the answer could not be read')
}

export function readFound(body: unknown, asked: AskedTransfer): FindAnswer {
  const wire = (body ?? {}) as WireTransfer
  if (wire.status !== 'returned' || differenceFrom(asked, wire)) return readTransfer(body, asked)
  return { outcome: 'returned', bankReference: shortText(wire.bankReference) }
}

/** `never_seen` is the bank's definite response, if it is about this transfer. */
export function readNotFound(status: number, body: unknown, asked: AskedTransfer): FindAnswer {
  const wire = (body ?? {}) as WireTransfer
  if (status !== 404 || wire.error !== 'never_seen') return unknown(`HTTP ${status}`)
  const difference = differenceFrom(asked, wire)
  return difference ? unknown(difference) : { outcome: 'never_seen' }
}

/** HTTP 400: the bank could not read the order, so nothing happened, unless its response says that it has the order. */
export function readRefusedOrder(status: number, text: string, asked: AskedTransfer): SubmitAnswer {
  const why = cleaned(`HTTP ${status} ${text}`)
  const body = parsed(text)
  const wire = (typeof body === 'object' ? (body ?? {}) : {}) as WireTransfer
  const difference = differenceFrom(asked, wire)
  if (saysTaken(wire) || saysSentBefore(body)) return contradictory(why)
  if (difference) return unknown(`HTTP ${status}, and ${difference}`)
  const isRefused = status === 400 && (wire.status ?? 'rejected') === 'rejected'
  return isRefused ? { outcome: 'rejected', reason: 'invalid_order', why } : unknown(why)
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A response about another transfer than the one asked about says nothing about ours. Every field may be missing. */
function differenceFrom(asked: AskedTransfer, { reference, amount, toIban, currency }: WireTransfer): string | null {
  const said = (value: unknown) => shortText(typeof value === 'string' ? value : JSON.stringify(value))
  const given = (value: unknown) => (value ?? null) !== null
  if (given(reference) && said(reference).toLowerCase() !== asked.reference.toLowerCase())
    return `the answer has another reference: ${said(reference)}`
  if (given(amount) && amount !== Number(asked.amount)) return `the answer has another amount: ${said(amount)}`
  if (given(toIban) && normaliseIban(said(toIban)) !== normaliseIban(asked.toIban))
    return `the answer has another recipient: ${said(toIban)}`
  if (given(currency) && currencyCode(said(currency)) !== asked.currency)
    return `the answer has another currency: ${said(currency)}`
  return null
}

function saysTaken({ status }: WireTransfer): boolean {
  return status === 'accepted' || status === 'pending' || status === 'returned'
}

function readRefusal(wire: WireTransfer): SubmitAnswer {
  const reason = shortText(wire.reason) || 'refused'
  return saysSentBefore(wire)
    ? contradictory(`refused because the bank has it already, so it may have paid: ${reason}`)
    : { outcome: 'rejected', reason }
}

/** Mükerrer and daha önce, even if a wrong encoding has damaged their ü and ö. */
const SENT_BEFORE = /DUPLICATE|ALREADY|KERRER|TEKRAR|DAHA.{0,5}NCE/
/** No refusal is longer. A response too long to search is not a definite no. */
const MAX_SEARCHED = 100_000

/** A refusal as duplicate means that the bank knows the reference: only a query tells the outcome of the transfer. */
function saysSentBefore(body: unknown): boolean {
  const words = typeof body === 'string' ? body : JSON.stringify(body)
  return words.length > MAX_SEARCHED || SENT_BEFORE.test(foldText(words))
}
