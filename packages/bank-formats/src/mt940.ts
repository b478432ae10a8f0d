import { accountOf } from './account-number.ts'
import { fileError } from './file-problems.ts'
import { MESSAGES, readFields } from './mt-fields.ts'
import type { MtField } from './mt-fields.ts'
import { mtLine } from './mt-line.ts'
import { malformed, mtBalance, mtFloor, mtTotal } from './mt-values.ts'
import type { Balance, Bytes, Position, StatementAccount, StatementEvent, StatementHead } from './statement.ts'
import { addTo, balanceProblems, claimProblems, newTally } from './tally.ts'
import type { Claim, Tally } from './tally.ts'

/** Reads MT940 and MT942; each message is a statement. See docs/bank-formats.md for what is read from which field. */
export async function* readMt940(bytes: Bytes): AsyncGenerator<StatementEvent> {
  let draft: Draft | null = null
  let messages = 0
  for await (const part of readFields(bytes)) {
    if (part.kind === 'message') draft = newDraft(part.type, part.position)
    else if (!draft) continue
    else if (part.kind === 'field') yield* takeField(draft, part.field)
    else {
      yield* endLine(draft)
      if (!draft.head) yield headOf(draft)
      yield footOf(draft, part.position)
      messages += 1
    }
  }
  if (messages === 0) throw fileError(null, 'message_unexpected', { found: null, expected: MESSAGES })
}

/** Lines of :86: after one :61:, and characters in them; SWIFT allows six lines of 65. */
const MAX_INFORMATION = 1000
const MAX_INFORMATION_CHARACTERS = 64 * 1024

/** A message while it is read. */
type Draft = {
  type: string | null
  position: Position
  reference: string | null
  number: string | null
  account: StatementAccount | null
  opening: Balance | null
  closing: (Balance & { position: Position }) | null
  floors: { currency: string; amount: bigint }[]
  claims: Claim[]
  currency: string | null
  head: StatementHead | null
  /** A :61: whose :86: may follow. */
  line: { field: MtField; information: string[]; characters: number } | null
  tally: Tally
}

function newDraft(type: string | null, position: Position): Draft {
  return {
    ...{ type, position, reference: null, number: null, account: null, opening: null, closing: null, floors: [] },
    ...{ claims: [], currency: null, head: null, line: null, tally: newTally() },
  }
}

function* takeField(draft: Draft, field: MtField): Generator<StatementEvent> {
  const { tag } = field
  if (tag === '86') {
    if (draft.line) addInformation(draft.line, field)
  } else if (tag === '61') {
    yield* endLine(draft)
    if (draft.closing) throw misplaced(field, ':62F:')
    if (!draft.head) yield headOf(draft)
    draft.line = { field, information: [], characters: 0 }
  } else if (takeHead(draft, field)) return
  else if (/^(?:62[FM]|6[45]|90[CD])$/.test(tag)) {
    yield* endLine(draft)
    takeFoot(draft, field)
  }
}

function addInformation(line: NonNullable<Draft['line']>, field: MtField): void {
  line.information.push(...field.lines)
  line.characters += field.lines.reduce((sum, { length }) => sum + length, 0)
  if (line.information.length > MAX_INFORMATION || line.characters > MAX_INFORMATION_CHARACTERS)
    throw fileError(field.position, 'too_many', { what: 'information', most: MAX_INFORMATION })
}

/** The fields before the first line; each once, except the two limits of an MT942. */
function takeHead(draft: Draft, field: MtField): boolean {
  const text = field.lines[0]?.trim() ?? ''
  const [name] = /^(?:20|25|28|60|34F)/.exec(field.tag) ?? []
  const known: Record<string, () => unknown> = {
    '20': () => once(draft.reference, field) ?? (draft.reference = text),
    '28': () => once(draft.number, field) ?? (draft.number = text),
    '25': () => once(draft.account, field) ?? (draft.account = accountIn(field)),
    '60': () => once(draft.opening, field) ?? (draft.opening = mtBalance(field)),
    '34F': () => once(draft.floors[1] ?? null, field) ?? draft.floors.push(mtFloor(field)),
  }
  if (name === undefined || !/^(?:20|25P?|28C?|60[FM]|34F)$/.test(field.tag)) return false
  if (draft.head || draft.closing) throw misplaced(field, ':61:', ':62F:')
  known[name]?.()
  return true
}

function once(before: unknown, field: MtField): void {
  if (before !== null) throw fileError(field.position, 'field_twice', { field: `:${field.tag}:` })
}

function accountIn(field: MtField): StatementAccount {
  const text = field.lines[0]?.trim() ?? ''
  if (text === '') throw malformed(field, '0012/12345678')
  return accountOf(text)
}

function takeFoot(draft: Draft, field: MtField): void {
  const { position } = field
  if (field.tag.startsWith('90')) {
    const { claim, currency } = mtTotal(field)
    once(draft.claims.find((one) => one.field === claim.field) ?? null, field)
    draft.claims.push(claim)
    return checkCurrency(draft, currency, position)
  }
  const balance = mtBalance(field)
  checkCurrency(draft, balance.currency, position)
  if (!field.tag.startsWith('62')) return
  once(draft.closing, field)
  draft.closing = { ...balance, position }
}

function checkCurrency(draft: Draft, currency: string, position: Position): void {
  const known = draft.currency ?? draft.opening?.currency ?? currency
  if (known !== currency) throw fileError(position, 'currency_differs', { found: currency, expected: known })
}

function headOf(draft: Draft): StatementEvent {
  const { position, account, opening, floors } = draft
  const isInterim = draft.type === '942' || (draft.type === null && !opening && floors.length > 0)
  if (!account) throw missing(position, ':25:')
  if (!opening && !isInterim) throw missing(position, ':60F:', ':60M:')
  draft.currency = opening?.currency ?? floors[0]?.currency ?? account.currency
  if (draft.currency === null) throw missing(position, ':34F:')
  const format = isInterim ? 'mt942' : 'mt940'
  draft.head = { format, id: draft.number ?? draft.reference, account, from: null, to: null, opening }
  return { kind: 'head', head: draft.head }
}

const missing = (position: Position, ...fields: string[]) =>
  fileError(position, 'field_missing', { fields, inside: null })

const misplaced = ({ tag, position }: MtField, ...before: string[]) =>
  fileError(position, 'field_misplaced', { field: `:${tag}:`, before })

function* endLine(draft: Draft): Generator<StatementEvent> {
  if (!draft.line || draft.currency === null) return
  const line = mtLine(draft.line.field, draft.line.information, draft.currency)
  draft.line = null
  addTo(draft.tally, line, draft.currency)
  yield { kind: 'line', line }
}

function footOf(draft: Draft, position: Position): StatementEvent {
  const { head, opening, closing, claims, tally, floors } = draft
  if (head?.format === 'mt940' && !closing) throw fileError(position, 'message_unfinished', { end: [':62F:', ':62M:'] })
  // An MT942 leaves out lines below the limit, but may count them.
  const comparable = floors.every(({ amount }) => amount === 0n) ? claims : []
  const problems = [
    ...claimProblems(comparable, tally, draft.currency as string),
    ...balanceProblems(opening, closing, tally, closing?.position ?? position),
  ]
  const { credit, debit } = tally.all
  const balance = closing && { amount: closing.amount, currency: closing.currency, on: closing.on }
  const foot = { closing: balance, lines: credit.count + debit.count, credits: credit.sum, debits: debit.sum, problems }
  return { kind: 'foot', foot }
}
