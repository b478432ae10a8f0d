import { connectionSecrets, isManual, isPolled, listFileExchanges } from '../connections/index.ts'
import { listAccounts } from '../banks/index.ts'
import { findUnexplained } from '../books/index.ts'
import { deploymentSecrets } from '../deposits/index.ts'
import { totpSecrets } from '../identity/index.ts'
import { findDrift, findMixedEntries } from '../ledger/index.ts'
import { apiSecrets, callbackSecrets } from '../merchants/index.ts'
import type { LineTotal } from '../statements/index.ts'
import {
  lastReads,
  listUnread,
  notShownLines,
  overdueUnconfirmed,
  CONFIRMED_WITHIN_DAYS,
  selectUnfinished,
  suspenseTotals,
} from '../statements/index.ts'
import { countAside, listAside } from '../set-aside/index.ts'
import { listWithoutCredit, missingLines } from '../matching/index.ts'
import type { Batch } from '../withdrawals/index.ts'
import { overdueBatches, recentUnfitting, selectSending, findOpenRestore } from '../withdrawals/index.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { examineRows } from '../../platform/postgres/sealed-rows.ts'
import type { DoctorApp } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, minutesSince, warn } from './check.ts'

const DAY_MINUTES = 1440

/** Secrets, the ledger, and bank lines that are not in the ledger or not yet attributed. */
export async function examineMoney(app: DoctorApp): Promise<Check[]> {
  return [
    await masterKey(app),
    await ledger(app),
    await restored(app),
    ...(await missing(app)),
    await statements(app),
    await unread(app),
    await unexplained(app),
    await unconfirmed(app),
    await fromFiles(app),
    await imports(app),
    await orderFiles(app),
    await setAside(app),
  ]
}

/** Everything that is encrypted. The token key comes first: losing it would affect everyone. */
export const SEALED_TABLES = [deploymentSecrets, apiSecrets, callbackSecrets, connectionSecrets, totpSecrets]

async function masterKey(app: DoctorApp): Promise<Check> {
  const { byKey, unopened } = await examineRows(app, SEALED_TABLES)
  const rows = [...byKey].map(([key, count]) => note('check_key_rows', { count, key }))
  const [first] = unopened
  const found = first
    ? note('check_key_fails', { count: unopened.length, error: first.message })
    : note('check_key_opens', { rows })
  return judge('master key', !first, found, note('todo_master_key'))
}

async function ledger({ db }: DoctorApp): Promise<Check> {
  const all = await findDrift(db.report)
  const [foreign, drift] = [all.filter(({ what }) => what === 'owner'), all.filter(({ what }) => what !== 'owner')]
  const mixed = await findMixedEntries(db.report)
  const fits = drift.length + foreign.length + mixed.length === 0
  const counts = { balances: drift.length, accounts: foreign.length, entries: mixed.length }
  const found = fits ? note('check_ledger_balanced') : note('check_ledger_drifted', counts)
  return judge('ledger', fits, found, note('todo_ledger'))
}

/** Compared here too: a worker marks it, and none may run. */
async function restored({ db, seen }: DoctorApp): Promise<Check> {
  const open = await findOpenRestore(db)
  if (!open && !(await selectSending(db, seen.all())).isNewest)
    return judge('restored', false, note('check_restored_unmarked'), note('todo_restored_unmarked'))
  const found = open ? note('check_restored_to', { at: open.restoredTo.toISOString() }) : note('check_not_restored')
  return judge('restored', !open, found, note('todo_restored'))
}

