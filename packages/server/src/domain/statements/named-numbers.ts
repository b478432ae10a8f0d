import type { Queryable } from '../../platform/postgres/db.ts'
import type { StoredLine } from './bank-line.ts'
import { linesNumbered } from './explained/store.ts'

/** Shorter ones are dates, days or parts of an address. */
const MIN_LENGTH = 6
const MAX_NUMBERS = 20
const MAX_LINES = 200

/** Words with a digit: a text may name another line by the bank's number. */
function numbersIn(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+(?:[-/.][\p{L}\p{N}]+)*/gu) ?? []
  const numbers = words.filter((word) => word.length >= MIN_LENGTH && /\p{N}/u.test(word))
  return [...new Set(numbers)].slice(0, MAX_NUMBERS)
}

export const namesNumberOf = ({ narrative }: StoredLine, { bankReference }: StoredLine) =>
  bankReference !== null && numbersIn(narrative).includes(bankReference)

/** Lines whose number the text of one of these has, on the same account. */
export async function linesNamedIn(
  db: Queryable,
  lines: Pick<StoredLine, 'collectingAccountId' | 'narrative'>[],
): Promise<StoredLine[]> {
  const wanted = lines.flatMap(({ collectingAccountId, narrative }) =>
    numbersIn(narrative).map((number) => ({ collectingAccountId, number })),
  )
  return wanted.length === 0 ? [] : linesNumbered(db, wanted, MAX_LINES)
}
