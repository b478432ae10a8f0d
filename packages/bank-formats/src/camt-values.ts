import { excerpt, fileError } from './file-problems.ts'
import { dayOf, timeOf } from './iso-date.ts'
import { toMinorUnits } from './minor-units.ts'
import { nodeAt, requiredNode, textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

/** The currency of an amount element. */
export function currencyOf(node: XmlNode): string {
  const currency = node.attributes['Ccy'] ?? ''
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw fileError(node.position, 'value_not_currency', { text: excerpt(currency) })
}

/** Which side of the account, from CdtDbtInd. */
export function directionOf(node: XmlNode): 'credit' | 'debit' | null {
  const mark = node.children.find(({ name }) => name === 'CdtDbtInd')
  const text = mark?.text.trim()
  if (!mark || text === undefined) return null
  if (text === 'CRDT') return 'credit'
  if (text === 'DBIT') return 'debit'
  throw fileError(mark.position, 'code_unknown', { field: '<CdtDbtInd>', text: excerpt(text), known: ['CRDT', 'DBIT'] })
}

export function requiredDirection(node: XmlNode): 'credit' | 'debit' {
  const direction = directionOf(node)
  if (direction) return direction
  throw fileError(node.position, 'field_missing', { fields: ['<CdtDbtInd>'], inside: `<${node.name}>` })
}

/** The amount in the element's own `Amt`. */
export function amountIn(node: XmlNode): { amount: bigint; currency: string } {
  const amt = requiredNode(node, 'Amt')
  const currency = currencyOf(amt)
  return { amount: toMinorUnits(amt.text.trim(), currency, 'point', amt.position), currency }
}

/** The day of an element that holds `Dt` or `DtTm`; null without the element. */
export function dayAt(node: XmlNode, ...path: string[]): string | null {
  const found = nodeAt(node, ...path)
  return found ? dayOf(dateTextIn(found), found.position) : null
}

/** The time of such an element; null without the element or if it has only a day. */
export function timeAt(node: XmlNode, ...path: string[]): string | null {
  const found = nodeAt(node, ...path)
  return found ? timeOf(dateTextIn(found), found.position) : null
}

function dateTextIn(node: XmlNode): string {
  return textAt(node, 'Dt') ?? textAt(node, 'DtTm') ?? node.text.trim()
}

/** The code of an element that holds `Cd` or `Prtry`, or in older versions the code itself. */
export function codeAt(node: XmlNode, ...path: string[]): string | null {
  const found = nodeAt(node, ...path)
  return textAt(found, 'Cd') ?? textAt(found, 'Prtry') ?? textAt(found)
}
