import { foldText } from '../../kernel/fold.ts'
import { normaliseIban } from '../../kernel/iban.ts'
import { currencyCode } from '../../kernel/money.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { cleaned, shortText } from './cleaned-text.ts'
import type { AskedTransfer, FindAnswer, SubmitAnswer } from './connection.ts'

/** The bank has the order. */
const TAKEN: ReadonlySet<unknown> = new Set(['accepted', 'pending', 'returned'])
type Taken = 'accepted' | 'pending' | 'returned'

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

const unknown = (why: Said) => ({ outcome: 'unknown' as const, why })
const contradictory = (why: Said) => ({ outcome: 'contradictory' as const, why })

export function readTransfer(body: unknown, asked: AskedTransfer): SubmitAnswer {
  const wire = (body ?? {}) as WireTransfer
  const { status } = wire
  const difference = differenceFrom(asked, wire)
  if (difference)
    return TAKEN.has(status)
      ? contradictory(note('answer_contradicts', { status: status as Taken, difference }))
      : unknown(difference)
  const bankReference = shortText(wire.bankReference)
  if (status === 'accepted' && bankReference === '') return contradictory(note('answer_without_reference'))
  if (status === 'accepted') return { outcome: 'accepted', bankReference }
  if (status === 'rejected') return readRefusal(wire)
  return status === 'pending' ? { outcome: 'pending' } : unknown(note('answer_without_status'))
}

export function readFound(body: unknown, asked: AskedTransfer): FindAnswer {
  const wire = (body ?? {}) as WireTransfer
  if (wire.status !== 'returned' || differenceFrom(asked, wire)) return readTransfer(body, asked)
  return { outcome: 'returned', bankReference: shortText(wire.bankReference) }
}

/** `never_seen` is the bank's definite response, if it is about this transfer. */
export function readNotFound(status: number, body: unknown, asked: AskedTransfer): FindAnswer {
  const wire = (body ?? {}) as WireTransfer
  if (status !== 404 || wire.error !== 'never_seen') return unknown(note('answer_http', { status, text: '' }))
  const difference = differenceFrom(asked, wire)
  return difference ? unknown(difference) : { outcome: 'never_seen' }
}

/** HTTP 400: the bank could not read the order, so nothing happened, unless its response says that it has the order. */
export function readRefusedOrder(status: number, text: string, asked: AskedTransfer): SubmitAnswer {
  const why = note('answer_http', { status, text: cleaned(text) })
  const body = parsed(text)
  const wire = (typeof body === 'object' ? (body ?? {}) : {}) as WireTransfer
  const difference = differenceFrom(asked, wire)
  if (TAKEN.has(wire.status) || saysSentBefore(body)) return contradictory(why)
  if (difference) return unknown(note('answer_http_differs', { status, difference }))
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
function differenceFrom(asked: AskedTransfer, { reference, amount, toIban, currency }: WireTransfer): Said | null {
  const said = (value: unknown) => shortText(typeof value === 'string' ? value : JSON.stringify(value))
  const given = (value: unknown) => (value ?? null) !== null
  if (given(reference) && said(reference).toLowerCase() !== asked.reference.toLowerCase())
    return note('answer_differs', { field: 'reference', written: said(reference) })
  if (given(amount) && amount !== Number(asked.amount))
    return note('answer_differs', { field: 'amount', written: said(amount) })
  if (given(toIban) && normaliseIban(said(toIban)) !== normaliseIban(asked.toIban))
    return note('answer_differs', { field: 'recipient', written: said(toIban) })
  if (given(currency) && currencyCode(said(currency)) !== asked.currency)
    return note('answer_differs', { field: 'currency', written: said(currency) })
  return null
}

function readRefusal(wire: WireTransfer): SubmitAnswer {
  const reason = shortText(wire.reason) || 'refused'
  return saysSentBefore(wire)
    ? contradictory(note('answer_refused_as_known', { reason }))
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
