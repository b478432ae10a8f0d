import type { BankLine } from '../statements/index.ts'
import { readAnswer } from './read-answer.ts'
import type { FindAnswer, PayoutOrder, Rail, StatementPage, SubmitAnswer } from './rail.ts'

const PAGE = 500
/** A bank that takes longer is asked again at the next turn. */
const PATIENCE_MS = 10_000

/** What the bank's field sizes allow, with room to spare. */
const MAX_TEXT = 500

/** A hundred billion TL: more in one transfer is a mistake of the bank's, and would leave no room in the books. */
const MAX_AMOUNT = 10_000_000_000_000

type Page = { lines: unknown[]; cursor: string; more: boolean }

/** The sandbox's own bank is the same one at whatever port it starts. */
export const SANDBOX_BANK = 'bank-api:127.0.0.1'

/** A bank that is reached over HTTP. The sandbox's simulated bank is reached through this and nothing else. */
export function bankApiRail({ baseUrl, key, name }: { baseUrl: string; key: string; name?: string }): Rail {
  const { host, pathname } = new URL(baseUrl)
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}/api/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    })
  return {
    // With the bank's whole address: what one bank has read or seen says nothing about another.
    name: name ?? `bank-api:${host}${pathname.replace(/\/$/, '')}`,
    async statement(cursor): Promise<StatementPage> {
      try {
        const response = await call(`statement?since=${encodeURIComponent(cursor || '0')}&limit=${PAGE}`)
        if (!response.ok) return { outcome: 'unreachable', why: `HTTP ${response.status}` }
        return readPage(JSON.parse(await readAnswer(response)))
      } catch (error) {
        return { outcome: 'unreachable', why: (error as Error).message }
      }
    },
    async submit({ amount, ...order }): Promise<SubmitAnswer> {
      try {
        const response = await call('transfers', {
          method: 'POST',
          body: JSON.stringify({ ...order, amount: Number(amount) }),
        })
        if (response.ok)
          return readTransfer(JSON.parse(await readAnswer(response)), { reference: order.reference, amount })
        const why = cleaned(`HTTP ${response.status} ${await readAnswer(response)}`)
        // The bank understood nothing of it, so nothing happened. Everything else may have.
        const nothingHappened = response.status === 400 && !saysSentBefore(why)
        return nothingHappened ? { outcome: 'rejected', reason: 'invalid_order', why } : unknown(why)
      } catch (error) {
        return unknown((error as Error).message)
      }
    },
    async find(reference, amount): Promise<FindAnswer> {
      try {
        const response = await call(`transfers/${encodeURIComponent(reference)}`)
        const text = await readAnswer(response)
        if (response.ok) return readFound(JSON.parse(text), { reference, amount })
        if (response.status === 404 && saysNeverSeen(text)) return { outcome: 'never_seen' }
        return unknown(`HTTP ${response.status}`)
      } catch (error) {
        return unknown((error as Error).message)
      }
    },
  }
}

function saysNeverSeen(text: string): boolean {
  try {
    return (JSON.parse(text) as { error?: unknown } | null)?.error === 'never_seen'
  } catch {
    return false
  }
}

/** The message of a JSON error quotes the body, so it can hold what PostgreSQL refuses. */
function unknown(why: string): { outcome: 'unknown'; why: string } {
  return { outcome: 'unknown', why: cleaned(why) }
}

type WireTransfer = {
  status?: unknown
  bankReference?: unknown
  reason?: unknown
  reference?: unknown
  amount?: unknown
}
type Asked = Pick<PayoutOrder, 'reference' | 'amount'>

function readTransfer(body: unknown, asked: Asked): SubmitAnswer {
  const wire = (body ?? {}) as WireTransfer
  const { status, bankReference } = wire
  const difference = differenceFrom(asked, wire)
  if (difference) return unknown(difference)
  const reference = shortText(bankReference)
  if (status === 'accepted' && reference !== '') return { outcome: 'accepted', bankReference: reference }
  if (status === 'rejected') return readRefusal(shortText(wire.reason) || 'refused')
  return status === 'pending' ? { outcome: 'pending' } : unknown('the answer could not be read')
}

function readFound(body: unknown, asked: Asked): FindAnswer {
  const wire = (body ?? {}) as WireTransfer
  if (wire.status !== 'returned' || differenceFrom(asked, wire)) return readTransfer(body, asked)
  return { outcome: 'returned', bankReference: shortText(wire.bankReference) }
}

