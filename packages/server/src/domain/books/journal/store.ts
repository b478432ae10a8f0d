import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { JournalEntry } from './journal-entry.ts'
import { readDetails, writeDetails } from './journal-entry.ts'

const columns = sql`
  j.id, j.kind, j.details, j.reason, j.proposed_by as "proposedBy", j.proposed_at as "proposedAt",
  j.approved_by as "approvedBy", j.posted_at as "postedAt", j.reverses, j.reversed_at as "reversedAt",
  j.rule_id as "ruleId"`

/** `rest` is what follows `from journal_entries j`. */
async function selectEntries(db: Queryable, rest: Sql): Promise<JournalEntry[]> {
  const rows = await db.query<JournalEntry>(sql`select ${columns} from journal_entries j ${rest}`)
  return rows.map((row) => ({ ...row, details: readDetails(row.details) }))
}

export async function insertEntry(tx: Tx, entry: JournalEntry, lineIds: string[]): Promise<void> {
  await tx.query(sql`
    insert into journal_entries (id, kind, details, reason, proposed_by, proposed_at, approved_by, posted_at, reverses, rule_id)
    values (${entry.id}, ${entry.kind}, ${writeDetails(entry.details)}::json, ${entry.reason}, ${entry.proposedBy},
      ${entry.proposedAt}, ${entry.approvedBy}, ${entry.postedAt}, ${entry.reverses}, ${entry.ruleId})`)
  await tx.query(sql`
    insert into journal_lines (journal_id, line_id) select ${entry.id}, line_id from unnest(${lineIds}::text[]) as line_id`)
}

export async function lockEntry(tx: Tx, id: string): Promise<JournalEntry | undefined> {
  return (await selectEntries(tx, sql`where j.id = ${id} for update`))[0]
}

export async function findEntry(db: Queryable, id: string): Promise<JournalEntry | undefined> {
  return (await selectEntries(db, sql`where j.id = ${id}`))[0]
}

/** Those before this one, or all, newest first. */
export function entriesBefore(db: Queryable, before: string | null, limit: number): Promise<JournalEntry[]> {
  const older = before === null ? sql`` : sql`where j.id < ${before}`
  return selectEntries(db, sql`${older} order by j.id desc limit ${limit}`)
}

/** Those taken back, too. */
export function entriesAbout(db: Queryable, lineId: string): Promise<JournalEntry[]> {
  return selectEntries(
    db,
    sql`where j.id in (select l.journal_id from journal_lines l where l.line_id = ${lineId}) order by j.id`,
  )
}

/** Entries that changed this deposit, proposed from its creation until then: ids are in the order of time. */
export function entriesOnDeposit(db: Queryable, depositId: string, until: Date): Promise<JournalEntry[]> {
  const { before } = idsBetween(until, until)
  return selectEntries(
    db,
    sql`where j.id > ${depositId} and j.id < ${before} and exists (
        select from json_array_elements(j.details -> 'seen' -> 'deposits') as d where d ->> 'id' = ${depositId}
      ) order by j.id`,
  )
}

/** Entries of people about any of these lines, with each of the lines: none of a line rule or of no one, nor what took such a one back. */
export function entriesOfLines(
  db: Queryable,
  lineIds: string[],
): Promise<(Pick<JournalEntry, 'proposedBy'> & { lineId: string })[]> {
  return db.query(sql`
    select l.line_id as "lineId", j.proposed_by as "proposedBy"
    from journal_lines l join journal_entries j on j.id = l.journal_id left join journal_entries r on r.id = j.reverses
    where case when r.id is null then j.rule_id is null and j.proposed_by is not null
      else r.rule_id is null and r.proposed_by is not null end and l.line_id = any(${lineIds}::text[]) order by l.line_id, j.id`)
}

export async function updateReversed(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update journal_entries set reversed_at = ${at} where id = ${id} and reversed_at is null`)
}

/** Not taken back: what is owed, and what settles it or writes it off. */
export function selectReceivables(db: Queryable): Promise<JournalEntry[]> {
  return selectEntries(
    db,
    sql`where (j.kind = 'receivable' or (j.kind in ('bank_charge', 'payout_return') and j.details -> 'terms' ->> 'settles' is not null))
      and j.reversed_at is null order by j.id`,
  )
}

/** Not taken back, with a rest that no entry uses. */
export function selectEntriesWithRest(db: Queryable): Promise<JournalEntry[]> {
  return selectEntries(
    db,
    sql`where j.reversed_at is null and j.details -> 'terms' ->> 'rest' is not null
      and not exists (
        select from journal_entries u
        where u.reversed_at is null and u.details -> 'terms' ->> 'restOf' = j.id
      ) order by j.id`,
  )
}

/** Entries about what the entry has left. A refund whose payout failed or came back is marked as taken back. */
export function usesOfRest(db: Queryable, splitId: string): Promise<JournalEntry[]> {
  return selectEntries(db, sql`where j.details -> 'terms' ->> 'restOf' = ${splitId} order by j.id`)
}

/** Refunds, newest first. */
export function listRefunds(db: Queryable, limit: number): Promise<JournalEntry[]> {
  return selectEntries(db, sql`where j.kind = 'refund_unexplained' order by j.id desc limit ${limit}`)
}

/** Of a line rule, not taken back, oldest first. */
export async function entriesOfRule(db: Queryable, ruleId: string, limit: number): Promise<string[]> {
  const entries = await selectEntries(
    db,
    sql`where j.rule_id = ${ruleId} and j.reversed_at is null order by j.id limit ${limit}`,
  )
  return entries.map(({ id }) => id)
}
