import { isManual, isPolled, listFileExchanges } from '../connections/index.ts'
import { listAccounts } from '../banks/index.ts'
import { findUnexplained } from '../books/index.ts'
import { findDrift, findMixedEntries } from '../ledger/index.ts'
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
import { overdueBatches, recentUnfitting, selectSending, unfittingSubject } from '../payouts/index.ts'
import { findOpenRestore } from '../withdrawals/index.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import { formatMoney } from '../../kernel/money.ts'
import { examineRows } from '../../platform/postgres/sealed-rows.ts'
import type { DoctorApp } from './doctor-deps.ts'
import { SEALED_TABLES } from './sealed-tables.ts'
import type { Check } from './check.ts'
import { ageText, judge, minutesSince, warn } from './check.ts'

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

async function masterKey(app: DoctorApp): Promise<Check> {
  const { byKey, unopened } = await examineRows(app, SEALED_TABLES)
  const rows = [...byKey].map(([keyId, count]) => `${count} sealed by ${keyId}`).join(', ')
  const [first] = unopened
  const found = first ? `${unopened.length} secret(s) do not open; the first: ${first.message}` : `opens all (${rows})`
  return judge('master key', !first, found, 'See docs/operations.md, "A secret does not open".')
}

async function ledger({ db }: DoctorApp): Promise<Check> {
  const all = await findDrift(db.report)
  const [foreign, drift] = [all.filter(({ what }) => what === 'owner'), all.filter(({ what }) => what !== 'owner')]
  const mixed = await findMixedEntries(db.report)
  const problems = [
    ...(drift.length > 0 ? [`${drift.length} balance(s) drifted`] : []),
    ...(foreign.length > 0 ? [`${foreign.length} account(s) have transfers of another merchant`] : []),
    ...(mixed.length > 0 ? [`the transfers of ${mixed.length} entries differ in kind, subject, date or author`] : []),
  ]
  const found = problems.join('; ') || 'every balance equals the sum of its transfers, every transfer fits its entry'
  return judge(
    'ledger',
    problems.length === 0,
    found,
    'No payout is sent. See docs/operations.md, "The ledger drifted".',
  )
}

/** Compared here too: a worker marks it, and none may run. */
async function restored({ db, seen }: DoctorApp): Promise<Check> {
  const open = await findOpenRestore(db)
  if (!open && !(await selectSending(db, seen.all())).isNewest) {
    const todo = 'A worker marks it; if none runs: npx vezne restored. See docs/operations.md, "The database is older".'
    return judge('restored', false, 'not marked, but the database may be older than what was sent', todo)
  }
  const found = open ? `to ${open.restoredTo.toISOString()}; no payout is sent` : 'no'
  return judge('restored', !open, found, 'Run: npx vezne restore-check. See docs/backup.md, "After a restore".')
}

async function missing(app: DoctorApp): Promise<Check[]> {
  const { payouts, returns, debits, credits } = await missingLines(app)
  const uncredited = (await listWithoutCredit(app, 5)).map(({ withdrawalId }) => withdrawalId)
  const suspense = await suspenseTotals(app.db.report)
  const said = (totals: LineTotal[], none: string) =>
    totals.map((total) => describe(total, app.clock.now())).join('; ') || none
  return [
    judge(
      'payouts without a debit',
      payouts.length === 0,
      said(payouts, 'none after two business days'),
      'Run: npx vezne payout list --without-debit. See docs/operations.md, "Lines that are missing".',
    ),
    judge(
      'returned payouts without a credit',
      returns.length === 0,
      [said(returns, 'none after two business days'), ...(returns.length > 0 ? [uncredited.join(', ')] : [])].join(
        ': ',
      ),
      'Run: npx vezne payout list --without-credit. The merchant has the money; ask the bank for it. See docs/operations.md, "Lines that are missing".',
    ),
    // These include bank charges and the operator's own transfers, so this alone is not a failure.
    warn(
      'debits without a payout',
      debits.length === 0,
      said(debits, 'none'),
      'Run: npx vezne line list --state needs_review. You should know each of them.',
    ),
    judge(
      'incoming money that needs review',
      credits.length === 0,
      said(credits, 'none'),
      'Run: npx vezne line list --state needs_review. It is not in the books until a person has decided. See docs/operations.md, "Suspected corrections".',
    ),
    // It is in the ledger, and some of it waits for the customer to send the rest.
    warn(
      'money in suspense',
      suspense.length === 0,
      said(suspense, 'none'),
      'Run: npx vezne line list --state suspense. See docs/operations.md, "Money without a deposit".',
    ),
  ]
}

function describe({ count, amount, currency, oldest }: LineTotal, now: Date): string {
  const days = Math.floor(minutesSince(oldest, now) / DAY_MINUTES)
  return `${count} (${formatMoney(amount, currency)}), the oldest ${days} ${days === 1 ? 'day' : 'days'} old`
}

async function unread(app: DoctorApp): Promise<Check> {
  const { length } = await listUnread(app.db)
  const todo =
    'Run: npx vezne line unread. They are not in the books. Open the account or ask the bank, then: npx vezne line unread --retry'
  return judge('unread lines', length === 0, length === 0 ? 'none' : String(length), todo)
}

/** By then the next statement, and the customer's question, have come. */
const UNEXPLAINED_DAYS = 3

