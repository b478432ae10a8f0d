import type { Position } from './statement.ts'

/** A file that is not what it should be. The message names the place, what was found and what was expected. */
export class BankFileError extends Error {
  readonly position: Position

  constructor(position: Position, problem: string) {
    super(`${placeOf(position)}: ${problem}`)
    this.position = position
  }
}

/** `line 3, column 5`. */
export function placeOf({ sheet, line, column }: Position): string {
  const place = `line ${line}${column === undefined ? '' : `, column ${column}`}`
  return sheet === undefined ? place : `sheet ${JSON.stringify(sheet)}, ${place}`
}

/** Bank text in a message: short, and without characters that a terminal would act on. */
export function quoted(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·')
  return JSON.stringify(printable.length > 40 ? `${printable.slice(0, 40)}…` : printable)
}
