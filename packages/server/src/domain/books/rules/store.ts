import type { Marks } from '../../../platform/crypto/marks.ts'
import { partByMark } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Rule, Undo } from './rule.ts'

type Row = Omit<Rule, 'undo'> & { mark: string; by: string | null; proposed: Date | null; agreed: string | null } & {
  undoReason: string | null
}
type Deps = { db: Queryable; marks: Marks }

const nameOf = ({ id }: Rule) => ownerOf('line_rules', [id])

/** With its state, so that one that was ended stays so. How much it has booked is no one's word. */
const saidOf = ({ id: _id, booked: _booked, ...rule }: Rule) => rule

/** Those that the service has written, and the others, which count for nothing. `rest` follows the table. */
async function select({ db, marks }: Deps, rest: Sql): Promise<{ genuine: Rule[]; forged: Rule[] }> {
  const rows = await db.query<Row>(sql`
    select r.id, r.kind, r.direction, r.account_id as "accountId", r.words, r.max_amount as "maxAmount", r.books, r.reason,
      r.proposed_by as "proposedBy", r.approved_by as "approvedBy", r.approved_at as "approvedAt", r.state, r.booked, r.mark,
      r.undo_proposed_by as by, r.undo_proposed_at as proposed, r.undo_approved_by as agreed, r.undo_reason as "undoReason"
    from line_rules r ${rest}`)
  const marked = rows.map(({ mark, ...row }) => ({ mark, rule: ruleOf(row) }))
  const { genuine, forged } = await partByMark(marks, marked, ({ mark, rule }) => {
    return { name: nameOf(rule), says: saidOf(rule), mark }
  })
  return { genuine: genuine.map(({ rule }) => rule), forged: forged.map(({ rule }) => rule) }
}

function ruleOf({ by, proposed, agreed, undoReason, ...rule }: Omit<Row, 'mark'>): Rule {
  const undo: Undo | null =
    by !== null && proposed !== null && agreed !== null && undoReason !== null
      ? { proposedBy: by, proposedAt: proposed, approvedBy: agreed, reason: undoReason }
      : null
  return { ...rule, undo }
}

/** Newest first. */
export async function listRules(app: Deps): Promise<Rule[]> {
  return (await select(app, sql`order by r.id desc`)).genuine
}

/** Paused ones too: what they say of a line, another does not book. */
export async function rulesInForce(app: Deps): Promise<Rule[]> {
  return (await select(app, sql`where r.state <> 'ended' order by r.id`)).genuine
}

export async function rulesToUndo(app: Deps): Promise<Rule[]> {
  return (await select(app, sql`where r.undo_reason is not null order by r.id`)).genuine
}

export async function forgedRules(app: Deps): Promise<string[]> {
  return (await select(app, sql`order by r.id`)).forged.map(({ id }) => id)
}

export async function lockRule({ marks }: Pick<Deps, 'marks'>, tx: Tx, id: string): Promise<Rule | undefined> {
  return (await select({ db: tx, marks }, sql`where r.id = ${id} for update`)).genuine[0]
}

export async function findRule(app: Deps, id: string): Promise<Rule | undefined> {
  return (await select(app, sql`where r.id = ${id}`)).genuine[0]
}

export async function insertRule({ marks }: Pick<Deps, 'marks'>, tx: Tx, rule: Rule): Promise<void> {
  const { id, kind, direction, accountId, words, maxAmount, books, reason, state } = rule
  await tx.query(sql`
    insert into line_rules (id, kind, direction, account_id, words, max_amount, books, reason, proposed_by, approved_by,
      approved_at, state, mark)
    values (${id}, ${kind}, ${direction}, ${accountId}, ${words}, ${maxAmount}, ${books}, ${reason}, ${rule.proposedBy},
      ${rule.approvedBy}, ${rule.approvedAt}, ${state}, ${await marks.of(nameOf(rule), saidOf(rule))})`)
}

/** The caller has locked it. */
export async function stopInPlace(
  { marks }: Pick<Deps, 'marks'>,
  tx: Tx,
  rule: Rule,
  { state, undo = rule.undo }: { state: 'paused' | 'ended'; undo?: Undo | null },
): Promise<Rule> {
  const after = { ...rule, state, undo }
  const mark = await marks.of(nameOf(after), saidOf(after))
  await tx.query(sql`
    update line_rules set state = ${state}, undo_proposed_by = ${undo?.proposedBy ?? null},
      undo_proposed_at = ${undo?.proposedAt ?? null}, undo_approved_by = ${undo?.approvedBy ?? null},
      undo_reason = ${undo?.reason ?? null}, mark = ${mark}
    where id = ${rule.id}`)
  return after
}

/** The caller has locked it. */
export async function countBooked(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update line_rules set booked = booked + 1 where id = ${id}`)
}
