import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { timeOfId } from '../../../platform/crypto/ids.ts'
import { MATCHER } from '../../../kernel/actor.ts'
import { accountsByIban } from '../../banks/index.ts'
import { bookedOn, openAndPost, suspenseReceipt } from '../../ledger/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { LineReason, PayoutLineDecision, StoredLine } from '../../statements/index.ts'
import {
  claimNewLines,
  decidePayoutLine,
  isMirrored,
  leaveToDeposits,
  lockLinesAbout,
  payoutReferences,
  selectLinesNaming,
} from '../../statements/index.ts'
import { recordAssigned, recordDecision, recordFailure } from '../decisions/record-decision.ts'
import { judgePayoutLine } from './judge-payout-line.ts'
import type { Payout, SendingDeps, WithdrawalViews } from '../../withdrawals/index.ts'
import {
  doubtPayout,
  assignLine,
  lockAccountsOf,
  returnPayout,
  settlePayout,
  isWaiting,
  isOpen,
  lockPayout,
  markIfLost,
  selectPayoutsById,
  selectExisting,
  insertCall,
} from '../../withdrawals/index.ts'
import { findDepositById } from '../../deposits/index.ts'

type Deps = SendingDeps & { ids: Ids; views: WithdrawalViews }

/**
 * The statement is authoritative: money that left settles a payout whatever the bank responded; money
 * that came back returns it, each once. One line per transaction. Returns how many were decided.
 */
export async function matchPayoutLines(app: Deps): Promise<number> {
  const { moved } = await runBatch<StoredLine, StoredLine>(app, {
    what: 'line',
    idOf: ({ id }) => id,
    claim: (tx, only) => claimNewLines(tx, true, 1, only),
    async work(tx, lines) {
      for (const line of lines) await matchLine(app, tx, line)
      return lines
    },
    mark: (tx, line, error) => setAside(app, tx, line, error),
    marksEnd: true,
  })
  return moved
}

async function matchLine(app: Deps, tx: Tx, line: StoredLine): Promise<void> {
  const references = payoutReferences(line.narrative)
  const named = await selectPayoutsById(tx, references)
  const [only, another] = named
  if (only && !another) await judge(app, tx, line, only)
  else if (only) await leaveForPeople(app, tx, line, 'payout_ambiguous', named)
  else if (line.direction === 'credit') await leaveToDeposits(tx, line.id)
  else await leaveOutgoing(app, tx, line, references)
}

/** A named withdrawal without a payout is stored with the line: its payout gets an unknown outcome when it is due to be sent. */
async function leaveOutgoing(app: Deps, tx: Tx, line: StoredLine, references: string[]): Promise<void> {
  const [candidateWithdrawalId = null, another] = await selectExisting(tx, references)
  const reason: LineReason = another === undefined ? 'outgoing' : 'payout_ambiguous'
  await leave(app, tx, line, { state: 'needs_review', reason, payout: null, candidateWithdrawalId })
  const [, reference] = OUR_TEXT.exec(line.narrative) ?? []
  if (reference === undefined || candidateWithdrawalId !== null) return
  const id = reference.toLowerCase()
  // People write the id of a deposit that they give back.
  if (!(await findDepositById(tx, id))) await markIfLost(app, tx, id, timeOfId(id))
}

/** The text that `payoutFor` gives a payout. */
const OUR_TEXT = /\b(?:para cekme|iade) ([0-9a-f]{24})\b/i

/** A line that cannot be booked because of its own data must not block the lines after it. Nothing of it is booked. */
async function setAside(app: Deps, tx: Tx, line: StoredLine, error: Error): Promise<void> {
  const [named] = await selectPayoutsById(tx, payoutReferences(line.narrative))
  const candidateWithdrawalId = named?.withdrawalId ?? null
  const aside = {
    state: 'needs_review' as const,
    reason: 'cannot_be_booked' as const,
    payout: null,
    candidateWithdrawalId,
  }
  await decidePayoutLine(tx, line, aside, app.clock.now())
  await recordFailure(app, tx, line.id, error)
}

/** It belongs to no payout; a person decides. */
async function leave(app: Deps, tx: Tx, line: StoredLine, decision: PayoutLineDecision): Promise<void> {
  await decidePayoutLine(tx, line, decision, app.clock.now())
  const { state: verdict, reason: why, candidateWithdrawalId: id } = decision
  const reasons = id === null ? [] : [{ field: 'withdrawal', verdict: id }]
  await recordDecision(app, tx, line.id, { verdict, why, by: MATCHER, reasons })
}

