import type { BankLine } from '../bank-line.ts'
import { naturalKey } from '../bank-line.ts'
import { hashCounts } from './hash-counts.ts'
import type { ReadStatement } from './read-in-parts.ts'
import { PART_LINES } from './read-in-parts.ts'
import { isFinal } from './statement-file.ts'

/** `at`: its line in the file. */
export type Placed = { line: BankLine; at: number }

type Repeats = {
  /** Those that come for the first time in this statement. The others wait for its end. */
  firsts: (lines: Placed[], statement: number) => Placed[]
  /** In parts, those that came again, if the balances of the statement include them. */
  proven: (statement: ReadStatement) => Generator<Placed[]>
}

/**
 * A number that comes twice with equal data is either written twice or booked twice. Only the balances of the statement tell, and they are
 * known at its end. Of equal lines one is held, with their count.
 */
export function newRepeats(): Repeats {
  const counts = hashCounts()
  let again = new Map<string, Placed & { count: number }>()
  return {
    firsts: (lines, statement) =>
      lines.filter((one) => {
        if (!one.line.bankReference) return true
        const key = `${statement}|${one.line.accountIban}|${naturalKey(one.line)}`
        const count = counts.get(key) + 1
        counts.set(key, count)
        if (count > 1) again.set(key, { ...one, count })
        return count === 1
      }),
    *proven(statement) {
      const held = [...again.values()]
      again = new Map()
      if (!isProven(statement)) return
      let part: Placed[] = []
      for (const { line, at, count } of held)
        for (let occurrence = 2; occurrence <= count; occurrence++) {
          part.push({ line: { ...line, occurrence }, at })
          if (part.length < PART_LINES) continue
          yield part
          part = []
        }
      if (part.length > 0) yield part
    },
  }
}

/** Opening balance and all lines give the closing balance. */
function isProven({ head, foot, credits, debits }: ReadStatement): boolean {
  if (!isFinal(head.format) || !head.opening || !foot.closing || foot.problems.length > 0) return false
  return head.opening.amount + credits - debits === foot.closing.amount
}