/** An answer that names another transfer than the one asked about says nothing about ours. Both fields may be missing. */
function differenceFrom(asked: Asked, { reference, amount }: WireTransfer): string | null {
  const said = (value: unknown) => shortText(typeof value === 'string' ? value : JSON.stringify(value))
  if ((reference ?? null) !== null && said(reference).toLowerCase() !== asked.reference.toLowerCase())
    return `the answer has another reference: ${said(reference)}`
  if ((amount ?? null) !== null && amount !== Number(asked.amount))
    return `the answer has another amount: ${said(amount)}`
  return null
}

function readRefusal(reason: string): SubmitAnswer {
  return saysSentBefore(reason)
    ? unknown(`refused because the bank has it already, so it may have paid: ${reason}`)
    : { outcome: 'rejected', reason }
}

/** A refusal as a repeat means that the bank knows the reference: what became of the transfer, only a question tells. */
function saysSentBefore(words: string): boolean {
  return /duplicate|already/i.test(words)
}

/** References and reasons have at most 140 characters; anything but a text is none. */
function shortText(value: unknown): string {
  return typeof value === 'string' ? cleaned(value).slice(0, 140).toWellFormed() : ''
}

/** One line that cannot be read must not stop the others, nor be lost: it is handed on as it came. */
function readPage(body: unknown): StatementPage {
  const { lines, cursor, more } = (body ?? {}) as Partial<Page>
  if (!Array.isArray(lines) || typeof cursor !== 'string')
    return { outcome: 'unreachable', why: 'the page has no list `lines` or no text `cursor`' }
  const page = { lines: [] as BankLine[], unread: [] as { raw: string; why: string }[] }
  for (const wire of lines) {
    try {
      page.lines.push(...readLine(wire as Record<string, unknown>))
    } catch (error) {
      page.unread.push({ raw: JSON.stringify(wire), why: (error as Error).message })
    }
  }
  return { outcome: 'read', ...page, cursor, more: more === true }
}

/** A line that was kept unread, tried again. */
export function rereadLine(raw: string): BankLine | null {
  try {
    return readLine(JSON.parse(raw) as Record<string, unknown>)[0] ?? null
  } catch {
    return null
  }
}

function readLine(wire: Record<string, unknown>): BankLine[] {
  const { amount, direction, valueDate, bookedAt } = wire
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0 || amount > MAX_AMOUNT)
    throw new Error('amount is not an amount')
  // Zero amounts stand in real statements as remarks; they move nothing.
  if (amount === 0) return []
  if (direction !== 'credit' && direction !== 'debit') throw new Error('direction is neither credit nor debit')
  if (typeof valueDate !== 'string' || !isDay(valueDate)) throw new Error('valueDate is not a day')
  if (
    typeof bookedAt !== 'string' ||
    !isDay(bookedAt.slice(0, 10)) ||
    !/(Z|[+-]\d{2}:?\d{2})$/.test(bookedAt) ||
    Number.isNaN(Date.parse(bookedAt))
  )
    throw new Error('bookedAt is not a time with its zone')
  return [
    {
      accountIban: text(wire, 'account'),
      // Lines come in small pages: without the bank's own number, two equal payments could not be told from one seen twice.
      bankReference: text(wire, 'reference'),
      amount: BigInt(amount),
      direction,
      valueDate,
      bookedAt: new Date(bookedAt),
      senderName: text(wire, 'senderName', ''),
      senderIban: text(wire, 'senderIban', '') || null,
      narrative: text(wire, 'narrative', ''),
      currency: text(wire, 'currency', '') || undefined,
    },
  ]
}

/** A day of the calendar: Date alone takes 2026-02-30 for the second of March. */
function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function text(wire: Record<string, unknown>, field: string, otherwise?: string): string {
  const value = wire[field] ?? otherwise
  if (typeof value !== 'string' || (value === '' && otherwise === undefined)) throw new Error(`${field} is missing`)
  return cleaned(value)
}

/** PostgreSQL keeps no NUL, and nothing that a person reads is longer. */
function cleaned(value: string): string {
  return value.replaceAll('\0', '').slice(0, MAX_TEXT).toWellFormed()
}
