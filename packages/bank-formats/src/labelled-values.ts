import { fileError } from './file-problems.ts'
import type { BankProfile, MetadataField } from './bank-profile.ts'
import { foldedLabels, foldLabel, visibleText } from './fold-text.ts'
import { masked, readAmount, readCurrency, readDate, readIban } from './read-cells.ts'
import { EMPTY_CELL } from './sheet-row.ts'
import type { Cell, SheetRow } from './sheet-row.ts'
import type { Position } from './statement.ts'

/** What rows above and below the lines say of the account. Balances keep their place, to name it if they do not agree. */
export type Metadata = {
  iban: string | null
  account: string | null
  currency: string | null
  from: string | null
  to: string | null
  opening: ClaimedBalance | null
  closing: ClaimedBalance | null
}
export type ClaimedBalance = { cell: Cell; position: Position }

export const noMetadata = (): Metadata => ({
  iban: null,
  account: null,
  currency: null,
  from: null,
  to: null,
  opening: null,
  closing: null,
})

/** Reads `IBAN: TR…` in one cell and `IBAN` with its value in the next, any number of them in a row. */
export function readLabelledValues({ cells, position }: SheetRow, profile: BankProfile, into: Metadata): void {
  const labels = Object.entries(profile.metadata) as [MetadataField, string[]][]
  for (const [index, { text, kind }] of cells.entries()) {
    if (kind !== 'text' || text === '') continue
    const colon = text.indexOf(':')
    const label = foldLabel(colon < 0 ? text : text.slice(0, colon))
    const field = labels.find(([, names]) => foldedLabels(names).includes(label))?.[0]
    if (field === undefined) continue
    const inside = colon < 0 ? '' : visibleText(text.slice(colon + 1))
    const next = cells.slice(index + 1).find((cell) => cell.text !== '' && cell.text !== ':') ?? EMPTY_CELL
    const cell: Cell = inside === '' ? { ...next, text: next.text.replace(/^: ?/, '') } : { text: inside, kind: 'text' }
    if (cell.text !== '') store(field, cell, profile, { ...position, column: index + 1 }, into)
  }
}

function store(field: MetadataField, cell: Cell, profile: BankProfile, position: Position, into: Metadata): void {
  const day = (one: Cell) => readDate(one, profile.dates, position)?.date ?? null
  if (field === 'iban') {
    // Some banks hide the middle of it, which tells no account.
    if (cell.text.includes('*')) return
    into.iban = agreed(into.iban, readIban(cell.text), position)
    if (into.iban === null) throw fileError(position, 'value_not_iban', { account: masked(cell.text) })
  } else if (field === 'account') {
    const iban = readIban(cell.text)
    if (iban === null) into.account ??= cell.text
    else into.iban = agreed(into.iban, iban, position)
  } else if (field === 'currency') into.currency = agreed(into.currency, readCurrency(cell.text, position), position)
  else if (field === 'from') into.from ??= day(cell)
  else if (field === 'to') into.to ??= day(cell)
  else if (field === 'period') {
    const [from = '', to = ''] = cell.text.match(/\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/g) ?? []
    into.from ??= day({ text: from, kind: 'text' })
    into.to ??= day({ text: to, kind: 'text' })
  } else into[field] ??= { cell, position }
}

function agreed(known: string | null, found: string | null, position: Position): string | null {
  if (known !== null && found !== null && known !== found)
    throw fileError(position, 'account_differs', { found: masked(found), expected: masked(known) })
  return found ?? known
}

/** A balance of the metadata, signed, in minor units. */
export function claimedAmount(claim: ClaimedBalance, currency: string, profile: BankProfile): bigint {
  const read = readAmount(claim.cell, currency, profile, claim.position)
  return read?.sign === '-' ? -read.amount : (read?.amount ?? 0n)
}
