import { escapeInvisibleInCell } from '../escape-invisible.ts'
import { DAY_MS } from '../time/clock.ts'

/** Amounts are bigint minor units, days yyyy-mm-dd. */
export type Cell = string | bigint | null
export type Column = { name: string; kind: 'text' | 'amount' | 'day' }

/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function looksLikeFormula(text: string): boolean {
  return FORMULA.test(text)
}

/** 125000n → "1250,00" or "1250.00": digits only, so that every program can read it. */
function decimal(amount: bigint, mark: ',' | '.'): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}${mark}${digits.slice(-2)}`
}

/**
 * One line of a CSV file: semicolons, decimal commas. A cell that looks like a formula begins with an apostrophe. All are quoted: a program
 * that divides at commas would find a formula inside of a text.
 */
export function csvLine(columns: Column[], cells: Cell[]): string {
  return `${columns.map(({ kind }, index) => csvCell(kind, cells[index] ?? null)).join(';')}\r\n`
}

function csvCell(kind: Column['kind'], cell: Cell): string {
  if (cell === null) return ''
  return `"${typeof cell === 'bigint' ? decimal(cell, ',') : csvText(kind, cell).replaceAll('"', '""')}"`
}

function csvText(kind: Column['kind'], cell: string): string {
  if (kind === 'day') return cell
  const text = escapeInvisibleInCell(cell.toWellFormed().replaceAll('\0', ''))
  return looksLikeFormula(text) ? `'${text}` : text
}

/** Styles of the sheet, in the order of xlsx-writer.ts. */
const STYLE = { amount: 1, day: 2, formula: 3, head: 4 } as const

/** A double has 15 exact digits; a longer amount is written as text. */
const EXACT_DIGITS = 15

export function sheetRow(columns: Column[], cells: Cell[], isHead = false): string {
  return `<row>${columns.map(({ kind }, index) => sheetCell(kind, cells[index] ?? null, isHead)).join('')}</row>`
}

function sheetCell(kind: Column['kind'], cell: Cell, isHead: boolean): string {
  if (cell === null) return '<c/>'
  if (isHead) return textCell(String(cell), STYLE.head)
  if (typeof cell === 'bigint') {
    const number = decimal(cell, '.')
    if (number.replace(/\D/g, '').length > EXACT_DIGITS) return textCell(decimal(cell, ','), 0)
    return `<c s="${STYLE.amount}"><v>${number}</v></c>`
  }
  const serial = kind === 'day' ? dayNumber(cell) : null
  if (serial !== null) return `<c s="${STYLE.day}"><v>${serial}</v></c>`
  return textCell(escapeInvisibleInCell(cell.toWellFormed()), looksLikeFormula(cell) ? STYLE.formula : 0)
}

/** A spreadsheet counts days from 30 December 1899. */
function dayNumber(day: string): number | null {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? null : (time - Date.UTC(1899, 11, 30)) / DAY_MS
}

function textCell(text: string, style: number): string {
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

/** Without characters that XML cannot have. */
export function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
  )
}
