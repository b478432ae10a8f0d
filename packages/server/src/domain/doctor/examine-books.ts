import { listAccounts } from '../banks/index.ts'
import { checkClosing, proveDay } from '../books/index.ts'
import { addDays, istanbul } from '../../kernel/istanbul.ts'
import { formatMoney } from '../../kernel/money.ts'
import type { DoctorApp } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, warn } from './check.ts'

/** Yesterday's books against the bank, and closed days. */
export async function examineBooks(app: DoctorApp): Promise<Check[]> {
  return [await yesterday(app), await closedDays(app)]
}

async function yesterday({ db, clock }: DoctorApp): Promise<Check> {
  const day = addDays(istanbul(clock.now()).day, -1)
  const { accounts } = await proveDay(db, day)
  const open = accounts.filter(({ unexplained }) => unexplained !== 0n)
  const unproven = accounts.filter(({ proven }) => !proven).map(({ iban }) => iban)
  const stopped = (await listAccounts(db)).filter(({ stoppedBy }) => stoppedBy === 'books_differ')
  const found = open.map(({ iban, unexplained, currency }) => `${formatMoney(unexplained, currency)} on ${iban}`)
  const payouts = stopped.length > 0 ? `; payouts stopped from ${stopped.map(({ iban }) => iban).join(', ')}` : ''
  const todo = `Run: npx vezne books day ${day}. See docs/books.md, "Not explained".`
  if (open.length + stopped.length === 0 && unproven.length > 0)
    return warn(
      `books of ${day}`,
      false,
      `not proven: the bank gave no balance for ${unproven.join(', ')}`,
      `Import the statement of ${day}. See docs/books.md, "Not proven".`,
    )
  const words = found.length > 0 ? `not explained: ${found.join(', ')}` : 'everything is explained'
  return judge(`books of ${day}`, open.length + stopped.length === 0, words + payouts, todo)
}

async function closedDays(app: DoctorApp): Promise<Check> {
  const closing = await checkClosing(app)
  if (!closing) return { check: 'closed days', ok: true, found: 'none' }
  const { day, wrong } = closing
  const found = wrong === 0 ? `until ${day}` : `${wrong} balance(s) of ${day} are not the sum of their entries`
  const todo = 'An entry was written into a closed day. See docs/books.md, "A closed day changed".'
  return judge('closed days', wrong === 0, found, todo)
}
