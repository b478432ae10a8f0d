import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { StoredLine } from '../bank-line.ts'
import { changeLines, isUnconfirmed, queryLines, selectLines } from '../store.ts'

/** A line that a person entered while the bank's system was down. */
export type EnteredLine = {
  id: string
  collectingAccountId: string
  direction: 'credit' | 'debit'
  amount: bigint
  /** yyyy-mm-dd */
  bookedOn: string
  senderName: string
  senderIban: string | null
  narrative: string
  /** Similar lines that are other payments, as the person says. */
  besides: string[]
  reason: string
  proposedBy: string
  proposedAt: Date
  state: 'proposed' | 'booked' | 'rejected' | 'withdrawn'
  decidedBy: string | null
  decidedAt: Date | null
  note: string | null
  /** The bank line that was booked. */
  lineId: string | null
}

/** Of `bank_lines l`. */
export const isEntered = sql`exists (select 1 from entered_lines e where e.line_id = l.id)`

const columns = sql`
  e.id, e.collecting_account_id as "collectingAccountId", e.direction, e.amount, to_char(e.booked_on, 'YYYY-MM-DD') as "bookedOn",
  e.sender_name as "senderName", e.sender_iban as "senderIban", e.narrative, e.besides, e.reason, e.proposed_by as "proposedBy",
  e.proposed_at as "proposedAt", e.state, e.decided_by as "decidedBy", e.decided_at as "decidedAt", e.note, e.line_id as "lineId"`

type Proposal = Omit<EnteredLine, 'state' | 'decidedBy' | 'decidedAt' | 'note' | 'lineId'>

export async function insertEntered(tx: Tx, line: Proposal): Promise<void> {
  await tx.query(sql`
    insert into entered_lines (id, collecting_account_id, direction, amount, booked_on, sender_name, sender_iban, narrative, besides,
      reason, proposed_by, proposed_at)
    values (${line.id}, ${line.collectingAccountId}, ${line.direction}, ${line.amount}, ${line.bookedOn}, ${line.senderName},
      ${line.senderIban}, ${line.narrative}, ${line.besides}::text[], ${line.reason}, ${line.proposedBy}, ${line.proposedAt})`)
}

/** One at a time by one person, until the end of the transaction. */
export async function lockEntering(tx: Tx, person: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`entered_lines ${person}`}, 0))`)
}

export async function lockEntered(tx: Tx, id: string): Promise<EnteredLine | undefined> {
  return (await tx.query<EnteredLine>(sql`select ${columns} from entered_lines e where e.id = ${id} for update`))[0]
}

/** Newest first. */
export function listEntered(db: Queryable, limit: number): Promise<EnteredLine[]> {
  return db.query<EnteredLine>(sql`select ${columns} from entered_lines e order by e.id desc limit ${limit}`)
}

/** Those about which no one has decided, oldest first. */
export function waitingEntered(db: Queryable, limit: number): Promise<EnteredLine[]> {
  return db.query<EnteredLine>(
    sql`select ${columns} from entered_lines e where e.state = 'proposed' order by e.id limit ${limit}`,
  )
}

export async function countWaitingEntered(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from entered_lines e where e.state = 'proposed'`,
  )
  return row?.count ?? 0
}

export async function findEntered(db: Queryable, id: string): Promise<EnteredLine | undefined> {
  return (await db.query<EnteredLine>(sql`select ${columns} from entered_lines e where e.id = ${id}`))[0]
}

/** What people entered, of the line that was booked from it. */
export async function findEnteredOf(db: Queryable, lineId: string): Promise<EnteredLine | undefined> {
  return (await enteredOfLines(db, [lineId]))[0]
}

export function enteredOfLines(db: Queryable, lineIds: string[]): Promise<EnteredLine[]> {
  return db.query<EnteredLine>(sql`select ${columns} from entered_lines e where e.line_id = any(${lineIds}::text[])`)
}

export type EnteredDecision = Pick<EnteredLine, 'state' | 'decidedBy' | 'note' | 'lineId'>

/** The caller has locked it. */
export async function updateEntered(tx: Tx, id: string, decision: EnteredDecision, at: Date): Promise<void> {
  const { state, decidedBy, note, lineId } = decision
  await tx.query(sql`
    update entered_lines set state = ${state}, decided_by = ${decidedBy}, decided_at = ${at}, note = ${note}, line_id = ${lineId}
    where id = ${id} and state = 'proposed'`)
}

/** An entered line that is in the books, with its sender and text as they are stored now. */
export type BookedEntry = Pick<
  StoredLine,
  'id' | 'collectingAccountId' | 'direction' | 'amount' | 'senderName' | 'senderIban' | 'narrative'
> & { bookedOn: string }

const entry = sql`l.id, l.collecting_account_id as "collectingAccountId", l.direction, l.amount, l.sender_name as "senderName",
  l.sender_iban as "senderIban", l.narrative, to_char(e.booked_on, 'YYYY-MM-DD') as "bookedOn"`

