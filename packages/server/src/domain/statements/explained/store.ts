import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { rowsOf } from '../../../platform/postgres/rows.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { LineState, StoredLine } from '../bank-line.ts'
import type { LinePart } from '../parts/store.ts'
import {
  isOfDeposit,
  isOfEntry,
  isOfTransaction,
  linesForPayout,
  linesOfEntry,
  partsAbout,
  replaceParts,
} from '../parts/store.ts'
import {
  chosenLines,
  decidedMeanwhile,
  lockLines,
  namingSql,
  needsReview,
  queryLines,
  selectLines,
  updateLines,
} from '../store.ts'

/** Debits whose booking does not fit their state: unexplained and not booked, or the reverse. Skips lines that another process has locked. */
export function claimDebitsToBook(tx: Tx, limit: number, only?: StoredLine[]): Promise<StoredLine[]> {
  return selectLines(
    tx,
    sql`where l.direction = 'debit' and l.booked_unexplained <> (${needsReview}) and ${chosenLines(only)}
      order by l.id limit ${limit} for update skip locked`,
  )
}

export async function setBooked(tx: Tx, ids: string[], isBooked: boolean): Promise<void> {
  await updateLines(tx, sql`booked_unexplained = ${isBooked}`, sql`l.id = any(${ids}::text[])`)
}

/** In id order. */
export function lockLinesById(tx: Tx, ids: string[]): Promise<StoredLine[]> {
  return lockLines(tx, sql`l.id = any(${ids}::text[])`)
}

/** In id order, not locked. */
export function selectLinesById(db: Queryable, ids: string[]): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.id = any(${ids}::text[]) order by l.id`)
}

/** The lines that show a payout's debit or its return. */
export function linesOfPayout(db: Queryable, withdrawalId: string): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.id in (${linesForPayout(withdrawalId)}) order by l.id`)
}

/** Every decided line that belongs to the payout or names it. Locked, because a waiting line could be matched to a deposit meanwhile. */
export async function lockLinesAbout(tx: Tx, withdrawalId: string): Promise<StoredLine[]> {
  const its = sql`${linesForPayout(withdrawalId)} union all ${namingSql(withdrawalId)}`
  return asLinesOf(tx, withdrawalId, await lockLines(tx, sql`l.id in (${its}) and l.state <> 'new'`))
}

/** A debit of several payouts, read for one of them, is that one's. */
export async function asLinesOf(db: Queryable, withdrawalId: string, lines: StoredLine[]): Promise<StoredLine[]> {
  const isShared = (line: StoredLine) => line.journalId !== null && line.withdrawalId !== null
  if (!lines.some(isShared)) return lines
  const its = new Set((await partsAbout(db, [withdrawalId])).map(({ lineId }) => lineId))
  return lines.map((line) => (isShared(line) && its.has(line.id) ? { ...line, withdrawalId } : line))
}

export function linesOfJournal(db: Queryable, journalId: string): Promise<StoredLine[]> {
  return selectLines(db, sql`where l.id in (${linesOfEntry(journalId)}) order by l.id`)
}

/** Debits that name the withdrawal and belong to a journal entry instead, not to its payout. */
export function explainedDebitsNaming(db: Queryable, withdrawalId: string): Promise<StoredLine[]> {
  return selectLines(
    db,
    sql`where l.candidate_withdrawal_id = ${withdrawalId} and l.direction = 'debit' and ${isOfEntry}
      and l.id not in (${linesForPayout(withdrawalId)}) order by l.id`,
  )
}

type OfAccount = Pick<StoredLine, 'collectingAccountId'> & { since: Date }

/** Debits of an account that need review, oldest first. */
export function debitsInReview(db: Queryable, { collectingAccountId, since }: OfAccount, limit: number) {
  return selectLines(
    db,
    sql`where ${needsReview} and l.direction = 'debit' and l.collecting_account_id = ${collectingAccountId}
      and l.booked_at >= ${since} order by l.booked_at, l.id limit ${limit}`,
  )
}

type ChargeOrTax = Pick<StoredLine, 'id' | 'collectingAccountId' | 'valueDate' | 'bankReference'> & {
  since: Date
  amounts: { least: bigint; most: bigint }[]
}

