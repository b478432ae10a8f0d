import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { LineDecision, StoredLine } from '../../statements/index.ts'
import { decideLines, listLines, lockLine, moveCorrections } from '../../statements/index.ts'
import { recordDecision } from '../decisions/record-decision.ts'
import { decisionsOf } from '../decisions/store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

/**
 * A person's decision on a line that repeats a known number. `new_money`: another payment, judged like any
 * line. `same_money`: the first line is kept, this one books nothing. `replaces`: this one replaces the first.
 */
export type Correction = 'new_money' | 'same_money' | 'replaces'

export async function decideCorrection(
  app: Deps,
  actor: Actor,
  lineId: string,
  found: Correction,
): Promise<StoredLine> {
  return authorized(app, actor, async (tx) => {
    // A decision that the line is not separate money can be reversed.
    const line = await lockIn(tx, lineId, ['needs_review', 'dismissed'])
    if (line.correctsLineId === null && !(isSecondDebit(line) && found !== 'replaces'))
      throw new Refusal('INVALID_STATE', 'The line is not a suspected correction.')
    if (found === 'replaces' && line.correctsLineId !== null) {
      await dismissFirst(app, tx, line.correctsLineId, actor)
      await moveCorrections(tx, line.correctsLineId, line.id)
    }
    const next = found === 'same_money' ? ('dismissed' as const) : ('new' as const)
    return move(app, tx, line, next, found, actor)
  })
}

/** The bank booked a payout's debit again under another date: the first is kept. Decided as new money, it is judged again. */
function isSecondDebit({ direction, state, reason }: StoredLine): boolean {
  return direction === 'debit' && reason === (state === 'needs_review' ? 'payout_line_twice' : 'same_money')
}

/** Returns a line that was replaced by mistake to the matcher. Must be decided by someone other than the person who replaced it. */
export async function restoreLine(app: Deps, actor: Actor, lineId: string): Promise<StoredLine> {
  return authorized(app, actor, async (tx) => {
    const line = await lockIn(tx, lineId, ['dismissed'])
    if (line.reason !== 'replaced')
      throw new Refusal('INVALID_STATE', 'The line was not replaced. See: vezne line correction')
    const replaced = (await decisionsOf(tx, [lineId])).findLast(({ why }) => why === 'replaced')
    if (replaced?.decidedBy === actorName(actor))
      throw new Refusal(
        'INVALID_STATE',
        `${replaced.decidedBy} has replaced the line; another person must bring it back.`,
      )
    return move(app, tx, line, 'new', 'restored', actor)
  })
}

/** Returns a line to the matcher after the cause of its failure was fixed. */
export async function retryLine(app: Deps, actor: Actor, lineId: string): Promise<StoredLine> {
  return authorized(app, actor, async (tx) => {
    const line = await lockIn(tx, lineId, ['needs_review'])
    if (line.reason === 'suspected_correction')
      throw new Refusal('INVALID_STATE', 'A suspected correction is decided with: vezne line correction')
    return move(app, tx, line, 'new', 'retry', actor)
  })
}

/** Retries every line that could not be booked. Returns how many. */
export async function retryAll(app: Deps, actor: Actor): Promise<number> {
  const lines = await authorized(app, actor, (tx) => listLines(tx, 'needs_review', null))
  const stuck = lines.filter(({ reason }) => reason === 'cannot_be_booked')
  for (const { id } of stuck) await retryLine(app, actor, id)
  return stuck.length
}

async function lockIn(tx: Tx, lineId: string, states: StoredLine['state'][]): Promise<StoredLine> {
  const line = await lockLine(tx, lineId)
  if (!line) throw new Refusal('NOT_FOUND', `There is no bank line ${lineId}.`)
  if (states.includes(line.state)) return line
  throw new Refusal(
    'INVALID_STATE',
    `The line is ${line.state} (${line.reason ?? 'not judged yet'}), not in needs_review.`,
  )
}

/** Only if the money is not attributed yet: dismissing a credited line would take money back from a merchant. */
async function dismissFirst(app: Deps, tx: Tx, firstId: string, actor: Actor): Promise<void> {
  const first = await lockLine(tx, firstId)
  if (!first) throw new Error(`Bank line ${firstId} is gone.`)
  if (first.state === 'suspense' && first.depositId === null) {
    await openAndPost(app, tx, [{ ...suspenseReversal(first), actor }])
  } else if (first.state !== 'needs_review') {
    throw new Refusal('INVALID_STATE', cannotBeReplaced(first))
  }
  await move(app, tx, first, 'dismissed', 'replaced', actor)
}

function cannotBeReplaced({ id, state, depositId }: StoredLine): string {
  if (state === 'suspense')
    return `The first line ${id} is held for deposit ${depositId}. Free it first: vezne line suspend ${id}`
  if (state === 'matched')
    return `The first line ${id} was credited already. If the bank still counts it, this one is --same-money or --new-money.`
  return `The first line ${id} is ${state}.`
}

async function move(
  app: Deps,
  tx: Tx,
  line: StoredLine,
  state: 'new' | 'dismissed',
  why: string,
  actor: Actor,
): Promise<StoredLine> {
  const change = { state, reason: state === 'new' ? null : why, merchantId: null, depositId: null }
  const decision: LineDecision = { id: line.id, from: line.state, ...change }
  await decideLines(tx, [decision], app.clock.now())
  await recordDecision(app, tx, line.id, { verdict: state, why, by: actor })
  return { ...line, ...change }
}
