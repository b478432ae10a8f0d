import type { StatementHead } from '@vezne/bank-formats'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { addDays, istanbul } from '../../../kernel/istanbul.ts'
import { currencyCode } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { fileNote } from '../../../kernel/refusals/files.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { selectDayIds } from '../day-statements/store.ts'
import { closedDayFindings } from './closed-days.ts'
import { hasOtherLines } from './lines/store.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding, ImportedStatement } from './statement-file.ts'
import { FAMILY, isFinal } from './statement-file.ts'
import { selectAfter, selectBefore, selectOverlapping } from './store.ts'

type Dated = ReadStatement & { fromDay: string; toDay: string }
/** The end of the statement before, of this file or stored. */
export type Previous = Pick<ImportedStatement, 'toDay' | 'closing'>
/** By account: the end of the last statement of files that will be imported before this one. */
export type Earlier = ReadonlyMap<string, Previous>

/** Undefined: what is stored is nearer, or the file before does not end before this statement. */
export async function endBefore(
  db: Queryable,
  { account, statement: { fromDay } }: { account: CollectingAccount; statement: ReadStatement },
  earlier: Earlier | undefined,
): Promise<Previous | undefined> {
  const end = earlier?.get(account.id)
  if (!end || fromDay === null || end.toDay >= fromDay) return undefined
  const stored = await selectBefore(db, account.id, fromDay)
  return stored && stored.toDay > end.toDay ? undefined : end
}

/** Compares a statement with itself and with what was imported before. `previous`: of the same account and file. */
export async function checkStatement(
  { db, clock }: { db: Queryable; clock: Clock },
  account: CollectingAccount,
  statement: ReadStatement,
  previous: Previous | undefined,
): Promise<Finding[]> {
  const own = statement.foot.problems.map((one): Finding => ({
    severity: 'problem',
    check: 'totals',
    what: fileNote(one),
  }))
  const findings = [...own, ...currencyFindings(account, statement), ...futureFindings(statement, clock.now())]
  const { fromDay, toDay } = statement
  if (fromDay === null || toDay === null) return findings
  const dated = { ...statement, fromDay, toDay }
  const overlapping = await selectOverlapping(db, { collectingAccountId: account.id, fromDay, toDay })
  findings.push(...overlapFindings(dated, overlapping))
  if (await hasOtherLines(db, await selectDayIds(db, account.id, fromDay, toDay)))
    findings.push({
      severity: 'problem',
      check: 'api',
      what: note('finding_other_origin', { from: fromDay, to: toDay }),
    })
  const { page } = statement.head
  if (!isInChain(statement.head)) return findings
  const before = previous ?? (await selectBefore(db, account.id, fromDay))
  const after = page ? undefined : await selectAfter(db, account.id, toDay)
  const closed = await closedDayFindings(db, account, statement)
  // What changes on a closed day is said as that.
  const chain = chainFindings(account, dated, { before, after, overlapping }).filter(
    ({ check }) => closed.length === 0 || check !== 'closing',
  )
  return [...findings, ...chain, ...closed]
}

/** Whether its balances are compared with those before. The balances of a later page may be those of all pages. */
export const isInChain = ({ format, page }: StatementHead) => isFinal(format) && !(page && page.number > 1)

function currencyFindings({ currency, iban }: CollectingAccount, { head }: ReadStatement): Finding[] {
  const written = head.account.currency ?? head.opening?.currency ?? null
  if (written === null || currencyCode(written) === currency) return []
  return [
    {
      severity: 'refused',
      check: 'currency',
      what: note('finding_currency', { written, account: iban, currency }),
    },
  ]
}

/** The clocks of banks may be ahead by a day. A later day would count as covered, and deposits would expire before their payment. */
function futureFindings({ toDay }: ReadStatement, now: Date): Finding[] {
  const tomorrow = addDays(istanbul(now).day, 1)
  if (toDay === null || toDay <= tomorrow) return []
  return [
    {
      severity: 'problem',
      check: 'future',
      what: note('finding_future', { day: toDay }),
    },
  ]
}

function overlapFindings(statement: Dated, overlapping: ImportedStatement[]): Finding[] {
  const { format } = statement.head
  const others = overlapping.filter((one) => FAMILY[one.format] !== FAMILY[format] && one.lines > 0)
  if (others.length > 0) {
    const days = others.map((one) => daysOf(one, one.format))
    return [
      {
        severity: 'refused',
        check: 'format',
        what: note('finding_other_format', { format, days }),
      },
    ]
  }
  const same = overlapping.filter((one) => isFinal(one.format) && isFinal(format))
  const days = same.map((one) => daysOf(one, null))
  return same.length > 0 ? [{ severity: 'note', check: 'overlap', what: note('finding_overlap', { days }) }] : []
}

type Neighbours = {
  before: Previous | undefined
  after: ImportedStatement | undefined
  overlapping: ImportedStatement[]
}

