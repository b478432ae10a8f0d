import type { StatementEvent, StatementFoot, StatementHead, StatementLine } from '@vezne/bank-formats'
import { fileError } from '@vezne/bank-formats'
import { FIRST_DAY, isDay, LAST_DAY } from '../../../kernel/istanbul.ts'

/** `batchTotal`: the sum of the batch entry that the line was opened out of, negative for debits. */
export type ReadLine = StatementLine & { batchTotal: bigint | null }

/** One statement of a file, once all its lines were read. Days and sums are those of booked lines, the sums in the account's currency. */
export type ReadStatement = {
  number: number
  head: StatementHead
  foot: StatementFoot
  fromDay: string | null
  toDay: string | null
  lines: number
  pending: number
  credits: bigint
  debits: bigint
  /** Balances at the start and end of each day, if lines have a balance. */
  days: Map<string, { opening: bigint; closing: bigint }>
}

export type ReadPart =
  | { kind: 'part'; head: StatementHead; lines: ReadLine[] }
  | { kind: 'statement'; statement: ReadStatement }

/** Lines that are imported in one transaction: other imports wait for it. */
export const PART_LINES = 500

/** Lines in parts, and each statement after its lines. A batch is not split, so that it is compared as a whole. */
export async function* readInParts(events: AsyncIterable<StatementEvent>): AsyncGenerator<ReadPart> {
  let current: ReadStatement | null = null
  let part: ReadLine[] = []
  let batch: StatementLine[] = []
  let number = 0
  for await (const event of events) {
    if (event.kind === 'head') current = newStatement(++number, event.head)
    if (!current) continue
    if (event.kind === 'line') {
      count(current, event.line)
      batch.push(event.line)
      if (batch.length < (event.line.batch?.lines ?? 1)) continue
      addBatch(part, batch)
      batch = []
      if (part.length < PART_LINES) continue
      yield { kind: 'part', head: current.head, lines: part }
      part = []
    }
    if (event.kind === 'foot') {
      addBatch(part, batch)
      if (part.length > 0) yield { kind: 'part', head: current.head, lines: part }
      yield { kind: 'statement', statement: finished(current, event.foot) }
      ;[part, batch, current] = [[], [], null]
    }
  }
}

const signed = ({ direction, amount }: StatementLine) => (direction === 'credit' ? amount : -amount)

function addBatch(part: ReadLine[], batch: StatementLine[]): void {
  const total = batch.reduce((sum, line) => sum + signed(line), 0n)
  for (const line of batch) part.push({ ...line, batchTotal: line.batch ? total : null })
}

function newStatement(number: number, head: StatementHead): ReadStatement {
  const none = { closing: null, lines: 0, credits: 0n, debits: 0n, problems: [] }
  const sums = { lines: 0, pending: 0, credits: 0n, debits: 0n }
  return { number, head, foot: none, fromDay: null, toDay: null, ...sums, days: new Map() }
}

function count(statement: ReadStatement, line: StatementLine): void {
  if (line.status === 'pending') {
    statement.pending++
    return
  }
  statement.lines++
  const isOwn = line.currency === (statement.head.account.currency ?? line.currency)
  if (isOwn && line.direction === 'credit') statement.credits += line.amount
  if (isOwn && line.direction === 'debit') statement.debits += line.amount
  const { bookedOn, balance } = line
  mustBeDay(bookedOn, line.position)
  statement.fromDay = earlier(statement.fromDay, bookedOn)
  statement.toDay = later(statement.toDay, bookedOn)
  if (balance === null) return
  const opening = statement.days.get(bookedOn)?.opening ?? balance - signed(line)
  statement.days.set(bookedOn, { opening, closing: balance })
}

/** The period: of the lines, and where the file says so, of days without lines. A closing balance is dated to the last day. */
function finished(statement: ReadStatement, foot: StatementFoot): ReadStatement {
  const { head } = statement
  const last = foot.closing?.on ?? head.to
  const first = head.from ?? (statement.fromDay === null ? last : null)
  const fromDay = first === null ? statement.fromDay : earlier(statement.fromDay, first)
  const toDay = last === null ? statement.toDay : later(statement.toDay, last)
  const [from, to] = [fromDay ?? toDay, toDay ?? fromDay]
  for (const day of [from, to]) if (day !== null) mustBeDay(day, null)
  return { ...statement, foot, fromDay: from && to && from > to ? to : from, toDay: to }
}

/** A period that is far away would count as read, or every day until then as missing. */
function mustBeDay(day: string, position: StatementLine['position'] | null): void {
  if (isDay(day)) return
  throw fileError(position, 'date_out_of_range', { day, from: FIRST_DAY, to: LAST_DAY })
}

const earlier = (a: string | null, b: string) => (a !== null && a < b ? a : b)
const later = (a: string | null, b: string) => (a !== null && a > b ? a : b)
