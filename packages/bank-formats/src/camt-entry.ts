import { excerpt, fileError } from './file-problems.ts'
import { charactersOf, detailAmount, detailIn, returnIn } from './camt-details.ts'
import type { Detail } from './camt-details.ts'
import { amountIn, codeAt, dayAt, requiredDirection, timeAt } from './camt-values.ts'
import { narrativeOf } from './narrative.ts'
import { referenceOf } from './reference.ts'
import type { StatementLine } from './statement.ts'
import { textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

/** An entry with more details, or longer texts in all of them, stays one line: they are held in memory until their sum is known. */
const MAX_DETAILS = 50_000
const MAX_CHARACTERS = 16 * 1024 * 1024

/** INFO and FUTR are not booked either. */
const STATUS: Readonly<Record<string, StatementLine['status']>> = {
  BOOK: 'booked',
  PDNG: 'pending',
  INFO: 'pending',
  FUTR: 'pending',
}

/** The transaction details of the entry that is being read. `announced` is how many the bank says that there are. */
export type Details = { kept: Detail[]; count: number; announced: number; characters: number }

export function noDetails(): Details {
  return { kept: [], count: 0, announced: 0, characters: 0 }
}

/** Takes a TxDtls, or the element beside it that may hold Btch: NtryDtls, in version 1 Ntry. */
export function addDetail(details: Details, node: XmlNode): void {
  if (node.name !== 'TxDtls') {
    details.announced += announcedIn(node)
    return
  }
  const detail = detailIn(node)
  details.count += 1
  details.characters += charactersOf(detail)
  if (details.kept.length < MAX_DETAILS && details.characters < MAX_CHARACTERS) details.kept.push(detail)
}

function announcedIn(node: XmlNode): number {
  return Number(textAt(node, 'Btch', 'NbOfTxs') ?? 0)
}

/** What an entry says itself. */
export type Entry = Pick<
  StatementLine,
  | 'position'
  | 'direction'
  | 'amount'
  | 'currency'
  | 'bookedOn'
  | 'bookedAt'
  | 'valueOn'
  | 'status'
  | 'reversal'
  | 'returned'
  | 'bankReference'
> & { text: string }

/** Without a booking date it is the value date, else the day on which the bank made the file. */
export function entryIn(node: XmlNode, createdOn: string | null): Entry {
  const status = codeAt(node, 'Sts') ?? ''
  if (!Object.hasOwn(STATUS, status))
    throw fileError(node.position, 'code_unknown', {
      field: '<Sts>',
      text: excerpt(status),
      known: Object.keys(STATUS),
    })
  const valueOn = dayAt(node, 'ValDt')
  const bookedOn = dayAt(node, 'BookgDt') ?? valueOn ?? createdOn
  if (bookedOn === null)
    throw fileError(node.position, 'field_missing', { fields: ['<BookgDt>', '<ValDt>'], inside: '<Ntry>' })
  return {
    ...amountIn(node),
    position: { line: node.position.line },
    direction: requiredDirection(node),
    bookedOn,
    bookedAt: timeAt(node, 'BookgDt'),
    valueOn,
    status: STATUS[status] as StatementLine['status'],
    reversal: /^(?:true|1)$/.test(textAt(node, 'RvslInd') ?? ''),
    returned: returnIn(node),
    bankReference: referenceOf(textAt(node, 'AcctSvcrRef')),
    text: textAt(node, 'AddtlNtryInf') ?? '',
  }
}

/** The entry as one line, or as its details where these are several and sum to it. */
export function linesOf(entry: Entry, details: Details, ownIban: string | null): StatementLine[] {
  const { kept, count } = details
  const [first] = kept
  if (count > 1 && kept.length === count) {
    const opened = openBatch(entry, kept, ownIban)
    if (opened) return opened
  }
  // One detail of a batch of several is not the whole entry.
  const isOne =
    count === 1 && (details.announced <= 1 || (first && detailAmount(first, entry.currency) === entry.amount))
  if (first && isOne) {
    const bankReference = first.bankReference ?? entry.bankReference ?? first.transactionReference
    return [lineOf(entry, first, { bankReference, batch: null }, ownIban)]
  }
  const line = lineOf(entry, null, { bankReference: entry.bankReference, batch: null }, ownIban)
  const isReturned = kept.length > 0 && kept.every((detail) => detail.returned !== null)
  const returned = line.returned ?? (isReturned ? (first?.returned ?? null) : null)
  return [{ ...line, narrative: narrativeOf([...kept.map(({ text }) => text), entry.text]), returned }]
}

function openBatch(entry: Entry, details: readonly Detail[], ownIban: string | null): StatementLine[] | null {
  const sign = (direction: StatementLine['direction']) => (direction === 'credit' ? 1n : -1n)
  const amounts = details.map((detail) => detailAmount(detail, entry.currency))
  let sum = 0n
  for (const [index, amount] of amounts.entries()) {
    if (amount === null) return null
    sum += amount * sign(details[index]?.direction ?? entry.direction)
  }
  if (sum !== entry.amount * sign(entry.direction)) return null
  const references = details.map(({ bankReference, transactionReference }) => bankReference ?? transactionReference)
  const times = Map.groupBy(references, (reference) => reference)
  const batch = { lines: details.length, bankReference: entry.bankReference }
  return details.map((detail, index) => {
    const reference = references[index] ?? null
    // The batch's number, or one that several details share, does not identify a line.
    const bankReference = reference === entry.bankReference || times.get(reference)?.length !== 1 ? null : reference
    const line = lineOf(entry, detail, { bankReference, batch }, ownIban)
    return { ...line, amount: amounts[index] as bigint, direction: detail.direction ?? entry.direction }
  })
}

type OfLine = Pick<StatementLine, 'bankReference' | 'batch'>

function lineOf(
  { text, ...entry }: Entry,
  detail: Detail | null,
  ofLine: OfLine,
  ownIban: string | null,
): StatementLine {
  const returned = detail?.returned ?? entry.returned
  const direction = ofLine.batch ? (detail?.direction ?? entry.direction) : entry.direction
  const other = detail && counterpartyOf(detail, direction, entry.reversal || returned !== null, ownIban)
  return {
    ...entry,
    ...ofLine,
    returned,
    endToEndReference: detail?.endToEndReference ?? null,
    counterpartyName: other?.name ?? null,
    counterpartyIban: other?.iban ?? null,
    narrative: narrativeOf([detail?.text ?? '', text]),
    balance: null,
  }
}

/** Who paid us or was paid. Reversals and returns may name the parties as in the original payment: then ours is on the other side. */
function counterpartyOf(
  detail: Detail,
  direction: StatementLine['direction'],
  isBack: boolean,
  ownIban: string | null,
) {
  const [usual, opposite] = direction === 'credit' ? [detail.debtor, detail.creditor] : [detail.creditor, detail.debtor]
  const isOurs = ownIban !== null && usual.iban === ownIban && opposite.iban !== ownIban
  const isMissing = usual.name === null && usual.iban === null
  return isBack && (isOurs || isMissing) ? opposite : usual
}
