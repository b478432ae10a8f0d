import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ERASED } from '../../kernel/erased.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { Sql } from '../../platform/postgres/sql.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import { sql, stateLiteral } from '../../platform/postgres/sql.ts'
import { notAsideSql } from '../set-aside/index.ts'
import type { LineDecision, LineKey, LineTotal, NewLine, PayoutLineDecision, StoredLine } from './bank-line.ts'
import { NEW_LINE } from './bank-line.ts'
import type { LinePart } from './parts/store.ts'
import { linesForDeposits, replaceParts, subjectsOfLine } from './parts/store.ts'
import { formatOfLine, isNotUndone } from './files/store.ts'
import { readUntil } from './cursors/store.ts'
import type { PayoutTerms } from './similar-debits/store.ts'
import { isExplainedToRecipient, isSimilarDebit, isSimilarExplained } from './similar-debits/store.ts'
import { isNamedUnreadSql } from './unread/store.ts'

export const needsReview = sql`l.state = 'needs_review'`

const columns = sql`
  l.id, l.collecting_account_id as "collectingAccountId", l.source, l.bank_reference as "bankReference", l.amount,
  l.currency, l.direction, to_char(l.value_date, 'YYYY-MM-DD') as "valueDate", l.booked_at as "bookedAt", l.whole_day as "wholeDay",
  l.sender_name as "senderName", l.sender_iban as "senderIban", l.narrative, l.state, l.reason,
  ${subjectsOfLine}, l.candidate_withdrawal_id as "candidateWithdrawalId", l.corrects_line_id as "correctsLineId",
  l.statement_id as "statementId", l.booked_unexplained as "isBooked", l.confirmed_by as "confirmedBy", l.created_at as "createdAt", l.decided_at as "decidedAt"`

/**
 * Of `bank_lines l`: no final statement of the bank contains the booking. One that contains a line for which this one stands in the
 * books, because people entered it or called both the same money, contains this one.
 */
export const isUnconfirmed = sql`(l.confirmed_by is null and not exists (
  select 1 from bank_lines r where r.corrects_line_id = l.id and r.confirmed_by is not null
    and r.state = 'dismissed' and r.reason in ('entered_by_hand', 'same_money')))`

/** `rest` is what follows `from bank_lines l`. */
export const selectLines = (db: Queryable, rest: Sql): Promise<StoredLine[]> =>
  db.query<StoredLine>(sql`select ${columns} from bank_lines l ${rest}`)

/** Returns how many changed. */
export const updateLines = async (tx: Tx, to: Sql, which: Sql): Promise<number> =>
  (await tx.query(sql`update bank_lines l set ${to} where ${which} returning l.id`)).length

/** For the stores of folders inside this one; `rest` is what follows the table. */
export const linesOf = (wanted: Sql, rest: Sql): Sql => sql`select ${wanted} from bank_lines l ${rest}`
export function queryLines<Row>(db: Queryable, wanted: Sql, rest: Sql): Promise<Row[]> {
  return db.query<Row>(linesOf(wanted, rest))
}
export function changeLines<Row>(tx: Tx, rest: Sql): Promise<Row[]> {
  return tx.query<Row>(sql`update bank_lines l ${rest}`)
}

type LineMark = { id: string; mark: string | null }

export function marksOfLines(db: Queryable, ids: string[]): Promise<LineMark[]> {
  return queryLines<LineMark>(db, sql`l.id, l.mark`, sql`where l.id = any(${ids}::text[])`)
}

export const newestLines = (db: Queryable, limit: number): Promise<StoredLine[]> =>
  selectLines(db, sql`order by l.id desc limit ${limit}`)

export const linesAfter = (db: Queryable, after: string, limit: number): Promise<StoredLine[]> =>
  selectLines(db, sql`where l.id > ${after} order by l.id limit ${limit}`)

export async function updateLineMarks(tx: Tx, marked: LineMark[]): Promise<void> {
  const rows = rowsOf('m', marked, { id: 'text', mark: 'text' })
  await changeLines(tx, sql`set mark = m.mark from ${rows} where l.id = m.id`)
}

/** Held until the transaction ends, so that lines of one payment from two concurrent sources are compared with each other. */
export async function lockImport(tx: Tx): Promise<void> {
  const IMPORT = 0x6c696e65
  await tx.query(sql`select pg_advisory_xact_lock(${IMPORT})`)
}

