import { fileError, fileProblem } from './file-problems.ts'
import { addDetail, entryIn, linesOf, noDetails } from './camt-entry.ts'
import type { Details } from './camt-entry.ts'
import { accountIn, balanceIn, bookedBalances, claimsIn, pageIn } from './camt-head.ts'
import type { CamtBalance } from './camt-head.ts'
import { readCamtParts } from './camt-parts.ts'
import type { CamtFormat } from './camt-parts.ts'
import { signedBalances } from './camt-signs.ts'
import { dayAt } from './camt-values.ts'
import { dayOf } from './iso-date.ts'
import { MAX_HELD } from './order-entries.ts'
import type { Balance, Bytes, Position, StatementEvent, StatementHead, StatementLine } from './statement.ts'
import { noProblems, addProblems, listOf } from './problems.ts'
import type { Problems } from './problems.ts'
import { addTo, balanceProblems, claimProblems, newTally } from './tally.ts'
import { nodeAt, textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

/** An opening and a closing one for each day of a year, and more. */
const MAX_BALANCES = 1000

/** Characters of a line besides its narrative, about; bounds what is held. */
const OTHER_FIELDS = 500

/** Reads camt.052, camt.053 and camt.054 of all versions. See docs/bank-formats.md for what is read from which element. */
export async function* readCamt(bytes: Bytes): AsyncGenerator<StatementEvent> {
  let group: Group = { createdOn: null, page: null }
  let draft: Draft | null = null
  let statements = 0
  for await (const part of readCamtParts(bytes)) {
    if (part.kind === 'statement') draft = newDraft(part.format, part.position, group)
    else if (part.kind === 'part' && part.node.name === 'GrpHdr') group = groupIn(part.node)
    else if (!draft) continue
    else if (part.kind === 'detail') addDetail(draft.details, part.node)
    else if (part.kind === 'part' && part.node.name !== 'Ntry') addToHead(draft, part.node)
    else {
      if (!draft.head) yield* headEvents(draft)
      if (part.kind === 'part') yield* entryEvents(draft, part.node)
      else yield* footEvents(draft)
      statements += part.kind === 'end' ? 1 : 0
    }
  }
  if (statements === 0)
    throw fileError(null, 'field_missing', { fields: ['<Stmt>', '<Rpt>', '<Ntfctn>'], inside: null })
}

type Page = NonNullable<StatementHead['page']>
type Group = { createdOn: string | null; page: Page | null }

/** A statement while it is read. */
type Draft = {
  format: CamtFormat
  position: Position
  parts: Map<string, XmlNode>
  balances: CamtBalance[]
  createdOn: string | null
  page: Page | null
  head: StatementHead | null
  /** Lines behind a head whose opening balance has no sign before their sum is known. */
  held: { lines: StatementLine[]; characters: number } | null
  currency: string | null
  details: Details
  /** Entries are what the file totals; lines are what is returned, with batches opened. */
  entries: ReturnType<typeof newTally>
  lines: ReturnType<typeof newTally>
  problems: Problems
}

function newDraft(format: CamtFormat, position: Position, { createdOn, page }: Group): Draft {
  return {
    ...{ format, position, parts: new Map(), balances: [], createdOn, page, head: null, held: null, currency: null },
    ...{ details: noDetails(), entries: newTally(), lines: newTally(), problems: noProblems() },
  }
}

function groupIn(node: XmlNode): Group {
  return { createdOn: dayAt(node, 'CreDtTm'), page: pageIn(nodeAt(node, 'MsgPgntn')) }
}

function addToHead(draft: Draft, node: XmlNode): void {
  if (draft.head) throw fileError(node.position, 'field_misplaced', { field: `<${node.name}>`, before: ['<Ntry>'] })
  if (node.name === 'Bal') addBalance(draft, node)
  else if (draft.parts.has(node.name)) throw fileError(node.position, 'field_twice', { field: `<${node.name}>` })
  else draft.parts.set(node.name, node)
  if (node.name === 'CreDtTm') draft.createdOn = dayOf(node.text.trim(), node.position)
  if (node.name.endsWith('Pgntn')) draft.page = pageIn(node) ?? draft.page
}

function addBalance(draft: Draft, node: XmlNode): void {
  const balance = balanceIn(node)
  if (balance) draft.balances.push(balance)
  if (draft.balances.length > MAX_BALANCES)
    throw fileError(node.position, 'too_many', { what: 'balances', most: MAX_BALANCES })
}

function* headEvents(draft: Draft): Generator<StatementEvent> {
  const head = headOf(draft)
  const { opening } = bookedBalances(draft.balances, head.account.currency)
  if (opening && !opening.marked) draft.held = { lines: [], characters: 0 }
  else yield { kind: 'head', head }
}

function headOf(draft: Draft): StatementHead {
  const { format, position, parts, balances } = draft
  const acct = parts.get('Acct')
  if (!acct) throw fileError(position, 'field_missing', { fields: ['<Acct>'], inside: null })
  const account = accountIn(acct)
  const period = parts.get('FrToDt')
  const { opening } = bookedBalances(balances, account.currency)
  draft.currency = account.currency ?? opening?.currency ?? null
  draft.head = {
    ...{ format, id: textAt(parts.get('Id')), account, opening: opening && plain(opening) },
    from: period ? (dayAt(period, 'FrDtTm') ?? dayAt(period, 'FrDt')) : null,
    to: period ? (dayAt(period, 'ToDtTm') ?? dayAt(period, 'ToDt')) : null,
    ...(draft.page && { page: draft.page }),
  }
  return draft.head
}

function plain({ amount, currency, on }: Balance): Balance {
  return { amount, currency, on }
}

function* entryEvents(draft: Draft, node: XmlNode): Generator<StatementEvent> {
  const entry = entryIn(node, draft.createdOn)
  draft.currency ??= entry.currency
  if (entry.currency !== draft.currency)
    addProblems(
      draft.problems,
      fileProblem(node.position, 'currency_differs', { found: entry.currency, expected: draft.currency }),
    )
  addTo(draft.entries, entry, draft.currency)
  addDetail(draft.details, node)
  for (const line of linesOf(entry, draft.details, draft.head?.account.iban ?? null)) {
    addTo(draft.lines, line, draft.currency)
    if (draft.held) hold(draft.held, line)
    else yield { kind: 'line', line }
  }
  draft.details = noDetails()
}

function hold(held: NonNullable<Draft['held']>, line: StatementLine): void {
  held.lines.push(line)
  held.characters += line.narrative.length + OTHER_FIELDS
  // So many that the sign of the opening balance is not looked for.
  if (held.characters > MAX_HELD) throw fileError(line.position, 'balance_sign_unknown')
}

function* footEvents(draft: Draft): Generator<StatementEvent> {
  const { head, held } = draft
  const booked = bookedBalances(draft.balances, head?.account.currency ?? null)
  const { opening, closing, missing } = signedBalances(booked, draft.entries, draft.page !== null)
  addProblems(draft.problems, ...missing)
  if (head && held) yield { kind: 'head', head: { ...head, opening: opening && plain(opening) } }
  for (const line of held?.lines ?? []) yield { kind: 'line', line }
  yield footOf(draft, opening, closing)
}

function footOf(draft: Draft, opening: CamtBalance | null, closing: CamtBalance | null): StatementEvent {
  const { parts, position, page, entries, lines } = draft
  const summary = parts.get('TxsSummry')
  // Unknown only without entries; then only zero fits, in any currency.
  const currency = draft.currency ?? 'TRY'
  const claims = summary ? claimsIn(summary, currency) : []
  if (!page)
    addProblems(
      draft.problems,
      ...claimProblems(claims, entries, currency),
      ...balanceProblems(opening, closing, entries, closing?.position ?? position),
    )
  const { credit, debit } = lines.all
  const foot = {
    closing: closing && plain(closing),
    lines: credit.count + debit.count,
    credits: credit.sum,
    debits: debit.sum,
    problems: listOf(draft.problems),
  }
  return { kind: 'foot', foot }
}