async function missing(app: DoctorApp): Promise<Check[]> {
  const { payouts, returns, debits, credits } = await missingLines(app)
  const uncredited = (await listWithoutCredit(app, 5)).map(({ withdrawalId }) => withdrawalId)
  const suspense = await suspenseTotals(app.db.report)
  const described = (totals: LineTotal[]) => totals.map((total) => describe(total, app.clock.now()))
  const said = (totals: LineTotal[], none: 'check_none' | 'check_lines_in_time') =>
    totals.length === 0 ? note(none) : note('check_totals', { totals: described(totals) })
  return [
    judge(
      'payouts without a debit',
      payouts.length === 0,
      said(payouts, 'check_lines_in_time'),
      note('todo_payouts_without_debit'),
    ),
    judge(
      'returned payouts without a credit',
      returns.length === 0,
      returns.length === 0
        ? note('check_lines_in_time')
        : note('check_totals_of', { totals: described(returns), withdrawals: uncredited }),
      note('todo_returns_without_credit'),
    ),
    // These include bank charges and the operator's own transfers, so this alone is not a failure.
    warn('debits without a payout', debits.length === 0, said(debits, 'check_none'), note('todo_debits')),
    judge('incoming money that needs review', credits.length === 0, said(credits, 'check_none'), note('todo_credits')),
    // It is in the ledger, and some of it waits for the customer to send the rest.
    warn('money in suspense', suspense.length === 0, said(suspense, 'check_none'), note('todo_suspense')),
  ]
}

function describe({ count, amount, currency, oldest }: LineTotal, now: Date): Said {
  const days = Math.floor(minutesSince(oldest, now) / DAY_MINUTES)
  return note('check_total', { count, amount: money(amount, currency), days })
}

async function unread(app: DoctorApp): Promise<Check> {
  const { length: count } = await listUnread(app.db)
  const found = count === 0 ? note('check_none') : note('check_count', { count })
  return judge('unread lines', count === 0, found, note('todo_unread'))
}

const NAMED_LINES = 5

/** By then the next statement, and the customer's question, have come. */
const UNEXPLAINED_DAYS = 3

/** Every line ends as a deposit, a payout, its return or a journal entry. */
async function unexplained(app: DoctorApp): Promise<Check> {
  const lines = await findUnexplained({ db: app.db.report, clock: app.clock }, UNEXPLAINED_DAYS)
  const named = lines.slice(0, NAMED_LINES).map(({ id, days, direction, amount, currency }) => {
    return note('check_line_of_days', { line: id, direction, amount: money(amount, currency), days })
  })
  const found =
    lines.length === 0
      ? note('check_lines_explained', { days: UNEXPLAINED_DAYS })
      : note('check_lines_at_least', { lines: named, more: lines.length - named.length })
  return warn('unexplained lines', lines.length === 0, found, note('todo_unexplained'))
}

/** Lines that no final statement of the bank contains, days later. */
async function unconfirmed(app: DoctorApp): Promise<Check> {
  const lines = await overdueUnconfirmed({ ...app, db: app.db.report })
  const accounts = new Map((await listAccounts(app.db.report)).map((one) => [one.id, one]))
  const named = lines.slice(0, NAMED_LINES).map(({ id, bookedAt, direction, amount, collectingAccountId }) => {
    const { bankName = '', iban = '', currency } = accounts.get(collectingAccountId) ?? {}
    const of = { bank: bankName, account: iban.slice(-4), day: istanbul(bookedAt).day }
    return note('check_line_of_account', { line: id, direction, amount: money(amount, currency), ...of })
  })
  const found =
    lines.length === 0
      ? note('check_lines_confirmed', { days: CONFIRMED_WITHIN_DAYS })
      : note('check_lines', { lines: named, more: lines.length - named.length })
  return judge('unconfirmed lines', lines.length === 0, found, note('todo_unconfirmed'))
}

/** Lines of uploaded files of accounts whose lines come over the bank's API. */
async function fromFiles(app: DoctorApp): Promise<Check> {
  const lines = await notShownLines({ ...app, db: app.db.report })
  const named = lines
    .slice(0, NAMED_LINES)
    .map(({ id, direction, amount }) => note('check_line', { line: id, direction, amount: money(amount) }))
  const found =
    lines.length === 0
      ? note('check_lines_given')
      : note('check_lines_at_least', { lines: named, more: lines.length - named.length })
  return warn('lines of files', lines.length === 0, found, note('todo_lines_of_files'))
}

