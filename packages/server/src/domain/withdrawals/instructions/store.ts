import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** A payment of an instruction. The amount as text: JSON has no bigint. */
export type StoredLine = { processId: string; accountName: string; iban: string; amount: string }

type InstructionState = 'proposed' | 'approved' | 'rejected' | 'expired'

export type InstructionRow = {
  merchantId: string
  id: string
  state: InstructionState
  source: string | null
  currency: string
  lineCount: number
  total: bigint
  linesHash: string
  proposedBy: string
  proposedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
}

const columns = sql`
  merchant_id as "merchantId", id, state, source, currency, line_count as "lineCount", total, lines_hash as "linesHash",
  proposed_by as "proposedBy", proposed_at as "proposedAt", decided_by as "decidedBy", decided_at as "decidedAt"`

type NewInstruction = Omit<InstructionRow, 'state' | 'decidedBy' | 'decidedAt'> & { lines: StoredLine[] }

/** False if there is one with this id. */
export async function insertInstruction(tx: Tx, one: NewInstruction): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into instructions
      (merchant_id, id, source, currency, line_count, total, lines, lines_hash, proposed_by, proposed_at)
    values (${one.merchantId}, ${one.id}, ${one.source}, ${one.currency}, ${one.lineCount}, ${one.total},
      ${JSON.stringify(one.lines)}::json, ${one.linesHash}, ${one.proposedBy}, ${one.proposedAt})
    on conflict do nothing returning id`)
  return rows.length > 0
}

/** Newest first. */
export function selectInstructions(
  db: Queryable,
  merchantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<InstructionRow[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}`
  return db.query<InstructionRow>(sql`
    select ${columns} from instructions where merchant_id = ${merchantId} ${earlier} order by id desc limit ${limit}`)
}

/** Of all merchants. */
export function selectWaiting(db: Queryable, limit: number): Promise<InstructionRow[]> {
  return db.query<InstructionRow>(sql`
    select ${columns} from instructions where state = 'proposed' order by merchant_id, id limit ${limit}`)
}

export async function countWaiting(db: Queryable, merchantId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from instructions where merchant_id = ${merchantId} and state = 'proposed'`)
  return row?.count ?? 0
}

export type WholeInstruction = InstructionRow & { lines: StoredLine[] | null }

export async function selectInstruction(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<WholeInstruction | undefined> {
  const [row] = await db.query<WholeInstruction>(sql`
    select ${columns}, lines from instructions where merchant_id = ${merchantId} and id = ${id}`)
  return row
}

/** One decision at a time. */
export async function lockInstruction(tx: Tx, merchantId: string, id: string): Promise<WholeInstruction | undefined> {
  const [row] = await tx.query<WholeInstruction>(sql`
    select ${columns}, lines from instructions where merchant_id = ${merchantId} and id = ${id} for update`)
  return row
}

export async function updateDecided(
  tx: Tx,
  { merchantId, id }: { merchantId: string; id: string },
  decided: { state: 'approved' | 'rejected'; decidedBy: string; decidedAt: Date },
): Promise<void> {
  await tx.query(sql`
    update instructions
    set state = ${decided.state}, decided_by = ${decided.decidedBy}, decided_at = ${decided.decidedAt}, lines = null
    where merchant_id = ${merchantId} and id = ${id}`)
}

/** Returns how many. */
export async function expireBefore(tx: Tx, before: Date): Promise<number> {
  const rows = await tx.query(sql`
    update instructions set state = 'expired', lines = null
    where state = 'proposed' and proposed_at < ${before} returning id`)
  return rows.length
}