/** `format` and `fileId`: of the file that it came from, null for a line of a bank's API. */
export type KeyedLine = StoredLine & LineKey & { fileId: string | null; format: string | null }
export const keyedColumns = sql`
  ${columns}, l.natural_key as "naturalKey", l.occurrence, l.statement_file_id as "fileId", ${formatOfLine} as format`
type Numbered = Pick<NewLine, 'collectingAccountId' | 'direction' | 'bankReference'>
const NUMBERED = { collectingAccountId: 'text', direction: 'text', bankReference: 'text' } as const

/** The newest lines with each of these numbers on the same account and in the same direction; returned oldest first. */
export function selectByNumber(tx: Tx, lines: Numbered[], limit: number): Promise<KeyedLine[]> {
  return tx.query<KeyedLine>(sql`
    select l.* from (
      select distinct n.* from ${rowsOf('n', lines, NUMBERED)}
    ) as wanted
    cross join lateral (
      select ${keyedColumns} from bank_lines l
      where l.collecting_account_id = wanted.collecting_account_id and l.bank_reference = wanted.bank_reference
        and l.direction = wanted.direction and ${isNotUndone}
      order by l.id desc limit ${limit}
    ) as l
    order by l.id`)
}

/** Returns the ids of the new lines. */
export async function insertNewLines(tx: Tx, lines: NewLine[], at: Date): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    insert into bank_lines (id, collecting_account_id, natural_key, occurrence, source, bank_reference, amount, currency, direction,
      value_date, booked_at, sender_name, sender_iban, narrative, for_payouts, corrects_line_id, statement_id, whole_day, statement_file_id, batch_reference,
      state, reason, decided_at, confirmed_by, mark, created_at)
    select n.*, ${at}::timestamptz
    from ${rowsOf('n', lines, NEW_LINE)}
    on conflict on constraint bank_lines_once do nothing
    returning id`)
  return new Set(rows.map(({ id }) => id))
}

/** For a claim: those of these lines, or all that are not set aside. */
export const chosenLines = (only?: StoredLine[]): Sql =>
  only ? sql`l.id = any(${only.map(({ id }) => id)}::text[])` : notAsideSql('line', sql`l.id`)

/** Undecided lines, oldest first: those about our payouts, or the others. Skips lines that another process has locked. */
export function claimNewLines(tx: Tx, forPayouts: boolean, limit: number, only?: StoredLine[]): Promise<StoredLine[]> {
  const which = forPayouts ? sql`l.for_payouts` : sql`not l.for_payouts`
  return selectLines(
    tx,
    sql`where l.state = 'new' and ${which} and ${chosenLines(only)} order by l.id limit ${limit} for update skip locked`,
  )
}

/** Locks first, then reads: a single statement that waits for a row would read its parts from before the wait. */
export const lockLines = async (tx: Tx, which: Sql): Promise<StoredLine[]> => {
  const locked = await tx.query<{ id: string }>(
    sql`select l.id from bank_lines l where ${which} order by l.id for update`,
  )
  const ids = locked.map(({ id }) => id)
  return selectLines(tx, sql`where l.id = any(${ids}::text[]) and ${which} order by l.id`)
}

export async function lockLine(tx: Tx, id: string): Promise<StoredLine | undefined> {
  return (await lockLines(tx, sql`l.id = ${id}`))[0]
}

export async function findLine(db: Queryable, id: string): Promise<StoredLine | undefined> {
  return (await selectLines(db, sql`where l.id = ${id}`))[0]
}

/** Lines held in suspense for these deposits. */
export function lockHeldLines(tx: Tx, merchantIds: string[], depositIds: string[]): Promise<StoredLine[]> {
  return lockLines(tx, sql`l.id in (${linesForDeposits(merchantIds, depositIds)}) and l.state = 'suspense'`)
}

/** Every line must still be in the state in which it was judged; otherwise it throws and nothing is changed. */
export async function decideLines(tx: Tx, decisions: LineDecision[], at: Date): Promise<void> {
  const rows = decisions.map(({ id, from: was, state, reason }) => ({ id, was, state, reason }))
  const decided = await tx.query<{ id: string; amount: bigint }>(sql`
    update bank_lines l set
      state = d.state, reason = d.reason, decided_at = case when d.state <> 'new' then ${at}::timestamptz end
    from ${rowsOf('d', rows, { id: 'text', was: 'text', state: 'text', reason: 'text' })}
    where l.id = d.id and l.state = d.was
    returning l.id, l.amount`)
  if (decided.length !== decisions.length) throw decidedMeanwhile()
  const amounts = new Map(decided.map(({ id, amount }) => [id, amount]))
  const parts = decisions.flatMap(({ id: lineId, deposit }): LinePart[] => {
    const amount = amounts.get(lineId) ?? 0n
    return deposit
      ? [{ lineId, kind: 'deposit', subject: deposit.id, merchantId: deposit.merchantId, amount, journalId: null }]
      : []
  })
  await replaceParts(tx, [...amounts.keys()], parts, at)
}

export function decidedMeanwhile(): Refusal {
  return refuse('line_decided_meanwhile')
}

/** Returns all lines if `limit` is null. */
export function listLines(db: Queryable, state: string | undefined, limit: number | null): Promise<StoredLine[]> {
  const inState = state === 'needs_review' ? needsReview : sql`l.state = ${stateLiteral(state ?? 'new')}`
  const wanted = state === undefined ? sql`` : sql`where ${inState}`
  return selectLines(db, sql`${wanted} order by l.id desc limit ${limit}`)
}

export function linesOfDeposit(db: Queryable, merchantId: string, depositId: string): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.id in (${linesForDeposits([merchantId], [depositId])}) order by l.id`)
}

