import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { authorizedByName, lockEntitled, mustBeOfPerson } from '../../people/index.ts'
import type { JournalEntry, Seen } from './journal-entry.ts'
import { readDetails, wordOf, writeDetails } from './journal-entry.ts'
import type { JournalDeps, Plan } from './plan.ts'
import { seenOf } from './plan.ts'
import { PLANS } from './plans.ts'
import { postPlan } from './post-plan.ts'
import { lockEntry, updateDecided, updateReversed } from './store.ts'

/** The second person approves exactly what was proposed: if anything of it has changed since, nothing is booked. */
export async function approveEntry(app: JournalDeps, actor: Actor, id: string): Promise<JournalEntry> {
  return authorizedByName(app, actor, 'journal.approve', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    await mustBeAnother(app, tx, entry, actor)
    await mustBeOfPerson(app, tx, wordOf(entry))
    const plan = await planAgain(app, tx, entry)
    mustBeAsSeen(entry, plan)
    const decided = { state: 'posted' as const, decidedBy: actorName(actor), note: null }
    await updateDecided(tx, id, decided, app.clock.now())
    if (entry.reverses !== null) await updateReversed(tx, entry.reverses, app.clock.now())
    await postPlan(app, tx, entry, plan, actor)
    await audit(`journal:${id}`, { before: { state: entry.state }, after: { state: 'posted', kind: entry.kind } })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  }).catch(explainOpening)
}

/** Anyone may reject a proposal, also who made it. */
export async function rejectEntry(app: JournalDeps, actor: Actor, id: string, why: string): Promise<JournalEntry> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'journal.reject', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    const decided = { state: 'rejected' as const, decidedBy: actorName(actor), note: why }
    await updateDecided(tx, id, decided, app.clock.now())
    await audit(`journal:${id}`, {
      before: { state: entry.state },
      after: { state: 'rejected' },
      reason: 'see journal_entries',
    })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  })
}

/** Who made a proposal takes it back; any other person rejects it. */
export async function withdrawEntry(app: JournalDeps, actor: Actor, id: string, why: string): Promise<JournalEntry> {
  mustGiveReason('why', why)
  return authorizedByName(app, actor, 'journal.reject', async (tx, audit) => {
    const entry = await lockOpen(tx, id)
    if (entry.proposedBy !== actorName(actor))
      throw new Refusal('INVALID_STATE', `Only ${entry.proposedBy} can take it back. Another person rejects it.`)
    const decided = { state: 'withdrawn' as const, decidedBy: actorName(actor), note: why }
    await updateDecided(tx, id, decided, app.clock.now())
    await audit(`journal:${id}`, {
      before: { state: entry.state },
      after: { state: 'withdrawn' },
      reason: 'see journal_entries',
    })
    return { ...entry, ...decided, decidedAt: app.clock.now() }
  })
}

async function lockOpen(tx: Tx, id: string): Promise<JournalEntry> {
  const entry = await lockEntry(tx, id)
  if (!entry) throw new Refusal('NOT_FOUND', `There is no journal entry ${id}. See: vezne journal list`)
  if (entry.state !== 'proposed')
    throw new Refusal('INVALID_STATE', `The entry was ${entry.state} by ${entry.decidedBy} already.`)
  return entry
}

async function mustBeAnother(app: JournalDeps, tx: Tx, entry: JournalEntry, actor: Actor): Promise<void> {
  const { proposedBy } = entry
  if (actorName(actor) === proposedBy)
    throw new Refusal('INVALID_STATE', `${proposedBy} has proposed it; another person must approve it.`)
  if ((await lockEntitled(app, tx, [proposedBy], 'journal.propose')).has(proposedBy)) return
  throw new Refusal(
    'INVALID_STATE',
    `${proposedBy}, who proposed it, may not decide any more. Reject it and let two others decide: ${rejectCommand(entry)}`,
  )
}

/** What it is about may have become something for which it cannot be posted any more. */
async function planAgain(app: JournalDeps, tx: Tx, entry: JournalEntry): Promise<Plan> {
  try {
    return await PLANS[entry.kind](app, tx, { ...entry, terms: entry.details.terms })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const said = error.message.replace(/\.?$/, '.')
    throw new Refusal(error.code, `${said} If that stays so, reject it: ${rejectCommand(entry)}`, { cause: error })
  }
}

const rejectCommand = ({ id }: JournalEntry) => `vezne journal reject ${id} --why TEXT --as NAME`

function mustBeAsSeen(entry: JournalEntry, plan: Plan): void {
  const { details } = entry
  const now = readDetails(JSON.parse(writeDetails({ ...details, seen: seenOf(plan) }))).seen
  const changed = changesSince(details.seen, now)
  if (changed.length === 0) return
  throw new Refusal(
    'INVALID_STATE',
    `It is not as it was proposed any more: ${changed.join('; ')}. Propose it again, and reject this one: ${rejectCommand(entry)}`,
  )
}

function changesSince(before: Seen, now: Seen): string[] {
  const lines = before.lines.flatMap((line) => {
    const found = now.lines.find(({ id }) => id === line.id)
    if (isDeepStrictEqual(found, line)) return []
    return [
      `line ${line.id} was ${line.state} (${line.reason}) and is ${found?.state ?? 'gone'} (${found?.reason ?? ''})`,
    ]
  })
  const deposits = before.deposits.flatMap((deposit) => {
    const found = now.deposits.find(({ id }) => id === deposit.id)
    if (isDeepStrictEqual(found, deposit)) return []
    return [`deposit ${deposit.id} was ${deposit.status} and is ${found?.status ?? 'gone'}, or has changed since`]
  })
  const payout =
    before.payoutState === now.payoutState
      ? []
      : [`payout ${before.payout} was ${before.payoutState} and is ${now.payoutState}`]
  const others = isDeepStrictEqual(before, now) ? [] : ['other bookings follow from it']
  const named = [...lines, ...deposits, ...payout]
  return named.length > 0 ? named : others
}

function explainOpening(error: unknown): never {
  if ((error as { constraint?: string }).constraint !== 'journal_entries_one_opening') throw error
  throw new Refusal(
    'INVALID_STATE',
    'The account has an opening balance already. Take it back first: vezne journal reverse',
  )
}
