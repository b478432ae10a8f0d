import type { Marks } from '../../../platform/crypto/marks.ts'
import { partByMark } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Rule } from './rule.ts'

type Row = Rule & { mark: string }
type Deps = { db: Queryable; marks: Marks }

const nameOf = ({ id }: Rule) => ownerOf('line_rules', [id])

const saidOf = ({ id: _, ...rule }: Rule) => rule

/** Those that the service has written, and the others, which count for nothing. `rest` follows the table. */
async function select({ db, marks }: Deps, rest: Sql) {
  const rows = await db.query<Row>(sql`
    select r.id, r.kind, r.direction, r.account_id as "accountId", r.words, r.max_amount as "maxAmount", r.books, r.reason,
      r.proposed_by as "proposedBy", r.approved_by as "approvedBy", r.approved_at as "approvedAt", r.state, r.mark
    from line_rules r ${rest}`)
  return partByMark(marks, rows, ({ mark, ...rule }) => ({ name: nameOf(rule), says: saidOf(rule), mark }))
}

const withoutMark = ({ mark: _, ...rule }: Row): Rule => rule

/** Newest first. */
export async function listRules(app: Deps): Promise<Rule[]> {
  return (await select(app, sql`order by r.id desc`)).genuine.map(withoutMark)
}

export async function activeRules(app: Deps): Promise<Rule[]> {
  return (await select(app, sql`where r.state = 'active' order by r.id`)).genuine.map(withoutMark)
}

export async function forgedRules(app: Deps): Promise<string[]> {
  return (await select(app, sql`where r.state <> 'ended' order by r.id`)).forged.map(({ id }) => id)
}

export async function lockRule({ marks }: Pick<Deps, 'marks'>, tx: Tx, id: string): Promise<Rule | undefined> {
  return (await select({ db: tx, marks }, sql`where r.id = ${id} for update`)).genuine.map(withoutMark)[0]
}

export async function findRule(app: Deps, id: string): Promise<Rule | undefined> {
  return (await select(app, sql`where r.id = ${id}`)).genuine.map(withoutMark)[0]
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
export async function updateRuleState(
  { marks }: Pick<Deps, 'marks'>,
  tx: Tx,
  rule: Rule,
  state: Rule['state'],
): Promise<Rule> {
  const after = { ...rule, state }
  const mark = await marks.of(nameOf(after), saidOf(after))
  await tx.query(sql`update line_rules set state = ${state}, mark = ${mark} where id = ${rule.id}`)
  return after
}
