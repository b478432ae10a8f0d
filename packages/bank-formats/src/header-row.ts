import type { AmountLayout, BankProfile, ColumnRole } from './bank-profile.ts'
import type { FileProblems } from './file-problems.ts'
import { foldedLabels, foldLabel, visibleText } from './fold-text.ts'

export type Header = {
  layout: AmountLayout
  /** Where each column stands, from 0. */
  at: Partial<Record<ColumnRole, number>>
  /** From a name such as `Tutar (TL)`, as written. */
  currency: string | null
  /** Columns with a name. */
  width: number
  /** Folded, to recognise the row when it comes again. */
  names: string[]
}

/** `score` columns were found; `missing` says what a header would need. */
export type NoHeader = { score: number; missing: FileProblems['header_missing'] }

const NEEDED: Record<AmountLayout, ColumnRole[]> = {
  marked: ['amount', 'mark'],
  split: ['debit', 'credit'],
  signed: ['amount'],
}

const MONEY = new Set<ColumnRole>(['amount', 'debit', 'credit', 'balance'])
const CURRENCY_AT_END = /[\s([]{1,3}(TL|TRY|₺|USD|EUR|GBP|CHF)[)\]]?$/i

/** A row of more columns is no header of a statement. */
const MAX_COLUMNS = 500

export function matchHeader(texts: string[], profile: BankProfile): Header | NoHeader {
  const seen = texts.slice(0, MAX_COLUMNS).map(visibleText)
  const names = seen.map(foldLabel)
  const plain = seen.map((text) => foldLabel(text.replace(CURRENCY_AT_END, '')))
  const at: Header['at'] = {}
  for (const [role, aliases] of Object.entries(profile.columns) as [ColumnRole, string[]][]) {
    const column = findColumn(aliases, names, MONEY.has(role) ? plain : names)
    if (column >= 0) at[role] = column
  }
  const layout = profile.amounts.find((kind) => isPossible(kind, at, profile))
  const missing = missingColumns(at, layout, profile)
  if (layout === undefined || missing.columns.length > 0) {
    const core = (['date', 'description', 'amount', 'debit', 'credit'] as const).filter((role) => role in at)
    return { score: core.length, missing }
  }
  const money = NEEDED[layout].filter((role) => role !== 'mark').map((role) => seen[at[role] ?? -1] ?? '')
  const currency = money.map((name) => CURRENCY_AT_END.exec(name)?.[1]).find((name) => name !== undefined) ?? null
  return { layout, at, currency, width: names.findLastIndex((name) => name !== '') + 1, names }
}

function findColumn(aliases: string[], names: string[], plain: string[]): number {
  for (const alias of foldedLabels(aliases)) {
    const exact = names.indexOf(alias)
    const column = exact >= 0 ? exact : plain.indexOf(alias)
    if (column >= 0) return column
  }
  return -1
}

/** An amount without mark and without balance may be unsigned: nothing would tell a debit from a credit. */
function isPossible(layout: AmountLayout, at: Header['at'], profile: BankProfile): boolean {
  if (!NEEDED[layout].every((role) => role in at)) return false
  return layout !== 'signed' || profile.alwaysSigned || 'balance' in at
}

function missingColumns(at: Header['at'], layout: AmountLayout | undefined, profile: BankProfile): NoHeader['missing'] {
  const amounts = new Set(profile.amounts.flatMap((kind) => NEEDED[kind]))
  const roles = (Object.keys(profile.columns) as ColumnRole[]).filter((role) => {
    return !(role in at) && !profile.optional.includes(role) && !amounts.has(role)
  })
  const columns = roles.map((role) => (profile.columns[role] ?? [])[0] ?? role)
  if (layout !== undefined) return { columns, amounts: [] }
  const ways = profile.amounts.map((kind) => {
    const names = NEEDED[kind].map((role) => (profile.columns[role] ?? [])[0] ?? role)
    if (kind === 'signed' && !profile.alwaysSigned) names.push(profile.columns.balance?.[0] ?? 'balance')
    return names
  })
  return { columns, amounts: ways }
}

/** A name that stands twice: which of the two is meant cannot be known. */
export function doubledColumn({ at, names }: Header): string | null {
  const used = Object.values(at).map((column) => names[column])
  return used.find((name) => names.indexOf(name ?? '') !== names.lastIndexOf(name ?? '')) ?? null
}