/** Every line ends as a deposit, a payout, its return or a journal entry. */
async function unexplained(app: DoctorApp): Promise<Check> {
  const lines = await findUnexplained({ db: app.db.report, clock: app.clock }, UNEXPLAINED_DAYS)
  const said = lines.slice(0, 5).map(({ id, days, direction, amount, currency }) => {
    return `${id} (${direction}, ${formatMoney(amount, currency)}, ${days} days)`
  })
  const more = lines.length > said.length ? `, and ${lines.length - said.length} or more others` : ''
  return warn(
    'unexplained lines',
    lines.length === 0,
    lines.length === 0 ? `none older than ${UNEXPLAINED_DAYS} days` : said.join(', ') + more,
    'Run: npx vezne line candidates LINE, then match it, or: npx vezne journal propose. See docs/ledger.md, "Journal entries".',
  )
}

/** Lines that no final statement of the bank contains, days later. */
async function unconfirmed(app: DoctorApp): Promise<Check> {
  const lines = await overdueUnconfirmed({ ...app, db: app.db.report })
  const accounts = new Map((await listAccounts(app.db.report)).map((one) => [one.id, one]))
  const said = lines.slice(0, 5).map(({ id, bookedAt, direction, amount, collectingAccountId }) => {
    const { bankName = '', iban = '', currency } = accounts.get(collectingAccountId) ?? {}
    return `${id} (${direction}, ${formatMoney(amount, currency)}, ${bankName} …${iban.slice(-4)} of ${istanbul(bookedAt).day})`
  })
  const more = lines.length > said.length ? `, and ${lines.length - said.length} others` : ''
  return judge(
    'unconfirmed lines',
    lines.length === 0,
    said.join(', ') + more || `a final statement contained each within ${CONFIRMED_WITHIN_DAYS} business days`,
    'Import the final statement of the day, or ask the bank. If it does not know the booking, two people: npx vezne line dismiss LINE. See docs/statements.md, "Confirmed lines".',
  )
}

/** Lines of uploaded files of accounts whose lines come over the bank's API. */
async function fromFiles(app: DoctorApp): Promise<Check> {
  const lines = await notShownLines({ ...app, db: app.db.report })
  const said = lines.slice(0, 5).map(({ id, direction, amount }) => `${id} (${direction}, ${formatMoney(amount)})`)
  const more = lines.length > said.length ? `, and ${lines.length - said.length} or more others` : ''
  return warn(
    'lines of files',
    lines.length === 0,
    said.join(', ') + more || 'the connections gave all of their accounts within a day',
    'The connection of the account has not given these lines of an uploaded file: ask the bank. See docs/statements.md, "Files that take two people".',
  )
}

/** A file of a million lines takes minutes. */
const IMPORT_MINUTES = 30

/** Files of which only the first lines may be booked: a line stopped the import, or it fails again and again. */
async function imports({ db, clock }: DoctorApp): Promise<Check> {
  const before = new Date(clock.now().getTime() - IMPORT_MINUTES * 60_000)
  const files = await selectUnfinished(db.report, before, 5)
  return judge(
    'imports of files',
    files.length === 0,
    files.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none is unfinished',
    'The rest of the file is not booked. See why: vezne statement show FILE. Undo it and import it again. See docs/statements.md, "Undo".',
  )
}

/** Rows that a worker cannot process: a fault of their data, or of the program. */
async function setAside({ db }: DoctorApp): Promise<Check> {
  const count = await countAside(db.report)
  const oldest = await listAside(db.report, 5)
  const named = oldest.map(({ what, id, error }) => `${what} ${id} (${error})`)
  return judge(
    'rows set aside',
    count === 0,
    count === 0 ? 'none' : `${count}: ${named.join('; ')}${count > named.length ? ' …' : ''}`,
    'Each is tried again every 10 minutes, and the others go on. See docs/operations.md, "A row that is set aside".',
  )
}

/** Order files that are not fetched or not answered, and reports that fit nothing. */
async function orderFiles(app: DoctorApp): Promise<Check> {
  const { held, unfetched, silent, stopped, unfittingReports } = await overdueBatches(app)
  const named = ([oldest, ...others]: { id: string; problem: string | null }[], what: string) =>
    oldest ? [`${others.length + 1} ${what} (the oldest: ${[oldest.id, oldest.problem ?? []].flat().join(': ')})`] : []
  const problems = [
    ...named(held, 'held up'),
    ...named(
      unfetched.filter(({ problem }) => problem === null),
      'not fetched for an hour',
    ),
    ...named(silent, 'fetched, without a report or debit for two business days'),
    ...named(stopped, 'in outbox/ although it must not be sent'),
    ...(unfittingReports > 0 ? [await unfitting(app, unfittingReports)] : []),
  ]
  const todo =
    'Run: npx vezne batch list, npx vezne batch show ID, npx vezne batch reports. See docs/operations.md, "Order files".'
  return judge('order files', problems.length === 0, problems.join('; ') || 'none overdue', todo)
}

async function unfitting(app: DoctorApp, count: number): Promise<string> {
  const newest = await recentUnfitting(app, 3)
  const named = newest.map((one) => `${one.name} of ${one.connection}, ${unfittingSubject(one)}`)
  return `${count} report(s) or orders in them fit nothing (the newest: ${named.join('; ')})`
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
  const found = minutes.map(
    ({ source, age }) => `${source} ${age === null ? 'never read' : `read ${ageText(age)} ago`}`,
  )
  return judge(
    'statements',
    minutes.every(({ age }) => age !== null && age < UNREAD_MINUTES),
    found.join(', ') || 'no bank is read',
    'Its deposits do not expire until it is read. See that a worker runs (vezne work or up), and its log for why the bank does not answer. If the bank does not know the cursor (HTTP 400): npx vezne line reread SOURCE.',
  )
}
