import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ERASED } from '../../../kernel/erased.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { StoredLine } from '../bank-line.ts'
import { changeLines, isUnconfirmed, queryLines, selectLines } from '../store.ts'

/** A line that two people entered while the bank's system was down. */
export type EnteredLine = {
  /** The bank line that was booked. */
  lineId: string
  collectingAccountId: string
  direction: 'credit' | 'debit'
  amount: bigint
  /** yyyy-mm-dd */
  bookedOn: string
  senderName: string
  senderIban: string | null
  narrative: string
  /** Similar lines that are other payments, as the people say. */
  besides: string[]
  reason: string
  proposedBy: string
  decidedBy: string
  decidedAt: Date
}

/** Of `bank_lines l`. */
export const isEntered = sql`exists (select 1 from entered_lines e where e.line_id = l.id)`

const columns = sql`
  e.line_id as "lineId", e.collecting_account_id as "collectingAccountId", e.direction, e.amount, to_char(e.booked_on, 'YYYY-MM-DD') as "bookedOn",
  e.sender_name as "senderName", e.sender_iban as "senderIban", e.narrative, e.besides, e.reason, e.proposed_by as "proposedBy",
  e.decided_by as "decidedBy", e.decided_at as "decidedAt"`

export async function insertEntered(tx: Tx, line: EnteredLine): Promise<void> {
  await tx.query(sql`
    insert into entered_lines (line_id, collecting_account_id, direction, amount, booked_on, sender_name, sender_iban, narrative, besides,
      reason, proposed_by, decided_by, decided_at)
    values (${line.lineId}, ${line.collectingAccountId}, ${line.direction}, ${line.amount}, ${line.bookedOn}, ${line.senderName},
      ${line.senderIban}, ${line.narrative}, ${line.besides}::text[], ${line.reason}, ${line.proposedBy}, ${line.decidedBy}, ${line.decidedAt})`)
}

/** Newest first. */
export function listEntered(db: Queryable, limit: number): Promise<EnteredLine[]> {
  return db.query<EnteredLine>(sql`select ${columns} from entered_lines e order by e.line_id desc limit ${limit}`)
}

/** What people entered, of the line that was booked from it. */
export async function findEnteredOf(db: Queryable, lineId: string): Promise<EnteredLine | undefined> {
  return (await enteredOfLines(db, [lineId]))[0]
}

export function enteredOfLines(db: Queryable, lineIds: string[]): Promise<EnteredLine[]> {
  return db.query<EnteredLine>(sql`select ${columns} from entered_lines e where e.line_id = any(${lineIds}::text[])`)
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
    where l.state <> 'dismissed' and exists (
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
  const { notBefore } = idsBetween(new Date(from.getTime() - 2 * DAY_MS), to)
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

/** What people entered of these bank lines. Returns how many changed. */
export async function eraseEntered(tx: Tx, lineIds: string[]): Promise<number> {
  const rows = await tx.query(sql`
    update entered_lines e set sender_name = ${ERASED}, sender_iban = null, narrative = ${ERASED}
    where e.line_id = any(${lineIds}::text[]) and (e.sender_name <> ${ERASED} or e.narrative <> ${ERASED})
    returning e.line_id`)
  return rows.length
}

/** Ids of lines in the books that people entered and that no final statement contains, oldest first. */
export async function selectEnteredOpen(db: Queryable): Promise<string[]> {
  const rows = await queryLines<{ id: string }>(
    db,
    sql`l.id`,
    sql`join entered_lines e on e.line_id = l.id
    where l.state <> 'dismissed' and ${isUnconfirmed} order by l.id`,
  )
  return rows.map(({ id }) => id)
}