/** Other debits of its account that need review, with its number or value date and such an amount: those of its number first, then oldest first. */
export function debitsInReviewOf(db: Queryable, line: ChargeOrTax, limit: number): Promise<StoredLine[]> {
  const { id, collectingAccountId, valueDate, bankReference, since, amounts } = line
  return selectLines(
    db,
    sql`where ${needsReview} and l.direction = 'debit' and l.collecting_account_id = ${collectingAccountId} and l.id <> ${id}
      and l.booked_at >= ${since} and (l.value_date = ${valueDate}::date or l.bank_reference = ${bankReference})
      and exists (select 1 from ${rowsOf('w', amounts, { least: 'bigint', most: 'bigint' })} where l.amount between w.least and w.most)
      order by l.bank_reference = ${bankReference} desc nulls last, l.booked_at, l.id limit ${limit}`,
  )
}

/** Credits of an account in suspense, oldest first. */
export function creditsInSuspense(db: Queryable, { collectingAccountId, since }: OfAccount, limit: number) {
  return selectLines(
    db,
    sql`where l.state = 'suspense' and l.direction = 'credit' and l.collecting_account_id = ${collectingAccountId}
      and l.booked_at >= ${since} order by l.booked_at, l.id limit ${limit}`,
  )
}

/** Second payments of completed deposits that wait in suspense, booked since then. */
export function duplicatesInSuspense(db: Queryable, since: Date, limit: number): Promise<StoredLine[]> {
  return selectLines(
    db,
    sql`where l.state = 'suspense' and l.reason = 'duplicate' and l.booked_at >= ${since} order by l.booked_at, l.id limit ${limit}`,
  )
}

/** Debits of all accounts that no one has explained or judged, booked since then. Two statements: each uses its partial index. */
export async function unexplainedDebitsSince(db: Queryable, since: Date, limit: number): Promise<StoredLine[]> {
  const debits = sql`l.direction = 'debit' and l.booked_at >= ${since}`
  return [
    ...(await selectLines(db, sql`where ${needsReview} and ${debits} order by l.booked_at desc limit ${limit}`)),
    ...(await selectLines(db, sql`where l.state = 'new' and ${debits} order by l.id limit ${limit}`)),
  ]
}

export type LineMove = {
  line: Pick<StoredLine, 'id' | 'state' | 'candidateWithdrawalId'>
  state: Extract<LineState, 'matched' | 'suspense' | 'needs_review'>
  reason: string
  /** For a matched line: all that it is for. */
  parts: LinePart[]
  /** Only of a debit that needs review. */
  isBooked: boolean
}

/** By a journal entry, which says all that the line is for. It must still be in the state in which it was seen. */
export async function moveLines(tx: Tx, moves: LineMove[], at: Date): Promise<void> {
  for (const { line, state, reason, isBooked } of moves) {
    const to = sql`state = ${state}, reason = ${reason}, candidate_withdrawal_id = ${line.candidateWithdrawalId},
      booked_unexplained = ${isBooked}, decided_at = ${at}`
    if ((await updateLines(tx, to, sql`l.id = ${line.id} and l.state = ${line.state}`)) !== 1) throw decidedMeanwhile()
  }
  const ids = moves.map(({ line }) => line.id)
  const parts = moves.flatMap((move) => move.parts)
  await replaceParts(tx, ids, parts, at)
}

/** Other suspected corrections of a replaced line now refer to its replacement. */
export async function moveCorrections(tx: Tx, fromId: string, toId: string): Promise<void> {
  const which = sql`l.corrects_line_id = ${fromId} and l.id <> ${toId} and ${needsReview}`
  await updateLines(tx, sql`corrects_line_id = ${toId}`, which)
}

/** The line may repeat this one. */
export async function referTo(tx: Tx, lineId: string, firstId: string | null): Promise<void> {
  await updateLines(tx, sql`corrects_line_id = ${firstId}`, sql`l.id = ${lineId}`)
}

type Opposite = Pick<StoredLine, 'amount' | 'currency' | 'direction'> & { from: Date; to: Date }

/** Lines of the other direction with this account and amount, booked in this time, that no one has explained. */
export function unexplainedOpposites(
  db: Queryable,
  { amount, currency, direction, collectingAccountId, from, to }: Opposite & Pick<StoredLine, 'collectingAccountId'>,
  limit: number,
) {
  return selectLines(
    db,
    sql`where l.amount = ${amount} and l.state in ('suspense', 'needs_review') and l.currency = ${currency}
      and l.direction <> ${direction} and l.collecting_account_id = ${collectingAccountId}
      and l.booked_at between ${from} and ${to} order by l.id limit ${limit}`,
  )
}

