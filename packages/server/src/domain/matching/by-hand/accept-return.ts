import { note } from '../../../kernel/refusals/note.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { matchLimit, merchantInForce } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { LineReason, StoredLine } from '../../statements/index.ts'
import { findLine, lockLine, lockLinesAbout } from '../../statements/index.ts'
import type { Payout, WithdrawalViews } from '../../withdrawals/index.ts'
import { notKnownToHaveLeft } from './accept-debit.ts'
import { recordAssigned } from '../decisions/record-decision.ts'
import {
  assignLine,
  returnPayout,
  isWaiting,
  lockPayout,
  findPayout,
  wasNotSent,
  mustBeDebitedOnce,
  showsReturnOf,
  insertCall,
} from '../../withdrawals/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

/**
 * `credited`: to the merchant. `reopened`: what the payout had refunded is in suspense again. `noted`: the bank had reported it before.
 * `cancelled`: together with the debit of a refused payout.
 */
export type ReturnOutcome = 'credited' | 'reopened' | 'noted' | 'cancelled'

/** A person identifies money in suspense as the return of this payout, whatever text, sender and account the bank shows. */
export async function returnByHand(
  app: Deps,
  actor: Actor,
  lineId: string,
  withdrawalId: string,
): Promise<ReturnOutcome> {
  return authorized(app, actor, 'line.return', async (tx, audit) => {
    const known = await findPayout(tx, withdrawalId)
    if (!known) throw refuse('payout_unknown', { withdrawal: withdrawalId })
    // A new line belongs to the matcher, which locks lines before payouts; locking one here could deadlock.
    mustBeHeld(await findLine(tx, lineId), lineId)
    const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
    const others = await lockLinesAbout(tx, withdrawalId)
    const line = mustBeHeld(await lockLine(tx, lineId), lineId)
    mustBeDebitedOnce(payout, others, [line])
    mustEqual(line, payout)
    await mustShowReturn(app, tx, line, payout)
    if (others.some((other) => other.direction === 'credit' && other.withdrawalId === withdrawalId))
      throw refuse('return_has_line', { line: lineId, withdrawal: withdrawalId })
    const detail = note('call_person_line', { person: actorName(actor), line: line.id })
    await insertCall(tx, payout, { kind: 'person', outcome: 'returned', detail }, app.clock.now())
    const outcome = await book(app, tx, payout, line, others, actor)
    await audit(`line:${lineId}`, { before: { state: line.state }, after: { withdrawalId, outcome } })
    return outcome
  })
}

async function book(
  app: Deps,
  tx: Tx,
  payout: Payout,
  line: StoredLine,
  others: StoredLine[],
  actor: Actor,
): Promise<ReturnOutcome> {
  const cause = { actor }
  const note = (why: LineReason, lines: StoredLine[]) =>
    recordAssigned(app, tx, lines, { why, by: actor, withdrawalId: payout.withdrawalId })
  if (payout.state === 'sent') {
    await returnPayout(app, tx, payout, line, cause)
    await note('payout_returned', [line])
    return payout.merchantId === NO_MERCHANT ? 'reopened' : 'credited'
  }
  if (payout.state === 'returned' && !wasNotSent(payout)) {
    await assignLine(app, tx, payout, line, 'payout_returned', cause)
    await note('payout_returned', [line])
    return 'noted'
  }
  const debit = others.find((other) => other.direction === 'debit' && isWaiting(other))
  if (wasNotSent(payout) && debit) {
    for (const one of [line, debit]) await assignLine(app, tx, payout, one, 'payout_taken_back', cause)
    await note('payout_taken_back', [line, debit])
    return 'cancelled'
  }
  throw wasNotSent(payout) ? notSent(line, payout, others) : notKnownToHaveLeft(payout)
}

/** A debit may be booked as owed, and its merchant charged. */
function notSent({ id: line }: StoredLine, { withdrawalId: withdrawal }: Payout, others: StoredLine[]): Refusal {
  const debit = others.find(({ direction }) => direction === 'debit')
  if (!debit) return refuse('return_without_debit', { line, withdrawal })
  const { id, state, reason } = debit
  return refuse('return_debit_explained', { line, withdrawal, debit: id, state, reason })
}

function mustBeHeld(line: StoredLine | undefined, id: string): StoredLine {
  if (!line) throw refuse('line_unknown', { line: id })
  const { state, reason, depositId } = line
  if (state !== 'suspense') throw refuse('line_not_in_state', { line: id, state, reason, needed: ['suspense'] })
  if (depositId !== null) throw refuse('line_held', { line: id, deposit: depositId })
  return line
}

/** As a match: one person is enough if the line shows what it is, or below the limit. A refund of unexplained money has no limit. */
async function mustShowReturn(app: Deps, tx: Tx, line: StoredLine, payout: Payout): Promise<void> {
  const { merchantId, withdrawalId } = payout
  if (showsReturnOf(line, payout)) return
  const merchant = merchantId === NO_MERCHANT ? null : await merchantInForce({ db: tx, marks: app.marks }, merchantId)
  const limit = merchant ? matchLimit(merchant.matching, app) : 0n
  if (limit === null || line.amount < limit) return
  throw refuse('return_by_amount_only', { line: line.id, withdrawal: withdrawalId })
}

function mustEqual(line: StoredLine, payout: Payout): void {
  if (line.currency === payout.currency && line.amount === payout.amount) return
  const [came, left] = [money(line.amount, line.currency), money(payout.amount, payout.currency)]
  throw refuse('return_amount_differs', { line: line.id, withdrawal: payout.withdrawalId, came, left })
}
