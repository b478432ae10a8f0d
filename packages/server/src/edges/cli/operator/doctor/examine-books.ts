import { checkClosing } from '../../../../domain/books/index.ts'
import type { CliApp } from '../../core/context.ts'
import type { Check } from './check.ts'
import { judge } from './check.ts'

/** Closed days. */
export async function examineBooks(app: CliApp): Promise<Check[]> {
  const closing = await checkClosing(app)
  const wrong = closing?.wrong ?? 0
  const found = closing
    ? `until ${closing.day}; ${wrong} balance(s) of that day are not the sum of its entries`
    : 'none'
  const todo = 'An entry was written into a closed day. See docs/books.md, "A closed day changed".'
  return [judge('closed days', wrong === 0, wrong === 0 && closing ? `until ${closing.day}` : found, todo)]
}