/** Lines of the other direction with this amount, booked in this time, without those that an entry explains as nothing of a transaction. A line is never read before it is booked. */
export function oppositeLines(db: Queryable, { amount, currency, direction, from, to }: Opposite, limit: number) {
  const { notBefore } = idsBetween(from, to)
  return selectLines(
    db,
    sql`where l.amount = ${amount} and l.id >= ${notBefore} and l.currency = ${currency} and l.direction <> ${direction}
      and l.booked_at between ${from} and ${to} and l.state <> 'dismissed'
      and (l.state <> 'matched' or ${isOfTransaction})
      order by l.id limit ${limit}`,
  )
}

type Sender = Pick<StoredLine, 'amount' | 'currency' | 'collectingAccountId' | 'senderIban'> & { from: Date; to: Date }

/** Two business days after the longest holiday: a statement that comes later is overdue. */
const READ_WITHIN_MS = 14 * DAY_MS

/** Matched credits of its account and amount in this time, newest first: those of its IBAN as the bank writes it, then of any sender, if they were not read late. */
export async function matchedCredits(db: Queryable, line: Sender, limit: number): Promise<StoredLine[]> {
  const { amount, currency, collectingAccountId, senderIban, from, to } = line
  // Some amounts are on most lines: without an upper bound all since then would be read.
  const { notBefore, before } = idsBetween(from, new Date(to.getTime() + READ_WITHIN_MS))
  const like = sql`l.id >= ${notBefore} and l.currency = ${currency} and l.direction = 'credit' and l.state = 'matched'
    and l.collecting_account_id = ${collectingAccountId} and l.booked_at between ${from} and ${to}
    order by l.id desc limit ${limit}`
  const ofAny = await selectLines(db, sql`where l.amount = ${amount} and l.id < ${before} and ${like}`)
  if (senderIban === null) return ofAny
  // Plus zero, so that the index by IBAN is used.
  const ofSender = sql`l.sender_iban is not null and (reverse(l.sender_iban) collate "C") = reverse(${senderIban}::text)`
  return [...(await selectLines(db, sql`where ${ofSender} and l.amount + 0 = ${amount} and ${like}`)), ...ofAny]
}

type Numbered = Pick<StoredLine, 'id' | 'collectingAccountId' | 'direction'> & { bankReference: string }

/** Other lines with this number on the account, that the matcher has judged and the bank counts; newest first. */
export function linesOfNumber(db: Queryable, line: Numbered, limit: number): Promise<StoredLine[]> {
  return selectLines(
    db,
    sql`where l.collecting_account_id = ${line.collectingAccountId} and l.bank_reference = ${line.bankReference}
      and l.direction = ${line.direction} and l.id <> ${line.id} and l.state not in ('new', 'dismissed')
      order by l.id desc limit ${limit}`,
  )
}

/** Lines with one of these numbers on its account that the bank counts, newest first. */
export function linesNumbered(
  db: Queryable,
  wanted: { collectingAccountId: string; number: string }[],
  limit: number,
): Promise<StoredLine[]> {
  const [accounts, numbers] = [wanted.map((one) => one.collectingAccountId), wanted.map((one) => one.number)]
  return selectLines(
    db,
    sql`where (l.collecting_account_id, l.bank_reference) in (select * from unnest(${accounts}::text[], ${numbers}::text[]))
      and l.bank_reference is not null and l.state <> 'dismissed' order by l.id desc limit ${limit}`,
  )
}

type PaidFrom = Pick<StoredLine, 'collectingAccountId' | 'currency' | 'amount'> & { iban: string; since: Date }

/** Larger credits from this IBAN on the account that belong to a deposit, newest first. The index has the IBAN as it was written. */
export function largerPaymentsFrom(db: Queryable, paid: PaidFrom, limit: number): Promise<StoredLine[]> {
  const { iban, collectingAccountId, currency, amount, since } = paid
  const spaced = iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return selectLines(
    db,
    sql`where l.sender_iban is not null and (reverse(l.sender_iban) collate "C") in (reverse(${iban}::text), reverse(${spaced}::text))
      and l.direction = 'credit' and l.state = 'matched' and ${isOfDeposit} and l.booked_at >= ${since}
      and l.collecting_account_id = ${collectingAccountId} and l.currency = ${currency} and l.amount > ${amount}
      order by l.id desc limit ${limit}`,
  )
}

