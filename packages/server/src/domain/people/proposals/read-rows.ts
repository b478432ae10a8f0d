import type { Difference } from './proposal.ts'

type Fits = (value: unknown) => boolean

const isText: Fits = (value) => typeof value === 'string'
const isPlain: Fits = (value) => isText(value) || typeof value === 'number' || typeof value === 'boolean'
const isList: Fits = (value) => Array.isArray(value) && value.every(isText)

/** A notice, as it is stored. Its words may be of another version; then it is shown by its name. */
function isSaid(value: unknown): boolean {
  const { why, facts } = (value ?? {}) as Record<string, unknown>
  return isText(why) && typeof facts === 'object' && facts !== null && !Array.isArray(facts)
}

const FITS: Record<Difference['as'], Fits> = {
  text: isPlain,
  fact: isPlain,
  personal: isText,
  money: (value) => isText(value) && /^-?\d+$/.test(value as string),
  bps: (value) => Number.isInteger(value),
  time: (value) => isText(value) && Number.isFinite(Date.parse(value as string)),
  list: isList,
  findings: (value) => Array.isArray(value) && value.every((one) => isText(one) || isSaid(one)),
}

/** Rows as this version shows them; none if another one wrote any of them in another form. Such a proposal is only rejected. */
export function readRows(description: string): Difference[] {
  const rows = parsed(description)
  return Array.isArray(rows) && rows.every(isRow) ? rows : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRow(row: unknown): row is Difference {
  const { field, as, before, after } = (row ?? {}) as Record<string, unknown>
  if (!isText(field) || !Object.hasOwn(FITS, as as string)) return false
  const fits = FITS[as as Difference['as']]
  return [before, after].every((value) => (value ?? null) === null || fits(value))
}