function chainFindings(
  account: CollectingAccount,
  statement: Dated,
  { before, after, overlapping }: Neighbours,
): Finding[] {
  const findings: Finding[] = []
  const closing = statement.foot.closing?.amount ?? null
  const start = startOf(statement, { before, overlapping })
  if (!before && overlapping.length === 0)
    findings.push({ severity: 'note', check: 'first', what: note('finding_first', { account: account.iban }) })
  if (start.kind === 'unknown')
    findings.push({ severity: 'problem', check: 'opening', what: openingProblem(statement, start, account) })
  // Ids of files rise with time.
  const replaced = overlapping
    .filter((one) => isFinal(one.format) && one.toDay === statement.toDay && one.closing !== null)
    .toSorted((a, b) => (a.fileId < b.fileId ? -1 : 1))
    .at(-1)
  const isMore = start.kind === 'again' && replaced !== undefined && hasAllOf(statement, replaced)
  const contradicts = ['again', 'after_last', 'none'].includes(start.kind) && !isMore && !statement.head.page
  if (replaced && contradicts && replaced.closing !== closing)
    findings.push({ severity: 'problem', check: 'closing', what: closingProblem(statement, replaced, account) })
  if (before && start.kind !== 'again')
    findings.push(...gapFindings(before, statement, start.kind === 'after_last' || start.kind === 'next_part'))
  if (after && after.opening !== null && closing !== null && after.opening !== closing)
    findings.push({
      severity: 'problem',
      check: 'closing',
      what: note('finding_closing_unlike_next', {
        day: statement.toDay,
        balance: money(closing, account.currency),
        nextDay: after.fromDay,
        nextBalance: money(after.opening, account.currency),
      }),
    })
  return findings
}

type Neighbouring = Pick<Neighbours, 'before' | 'overlapping'>
type Known = { day: string; balance: bigint; fileId: string | null }
/**
 * Where the opening balance of a statement stands. `again`: the day opens with it, as another file says. `next_part`: a part of the day
 * closes with it. `after_last`: the last statement before does. `none`: there is nothing to compare.
 */
type Start = { kind: 'again' | 'next_part' | 'after_last' | 'none' } | { kind: 'unknown'; known: Known }

export function startOf(
  { head, fromDay }: Pick<Dated, 'head' | 'fromDay'>,
  { before, overlapping }: Neighbouring,
): Start {
  const opening = head.opening?.amount ?? null
  if (opening === null) return { kind: 'none' }
  const finals = overlapping.filter(({ format }) => isFinal(format))
  const ofDay = finals.filter((one) => one.fromDay === fromDay && one.opening !== null)
  if (ofDay.some((one) => one.opening === opening)) return { kind: 'again' }
  if (finals.some((one) => one.closing === opening)) return { kind: 'next_part' }
  if (before?.closing === opening) return { kind: 'after_last' }
  const [first] = ofDay.toReversed()
  if (before && before.closing !== null)
    return { kind: 'unknown', known: { day: before.toDay, balance: before.closing, fileId: null } }
  if (!first || first.opening === null) return { kind: 'none' }
  return { kind: 'unknown', known: { day: fromDay, balance: first.opening, fileId: first.fileId } }
}

function openingProblem({ head, fromDay }: Dated, { known }: { known: Known }, { currency }: CollectingAccount): Said {
  const given = { day: fromDay, balance: money(head.opening?.amount ?? 0n, currency) }
  const other = money(known.balance, currency)
  return known.fileId === null
    ? note('finding_opening_unlike_last', { ...given, lastDay: known.day, lastBalance: other })
    : note('finding_balance_unlike_file', { ...given, which: 'opening', file: known.fileId, other })
}

function closingProblem({ toDay, foot }: Dated, replaced: ImportedStatement, { currency }: CollectingAccount): Said {
  const before = { day: toDay, file: replaced.fileId, other: money(replaced.closing ?? 0n, currency) }
  if (foot.closing === null) return note('finding_closing_missing', before)
  const balance = money(foot.closing.amount, currency)
  return note('finding_balance_unlike_file', { ...before, which: 'closing', balance })
}

/** A statement of the whole day after a part of it: it adds up, and moves no less. Lines that it lacks are named by a finding of their own. */
function hasAllOf({ head, foot, credits, debits }: Dated, part: ImportedStatement): boolean {
  const addsUp = (head.opening?.amount ?? 0n) + credits - debits === foot.closing?.amount
  return addsUp && credits >= part.credits && debits >= part.debits
}

/** Days without a statement: proven empty by the balances, or days on which banks do not work, or missing. */
function gapFindings(before: Previous, { fromDay }: Dated, isProven: boolean): Finding[] {
  const [first, last] = [addDays(before.toDay, 1), addDays(fromDay, -1)]
  if (first > last) return []
  const days = { from: first, to: last }
  if (isProven) return [{ severity: 'note', check: 'gap', what: note('finding_gap_empty', days) }]
  const isWeekend =
    last <= addDays(first, 1) && [first, last].every((day) => [0, 6].includes(new Date(day).getUTCDay()))
  return [{ severity: isWeekend ? 'note' : 'problem', check: 'gap', what: note('finding_gap', days) }]
}

function daysOf({ fromDay, toDay, fileId }: ImportedStatement, format: string | null): Said {
  return note('finding_days_of_file', { from: fromDay, to: toDay, file: fileId, format })
}
