import { accountOf } from './account-number.ts'
import { BankFileError } from './bank-file-error.ts'
import { readFields } from './mt-fields.ts'
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
  if (messages === 0) throw new BankFileError({ line: 1 }, 'found no field such as :20:, expected an MT940 or MT942')
}

/** Lines of :86: after one :61:; SWIFT allows six. */
const MAX_INFORMATION = 1000

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
  line: { field: MtField; information: string[] } | null
  tally: Tally
}

function newDraft(type: string | null, position: Position): Draft {
  return {
    ...{ type, position, reference: null, number: null, account: null, opening: null, closing: null, floors: [] },
    ...{ claims: [], currency: null, head: null, line: null, tally: newTally() },
  }
}

function* takeField(draft: Draft, field: MtField): Generator<StatementEvent> {
  const { tag, lines } = field
  if (tag === '86') {
    draft.line?.information.push(...lines)
    if ((draft.line?.information.length ?? 0) > MAX_INFORMATION) throw malformed(field, 'fewer lines of :86:')
  } else if (tag === '61') {
    yield* endLine(draft)
    if (draft.closing) throw malformed(field, 'no line after the closing balance')
    if (!draft.head) yield headOf(draft)
    draft.line = { field, information: [] }
  } else if (takeHead(draft, field)) return
  else if (/^(?:62[FM]|6[45]|90[CD])$/.test(tag)) {
    yield* endLine(draft)
    takeFoot(draft, field)
  }
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
  if (draft.head || draft.closing) throw malformed(field, 'it before the first :61: and the closing balance')
  known[name]?.()
  return true
}

function once(before: unknown, field: MtField): void {
  if (before !== null) throw malformed(field, `one :${field.tag}: in a message, this is one more`)
}

function accountIn(field: MtField): StatementAccount {
  const text = field.lines[0]?.trim() ?? ''
  if (text === '') throw malformed(field, 'an account')
  return accountOf(text)
}

function takeFoot(draft: Draft, field: MtField): void {
  const { position } = field
  if (field.tag.startsWith('90')) {
    const { claim, currency } = mtTotal(field)
    once(draft.claims.find(({ what }) => what === claim.what) ?? null, field)
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
  if (known !== currency)
    throw new BankFileError(position, `found the currency ${currency}, expected ${known} as before`)
}

function headOf(draft: Draft): StatementEvent {
  const { position, account, opening, floors } = draft
  const isInterim = draft.type === '942' || (draft.type === null && !opening && floors.length > 0)
  if (!account) throw new BankFileError(position, 'the message has no :25: with the account')
  if (!opening && !isInterim)
    throw new BankFileError(position, 'the message has no :60F: or :60M: with the opening balance')
  draft.currency = opening?.currency ?? floors[0]?.currency ?? account.currency
  if (draft.currency === null) throw new BankFileError(position, 'the message has no :34F: with the currency')
  const format = isInterim ? 'mt942' : 'mt940'
  draft.head = { format, id: draft.number ?? draft.reference, account, from: null, to: null, opening }
  return { kind: 'head', head: draft.head }
}

function* endLine(draft: Draft): Generator<StatementEvent> {
  if (!draft.line || draft.currency === null) return
  const line = mtLine(draft.line.field, draft.line.information, draft.currency)
  draft.line = null
  addTo(draft.tally, line, draft.currency)
  yield { kind: 'line', line }
}

function footOf(draft: Draft, position: Position): StatementEvent {
  const { head, opening, closing, claims, tally, floors } = draft
  if (head?.format === 'mt940' && !closing)
    throw new BankFileError(
      position,
      'the message ends without :62F: or :62M: with the closing balance; lines may be missing',
    )
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