export type DayTotal = { collectingAccountId: string; amount: bigint; count: number }

export function receivedOn(db: Queryable, valueDate: string): Promise<DayTotal[]> {
  return db.query<DayTotal>(sql`
    select collecting_account_id as "collectingAccountId", sum(amount)::bigint as amount, count(*)::int as count
    from bank_lines
    where value_date = ${valueDate}::date and direction = 'credit' and state in ('new', 'matched', 'suspense')
    group by collecting_account_id`)
}

/**
 * Time up to which every payment is known and decided: the earliest of the last complete reads (of all sources without a
 * list) and the undecided credits. Null without either. One statement, so that lines and their read are seen together.
 */
export async function decidedUntil(db: Queryable, sources: string[]): Promise<Date | null> {
  const [row] = await db.query<{ until: Date | null }>(sql`
    select least(
      (${readUntil(sources)}),
      (select min(l.booked_at) from bank_lines l
        where l.state = 'new' and l.direction = 'credit')
    ) as until`)
  return row?.until ?? null
}

/** The line must still be in the state in which it was judged. */
export async function decidePayoutLine(
  tx: Tx,
  line: Pick<StoredLine, 'id' | 'state' | 'direction' | 'amount'>,
  decision: PayoutLineDecision,
  at: Date,
): Promise<void> {
  const { state, reason, payout, candidateWithdrawalId } = decision
  const { id: lineId, amount } = line
  const to = sql`
    state = ${state}, reason = ${reason}, candidate_withdrawal_id = ${candidateWithdrawalId}, decided_at = ${at}`
  if ((await updateLines(tx, to, sql`l.id = ${lineId} and l.state = ${line.state}`)) !== 1) throw decidedMeanwhile()
  const kind = line.direction === 'debit' ? 'payout' : 'payout_return'
  const its = payout && { subject: payout.withdrawalId, merchantId: payout.merchantId }
  await replaceParts(tx, [lineId], its ? [{ lineId, kind, ...its, amount, journalId: null }] : [], at)
}

/** No payout is named after all: the line goes to deposit matching. */
export async function leaveToDeposits(tx: Tx, id: string): Promise<void> {
  await updateLines(tx, sql`for_payouts = false`, sql`l.id = ${id} and l.state = 'new'`)
}

export const namingSql = (withdrawalId: string) =>
  sql`select c.id from bank_lines c where c.candidate_withdrawal_id = ${withdrawalId}`

/** The line is unexplained and its text contains the id. Uses an index on texts, independent of the matcher's result. */
export const namesSql = (withdrawalId: Sql) => sql`
  l.state in ('new', 'needs_review', 'suspense') and ids_in(l.narrative) <> '{}'
  and ids_in(l.narrative) @> array[${withdrawalId} collate "default"]`