type OtherSide = Opposite & {
  collectingAccountId: string
  ownIban: string
  otherAccountId: string | null
  /** What the bank may have kept on the way. */
  maxCharge: bigint
}

/** Unexplained lines of our other accounts that an IBAN of ours ties to this one: no more arrived than left, less a charge at most. */
export function otherSides(db: Queryable, line: OtherSide, limit: number): Promise<StoredLine[]> {
  const { amount, currency, from, to, collectingAccountId, ownIban, otherAccountId, maxCharge } = line
  const which =
    line.direction === 'debit'
      ? sql`l.state = 'suspense' and l.direction = 'credit' and l.amount between ${amount - maxCharge} and ${amount}`
      : sql`${needsReview} and l.direction = 'debit' and l.amount between ${amount} and ${amount + maxCharge}`
  return selectLines(
    db,
    sql`where ${which} and l.booked_at between ${from} and ${to} and l.currency = ${currency}
      and l.collecting_account_id <> ${collectingAccountId}
      and (l.collecting_account_id = ${otherAccountId} or upper(replace(l.sender_iban, ' ', '')) = ${ownIban})
      order by l.booked_at, l.id limit ${limit}`,
  )
}

/** Lines that wait for a person, after this id, in id order. Two statements: each uses its partial index. */
export async function waitingLines(db: Queryable, after: string, limit: number): Promise<StoredLine[]> {
  const next = sql`l.id > ${after} order by l.id limit ${limit}`
  const found = [
    ...(await selectLines(db, sql`where l.state = 'suspense' and ${next}`)),
    ...(await selectLines(db, sql`where ${needsReview} and ${next}`)),
  ]
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)
}

type Booked = Pick<StoredLine, 'direction'> & { since: Date; accountId: string | null; maxAmount: bigint }

export type BookedLine = Pick<
  StoredLine,
  | (
      | 'id'
      | 'collectingAccountId'
      | 'direction'
      | 'amount'
      | 'currency'
      | 'valueDate'
      | 'narrative'
      | 'state'
      | 'reason'
    )
  | ('senderIban' | 'senderName' | 'candidateWithdrawalId' | 'correctsLineId')
>

/** Of at most this amount, of one account or of all, without those that the bank does not count; newest first. */
export function linesBookedSince(db: Queryable, booked: Booked, limit: number): Promise<BookedLine[]> {
  const { since, direction, accountId, maxAmount } = booked
  const { notBefore } = idsBetween(since, since)
  const wanted = sql`
    l.id, l.collecting_account_id as "collectingAccountId", l.direction, l.amount, l.currency,
    to_char(l.value_date, 'YYYY-MM-DD') as "valueDate", l.narrative, l.state, l.reason, l.sender_iban as "senderIban",
    l.sender_name as "senderName", l.candidate_withdrawal_id as "candidateWithdrawalId", l.corrects_line_id as "correctsLineId"`
  return queryLines<BookedLine>(
    db,
    wanted,
    sql`where l.id >= ${notBefore} and l.booked_at >= ${since} and l.direction = ${direction} and l.amount <= ${maxAmount}
      and l.state <> 'dismissed' and (${accountId}::text is null or l.collecting_account_id = ${accountId})
      order by l.id desc limit ${limit}`,
  )
}

/** Lines that no one has explained, booked before this time; oldest first. Two statements: each uses its partial index. */
export async function selectUnexplained(db: Queryable, before: Date, limit: number): Promise<StoredLine[]> {
  const oldest = sql`l.booked_at < ${before} order by l.booked_at limit ${limit}`
  const found = [
    ...(await selectLines(db, sql`where l.state = 'suspense' and ${oldest}`)),
    ...(await selectLines(db, sql`where ${needsReview} and l.direction in ('credit', 'debit') and ${oldest}`)),
  ]
  return found.toSorted((a, b) => a.bookedAt.getTime() - b.bookedAt.getTime()).slice(0, limit)
}