function recordMatched(app: Deps, tx: Tx, { withdrawalId }: Payout, lines: StoredLine[], why: LineReason) {
  return recordAssigned(app, tx, lines, { why, by: MATCHER, withdrawalId })
}

async function judge(app: Deps, tx: Tx, line: StoredLine, named: Payout): Promise<void> {
  const payout = (await lockPayout(tx, named.merchantId, named.withdrawalId)) as Payout
  const others = await lockLinesAbout(tx, payout.withdrawalId)
  const ownIbans = new Set((await accountsByIban(tx)).keys())
  const isSent = others.some((other) => other.direction === 'debit' && other.withdrawalId === payout.withdrawalId)
  const waiting = others.find(isWaiting)
  const unread = line.direction === 'credit' || waiting ? await newDebits(tx, line, payout) : []
  const verdict = judgePayoutLine(line, payout, isSent ? [...others, ...unread] : others, ownIbans)
  switch (verdict) {
    case 'payout_sent':
      return send(app, tx, payout, line, unread.length > 0 ? undefined : waiting)
    case 'payout_returned':
      await recordLine(app, tx, payout, line)
      // Already booked if the bank itself has reported it.
      if (payout.state === 'returned') await assignLine(app, tx, payout, line, verdict)
      else await returnPayout(app, tx, payout, line)
      return recordMatched(app, tx, payout, [line], verdict)
    case 'cancels': {
      await recordLine(app, tx, payout, line)
      const both = [line, waiting as StoredLine]
      for (const one of both) await assignLine(app, tx, payout, one, 'payout_taken_back')
      return recordMatched(app, tx, payout, both, 'payout_taken_back')
    }
    default:
      await leaveForPeople(app, tx, line, verdict, [payout])
  }
}

const ENOUGH = 20

/** Other debits that name the payout and come after this line: what came back may be theirs. */
async function newDebits(tx: Tx, line: StoredLine, { withdrawalId }: Payout): Promise<StoredLine[]> {
  const naming = await selectLinesNaming(tx, withdrawalId, ENOUGH)
  return naming.filter(({ id, direction, state }) => direction === 'debit' && state === 'new' && id !== line.id)
}

/** The money has left. If it also came back, on a line read before this one, the payout is returned too. */
async function send(
  app: Deps,
  tx: Tx,
  payout: Payout,
  line: StoredLine,
  waiting: StoredLine | undefined,
): Promise<void> {
  // Two bookings in one transaction: lock their accounts together, in order.
  if (waiting) await lockAccountsOf(tx, payout, waiting)
  await recordLine(app, tx, payout, line)
  const booked = { effectiveOn: bookedOn(line) }
  const sent = isOpen(payout) ? await settlePayout(app, tx, payout, line.bankReference ?? '', booked) : payout
  await assignLine(app, tx, payout, line, 'payout_sent')
  await recordMatched(app, tx, payout, [line], 'payout_sent')
  // A person assigned another line as the return: this one stays where it is.
  if (!waiting || payout.state === 'returned' || isMirrored(waiting, line)) return
  await recordLine(app, tx, payout, waiting)
  await returnPayout(app, tx, sent, waiting)
  await recordMatched(app, tx, payout, [waiting], 'payout_returned')
}

function recordLine(app: Deps, tx: Tx, payout: Payout, { direction, bankReference }: StoredLine): Promise<void> {
  return insertCall(tx, payout, { kind: 'line', outcome: direction, detail: bankReference }, app.clock.now())
}

/**
 * Outgoing money needs review, and the outcome of the payouts it names is unknown; incoming money goes
 * into suspense for manual matching.
 */
async function leaveForPeople(app: Deps, tx: Tx, line: StoredLine, reason: LineReason, named: Payout[]): Promise<void> {
  // Lines arrive in any order: a return before its debit is no error yet.
  if (reason !== 'payout_no_debit')
    app.log.error({ lineId: line.id, reason }, 'a bank line about a payout does not fit; a person must look')
  const incoming = line.direction === 'credit'
  const state = incoming ? ('suspense' as const) : ('needs_review' as const)
  const candidateWithdrawalId = named[0]?.withdrawalId ?? null
  await leave(app, tx, line, { state, reason, payout: null, candidateWithdrawalId })
  if (incoming) return openAndPost(app, tx, [suspenseReceipt(line)])
  for (const { merchantId, withdrawalId } of named) {
    const payout = (await lockPayout(tx, merchantId, withdrawalId)) as Payout
    if (!isOpen(payout)) continue
    await recordLine(app, tx, payout, line)
    await doubtPayout(app, tx, payout)
  }
}