/** Whether an unexplained bank line names this withdrawal: its money may have left. */
export const isNamedOnStatementSql = (withdrawalId: Sql) =>
  sql`(exists (select 1 from bank_lines l where ${namesSql(withdrawalId)}) or ${isNamedUnreadSql(withdrawalId)})`

export function selectLinesNaming(db: Queryable, withdrawalId: string, limit: number): Promise<StoredLine[]> {
  return selectLines(db, sql`where ${namesSql(sql`${withdrawalId}::text`)} order by l.id limit ${limit}`)
}

const isAny = (which: Sql) => sql`exists (select 1 from bank_lines l where ${which})`
export const hasSimilarDebitSql = (to: PayoutTerms) =>
  sql`(${isAny(isSimilarDebit(to))} or ${isAny(isSimilarExplained(to))} or ${isAny(isExplainedToRecipient(to))})`
export const isSimilarDebitSql = (id: string, to: PayoutTerms) => isAny(sql`l.id = ${id} and ${isSimilarDebit(to)}`)
export const selectDebits = (db: Queryable, which: Sql, limit: number) =>
  selectLines(db, sql`where ${which} order by l.booked_at limit ${limit}`)
export const hasCreditOfSql = (id: Sql) =>
  sql`exists (select 1 from bank_lines l where l.candidate_withdrawal_id = ${id} and l.direction = 'credit')`

/** Lines that a person found to be the same money as an earlier line. */
export const sameMoneySql = sql`
  select c.id, c.corrects_line_id, case c.direction when 'debit' then c.candidate_withdrawal_id end as payout_id
  from bank_lines c where c.state = 'dismissed' and c.reason = 'same_money'`

export function totalsOf(db: Queryable, which: Sql): Promise<LineTotal[]> {
  return db.query<LineTotal>(sql`
    select l.currency, count(*)::int as count, sum(l.amount)::bigint as amount, min(l.booked_at) as oldest
    from bank_lines l where ${which} group by l.currency order by l.currency`)
}

/** How many lines wait for a person, and a sum that changes with any of them. */
export async function stateOfOpen(db: Queryable): Promise<{ count: number; sum: string }> {
  const [row] = await db.query<{ count: number; sum: string }>(sql`
    select count(*)::int as count, coalesce(sum(hashtextextended(concat_ws(' ', l.id, l.state, l.reason), 0)), 0)::text as sum
    from bank_lines l where l.state = 'suspense' or ${needsReview}`)
  return row ?? { count: 0, sum: '0' }
}

/** Those that are not booked yet. */
export function unexplainedDebits(db: Queryable): Promise<{ collectingAccountId: string; amount: bigint }[]> {
  return db.query<{ collectingAccountId: string; amount: bigint }>(sql`
    select l.collecting_account_id as "collectingAccountId", sum(l.amount)::bigint as amount
    from bank_lines l where ${needsReview} and l.direction = 'debit' and not l.booked_unexplained group by l.collecting_account_id`)
}

/** Which of these accounts have a statement that shows debits. */
export async function accountsShowingDebits(db: Queryable, accountIds: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select one.id from unnest(${accountIds}::text[]) as one (id)
    where exists (select 1 from bank_lines l where l.collecting_account_id = one.id and l.direction = 'debit')`)
  return rows.map(({ id }) => id)
}

/** Lines that wait for a decision and contain one of these texts. There are few. */
export function selectWaitingNaming(tx: Tx, texts: string[]): Promise<Pick<StoredLine, 'id' | 'state'>[]> {
  return tx.query<Pick<StoredLine, 'id' | 'state'>>(sql`
    select l.id, l.state from bank_lines l where (l.state = 'suspense' or ${needsReview})
      and exists (select from unnest(${texts}::text[]) as one (wanted) where strpos(l.sender_name || ' ' || l.narrative, one.wanted) > 0)
    order by l.id`)
}

/** Keeps the natural key, so that the same line is recognised when it is read again. Returns the number of changed rows. */
export async function eraseLines(tx: Tx, erased: { id: string; mark: string }[]): Promise<number> {
  const changed = await changeLines(
    tx,
    sql`set sender_name = ${ERASED}, sender_iban = null, narrative = ${ERASED}, mark = e.mark
    from ${rowsOf('e', erased, { id: 'text', mark: 'text' })}
    where l.id = e.id and (l.sender_name <> ${ERASED} or l.narrative <> ${ERASED}) returning l.id`,
  )
  return changed.length
}