/** A file of a million lines takes minutes. */
const IMPORT_MINUTES = 30

/** Files of which only the first lines may be booked: a line stopped the import, or it fails again and again. */
async function imports({ db, clock }: DoctorApp): Promise<Check> {
  const before = new Date(clock.now().getTime() - IMPORT_MINUTES * 60_000)
  const files = await selectUnfinished(db.report, before, 5)
  const named = files.map(({ id, name }) => note('check_file', { file: id, name }))
  const found = files.length === 0 ? note('check_imports_finished') : note('check_imports_unfinished', { files: named })
  return judge('imports of files', files.length === 0, found, note('todo_imports'))
}

/** Rows that a worker cannot process: a fault of their data, or of the program. */
async function setAside({ db }: DoctorApp): Promise<Check> {
  const count = await countAside(db.report)
  const oldest = await listAside(db.report, 5)
  const rows = oldest.map(({ what, id, error }) => note('check_row_aside', { what, id, error }))
  const found =
    count === 0 ? note('check_none') : note('check_rows_aside', { count, rows, isMore: count > rows.length })
  return judge('rows set aside', count === 0, found, note('todo_rows_aside'))
}

/** Order files that are not fetched or not answered, and reports that fit nothing. */
async function orderFiles(app: DoctorApp): Promise<Check> {
  const { held, unfetched, silent, stopped, unfittingReports } = await overdueBatches(app)
  const named = (what: OverdueKind, [oldest, ...others]: Batch[]) =>
    oldest ? [note(what, { count: others.length + 1, batch: oldest.id, problem: oldest.problem })] : []
  const problems = [
    ...named('check_orders_held', held),
    ...named(
      'check_orders_unfetched',
      unfetched.filter(({ problem }) => problem === null),
    ),
    ...named('check_orders_silent', silent),
    ...named('check_orders_stopped', stopped),
    ...(unfittingReports > 0 ? [await unfitting(app, unfittingReports)] : []),
  ]
  const found = problems.length === 0 ? note('check_orders_in_time') : note('check_problems', { problems })
  return judge('order files', problems.length === 0, found, note('todo_orders'))
}

type OverdueKind = 'check_orders_held' | 'check_orders_unfetched' | 'check_orders_silent' | 'check_orders_stopped'

async function unfitting(app: DoctorApp, count: number): Promise<Said> {
  const newest = (await recentUnfitting(app, 3)).map(({ name, connection, batchId, messageId, endToEndId }) =>
    batchId === null
      ? note('check_report_of_message', { name, connection, message: messageId })
      : note('check_report_of_order', { name, connection, batch: batchId, order: endToEndId }),
  )
  return note('check_reports_unfitting', { count, newest })
}

/** A bank is read every second: a gap this long is an outage that customers notice. */
const UNREAD_MINUTES = 5

/** Banks whose statement was not read to the end for too long: of this deployment's connections, or of all ever read if it has none. */
async function statements({ db, vault, clock, connections }: DoctorApp): Promise<Check> {
  const reads = await lastReads(
    db,
    connections.filter(isPolled).map(({ name }) => name),
  )
  const files = new Set((await listFileExchanges({ db, vault })).map(({ name }) => name))
  // A person imports the statements of a manual connection: `doctor` cannot know when one is due.
  const polled = reads.filter(({ source }) => !files.has(source) && !isManual(source))
  const minutes = polled.map(({ source, readAt }) => {
    return { source, age: readAt ? minutesSince(readAt, clock.now()) : null }
  })
  const banks = minutes.map(({ source, age }) => note('check_bank_read', { bank: source, minutes: age }))
  const inTime = minutes.every(({ age }) => age !== null && age < UNREAD_MINUTES)
  const found = banks.length === 0 ? note('check_banks_unread') : note('check_banks_read', { banks })
  return judge('statements', inTime, found, note('todo_statements'))
}
