import { listAccounts } from '../banks/index.ts'
import { checkClosing, proveDay } from '../books/index.ts'
import { addDays, istanbul } from '../../kernel/istanbul.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
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
  if (open.length + stopped.length === 0 && unproven.length > 0) {
    const found = note('check_books_unproven', { accounts: unproven })
    return warn(`books of ${day}`, false, found, note('todo_books_unproven', { day }))
  }
  const differing = open.map(({ iban, unexplained, currency }) =>
    note('check_account_unexplained', { account: iban, amount: money(unexplained, currency) }),
  )
  const explained =
    differing.length > 0 ? note('check_books_unexplained', { accounts: differing }) : note('check_books_explained')
  const found = withStopped(
    explained,
    stopped.map(({ iban }) => iban),
  )
  return judge(`books of ${day}`, open.length + stopped.length === 0, found, note('todo_books', { day }))
}

function withStopped(found: Said, accounts: string[]): Said {
  return accounts.length > 0 ? note('check_books_stopped', { found, accounts }) : found
}

async function closedDays(app: DoctorApp): Promise<Check> {
  const closing = await checkClosing(app)
  if (!closing) return { check: 'closed days', ok: true, found: note('check_none') }
  const { day, wrong } = closing
  const found = wrong === 0 ? note('check_days_closed', { day }) : note('check_days_changed', { count: wrong, day })
  return judge('closed days', wrong === 0, found, note('todo_closed_days'))
}
