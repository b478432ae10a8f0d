import { foldText } from '../../../kernel/fold.ts'
import type { JournalKind } from '../journal/journal-entry.ts'

type Text = { narrative: string }

const hasOneOf = (words: RegExp, { narrative }: Text) => words.test(` ${foldText(narrative)} `)

/** With or without dots. */
export const isCalledTax = (line: Text) => hasOneOf(/ (?:BSMV|B S M V|VERGI|VERGISI) /, line)

/** What the bank calls an item of its own. */
export function bankItemOf(line: Text): JournalKind | null {
  if (isCalledTax(line) || hasOneOf(/ STOPAJ /, line)) return 'bank_tax'
  if (hasOneOf(/ (?:MASRAF|MASRAFI|UCRET|UCRETI|KOMISYON|KOMISYONU) /, line)) return 'bank_charge'
  return hasOneOf(/ (?:FAIZ|FAIZI) /, line) ? 'interest' : null
}
