import type { Log } from '../../../platform/log.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { RULES } from '../../../kernel/actor.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lineSubject, proposalAbout } from '../../people/index.ts'
import { isAside, runBatch } from '../../set-aside/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { waitingLines } from '../../statements/index.ts'
import type { JournalDeps, Plan } from '../journal/plan.ts'
import { planOf } from '../journal/plans.ts'
import { postPlanned } from '../journal/post-entry.ts'
import { entriesOfRule } from '../journal/store.ts'
import { takesTwo } from '../journal/takes-two.ts'
import type { Rule } from './rule.ts'
import { isOfOthers, isUntouched, readable, speaksOf } from './rule.ts'
import { countBooked, lockRule, rulesInForce, rulesToUndo } from './store.ts'

type Deps = JournalDeps & { log: Log }

const BATCH_SIZE = 500
/** Of a rule, in one run. */
const UNDONE_AT_ONCE = 100

/**
 * Rules that speak of the line by their words; where several do, none books it. One whose words contain those of the others is the
 * more exact: BSMV FAST MASRAFI says more than FAST MASRAFI.
 */
export function rulesFor(rules: Rule[], line: StoredLine): Rule[] {
  if (!isUntouched(line) || isOfOthers(line)) return []
  const read = readable(line)
  const all = rules.filter((rule) => speaksOf(rule, read))
  const exact = all.find((one) => all.every((other) => other === one || contains(one.words, other.words)))
  return exact ? [exact] : all
}

const contains = (words: string, others: string) => words !== others && ` ${words} `.includes(` ${others} `)

/**
 * Takes back what wrong rules have booked, and books what waits and one rule alone says. Reads all that waits with every run: few lines
 * do, and what a rule may not book, people decide.
 */
export async function applyRules(app: Deps): Promise<number> {
  let moved = 0
  for (const { id } of await rulesToUndo(app))
    for (const entryId of await entriesOfRule(app.db, id, UNDONE_AT_ONCE))
      if (await alone(app, entryId, (tx) => takeBack(app, tx, id, entryId))) moved += 1
  const rules = await rulesInForce(app)
  if (rules.length === 0) return moved
  for (let after = ''; ;) {
    const lines = await waitingLines(app.db, after, BATCH_SIZE)
    for (const line of lines) {
      const [rule, another] = rulesFor(rules, line)
      if (!rule || another || !mayBook(rule, line)) continue
      if (await alone(app, line.id, (tx) => bookByRule(app, tx, rule.id, line))) moved += 1
    }
    if (lines.length < BATCH_SIZE) return moved
    after = lines.at(-1)?.id ?? ''
  }
}

const mayBook = ({ state, books, maxAmount }: Rule, { amount }: StoredLine) =>
  state === 'active' && books && amount <= maxAmount

/** So that what the database refuses does not stop the others: it is set aside, and tried again. */
export async function alone(app: Deps, id: string, work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  const { done } = await runBatch<string, string>(app, {
    what: 'line',
    idOf: (one) => one,
    claim: async (tx, only) => only ?? ((await isAside(tx, 'line', id)) ? [] : [id]),
    work: async (tx) => ((await work(tx)) ? [id] : []),
  })
  return done.length > 0
}

async function bookByRule(app: Deps, tx: Tx, ruleId: string, line: StoredLine): Promise<boolean> {
  if ((await proposalAbout(app, tx, lineSubject(line.id))) !== null) return false
  const rule = await lockRule(app, tx, ruleId)
  if (rule?.state !== 'active') return false
  const { kind, reason, proposedBy, approvedAt: proposedAt, approvedBy } = rule
  const its = { id: app.ids.next(), kind, reverses: null, terms: { lineIds: [line.id] }, ruleId }
  if (!(await post(app, tx, { ...its, reason, proposedBy, proposedAt, approvedBy }))) return false
  await countBooked(tx, ruleId)
  return true
}

/** An entry of the rule, in a transaction of its own: all at once would lock the accounts of a day in any order. */
async function takeBack(app: Deps, tx: Tx, ruleId: string, reverses: string): Promise<boolean> {
  const rule = await lockRule(app, tx, ruleId)
  if (!rule?.undo) return false
  const its = { id: app.ids.next(), kind: 'reversal' as const, reverses, terms: { lineIds: [] }, ruleId: null }
  return post(app, tx, { ...its, ...rule.undo })
}

/** What the plan refuses, e.g. a debit that may be a payout's, waits for people, as does what takes two: nothing is written then. */
export async function post(
  app: Deps,
  tx: Tx,
  entry: Parameters<typeof postPlanned>[2],
  actor: Actor = RULES,
  may: (plan: Plan) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const plan = await planOf(app, tx, entry).catch(refusalIn)
  if (plan instanceof Refusal || !(await may(plan))) return false
  if (entry.approvedBy === null && (await takesTwo(app, tx, entry, plan))) return false
  await postPlanned(app, tx, entry, actor)
  return true
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return error
  throw error
}