type Money = Pick<StoredLine, 'collectingAccountId' | 'direction' | 'amount'>

export function selectBookedEntries(tx: Tx, wanted: Money[]): Promise<BookedEntry[]> {
  const types = { collectingAccountId: 'text', direction: 'text', amount: 'bigint' } as const
  return queryLines<BookedEntry>(
    tx,
    entry,
    sql`join entered_lines e on e.line_id = l.id
    where e.state = 'booked' and l.state <> 'dismissed' and exists (
      select 1 from ${rowsOf('w', wanted, types)}
      where w.collecting_account_id = e.collecting_account_id and w.amount = e.amount and w.direction = e.direction
    ) order by l.id`,
  )
}

/** Lines that refer to one of these as a repeat, a correction or a replacement. */
export function selectReferring(db: Queryable, ids: string[]): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.corrects_line_id = any(${ids}::text[]) order by l.id`)
}

/** Lines that may repeat or correct one of these, about which no one has decided yet. */
export async function waitingCorrections(db: Queryable, ids: string[]): Promise<StoredLine[]> {
  return (await selectReferring(db, ids)).filter(({ state }) => state === 'needs_review')
}

export async function isEnteredLine(db: Queryable, id: string): Promise<boolean> {
  return (await queryLines<unknown>(db, sql`1`, sql`where l.id = ${id} and ${isEntered}`)).length > 0
}

type Key = { collectingAccountId: string; naturalKey: string; occurrence: number }
export const keyOf = (one: Key) => `${one.collectingAccountId}|${one.naturalKey}|${one.occurrence}`

/** Those of these keys that are stored. */
export async function selectStoredKeys(tx: Tx, keys: Key[]): Promise<Set<string>> {
  const types = { collectingAccountId: 'text', naturalKey: 'text', occurrence: 'int' } as const
  const rows = await queryLines<Key>(
    tx,
    sql`l.collecting_account_id as "collectingAccountId", l.natural_key as "naturalKey", l.occurrence`,
    sql`join ${rowsOf('w', keys, types)} on l.collecting_account_id = w.collecting_account_id
      and l.natural_key = w.natural_key and l.occurrence = w.occurrence`,
  )
  return new Set(rows.map(keyOf))
}

/** Lines with this account, direction and amount, booked in this time, also those that people dismissed: they may come back. */
export function selectAlike(db: Queryable, money: Money, from: Date, to: Date): Promise<StoredLine[]> {
  // A bank may date a line two days ahead of the time at which it is read.
  const { notBefore } = idsBetween(new Date(from.getTime() - 2 * 86_400_000), to)
  return selectLines(
    db,
    sql`where l.amount = ${money.amount} and l.id >= ${notBefore} and l.collecting_account_id = ${money.collectingAccountId}
      and l.direction = ${money.direction} and l.booked_at >= ${from} and l.booked_at < ${to}
      and (l.state <> 'dismissed' or l.reason = 'dismissed')
      order by l.id`,
  )
}

/** An entered line has the dates of the bank, once they are known: the bank's balances count by them. */
export async function takeDates(tx: Tx, replacements: { id: string; by: string }[]): Promise<void> {
  for (const { id, by } of replacements) {
    const [real] = await selectLines(tx, sql`where l.id = ${by}`)
    if (!real) continue
    await changeLines(
      tx,
      sql`set booked_at = ${real.bookedAt}, value_date = ${real.valueDate}::date, statement_id = ${real.statementId}
      where l.id = ${id}`,
    )
  }
}

/** Those that are no bank line and have their text: waiting, rejected or withdrawn. Locked: no one decides meanwhile. */
export function lockUnbooked(tx: Tx): Promise<EnteredLine[]> {
  return tx.query<EnteredLine>(sql`
    select ${columns} from entered_lines e
    where e.line_id is null and (e.sender_name <> ${ERASED} or e.narrative <> ${ERASED}) order by e.id for update`)
}

/** Those of these bank lines, and these that were not booked. Returns how many changed. */
export async function eraseEntered(tx: Tx, lineIds: string[], unbooked: string[]): Promise<number> {
  const rows = await tx.query(sql`
    update entered_lines e set sender_name = ${ERASED}, sender_iban = null, narrative = ${ERASED}
    where (e.line_id = any(${lineIds}::text[]) or e.id = any(${unbooked}::text[]))
      and (e.sender_name <> ${ERASED} or e.narrative <> ${ERASED}) returning e.id`)
  return rows.length
}

/** Ids of lines in the books that people entered and that no final statement contains, oldest first. */
export async function selectEnteredOpen(db: Queryable): Promise<string[]> {
  const rows = await queryLines<{ id: string }>(
    db,
    sql`l.id`,
    sql`join entered_lines e on e.line_id = l.id
    where e.state = 'booked' and l.state <> 'dismissed' and ${isUnconfirmed} order by l.id`,
  )
  return rows.map(({ id }) => id)
}
