import type { Marks } from '../../../platform/crypto/marks.ts'
import { actorName, MATCHER } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bookedOn, openAndPost, suspenseReceipt } from '../../ledger/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import { termsAt } from '../../merchants/index.ts'
import type { LineDecision, LineReason, StoredLine } from '../../statements/index.ts'
import { decideLines, lockHeldLines } from '../../statements/index.ts'
import type { Changes, Deposit, DepositFlag, DepositViews } from '../../deposits/index.ts'
import { changeDeposits } from '../../deposits/index.ts'
import type { DecisionRow } from '../decisions/store.ts'
import { insertDecisions } from '../decisions/store.ts'
import type { Decision } from './decide-match.ts'
import { depositFee, depositSettlement, fromBank, fromSuspense } from './deposit-settlement.ts'

/** The planned decision on a line; `deposits` are the locked ones that its text names. */
export type Planned = { line: StoredLine; decision: Decision; deposits: Deposit[] }

type Deps = { clock: Clock; ids: Ids; views: DepositViews; marks: Marks }

/** Applies decisions to deposits, lines and ledger, and records them, in the caller's transaction. */
export async function applyMatches(
  app: Deps,
  tx: Tx,
  plan: Planned[],
  merchants: Map<string, Merchant>,
): Promise<void> {
  if (plan.length === 0) return
  const now = app.clock.now()
  const held = await heldBefore(tx, plan)
  const changes = plan.flatMap((planned) => depositChange(planned, merchants))
  const changed = new Map((await changeDeposits(app, tx, changes)).map((deposit) => [deposit.id, deposit]))
  const entries = plan.flatMap(({ line, decision }) => entryOf(line, decision, changed, held))
  const completed = plan.flatMap(({ decision }) => (decision.verdict === 'complete' ? decision.candidate : []))
  const released = completed.flatMap(({ id }) => held.get(id) ?? [])
  const freed = completed.flatMap((deposit) => {
    return (held.get(deposit.id) ?? []).map((line) => matchedTo(line, deposit, 'rest_arrived'))
  })
  await decideLines(tx, [...plan.map(({ line, decision }) => lineDecision(line, decision)), ...freed], now)
  await insertDecisions(
    tx,
    [...plan.map(({ line, decision }) => decisionRow(line, decision)), ...released.map(releaseRow)],
    now,
  )
  await openAndPost(app, tx, entries)
}

/** Lines already in suspense for deposits that are now complete, by deposit. */
async function heldBefore(tx: Tx, plan: Planned[]): Promise<Map<string, StoredLine[]>> {
  const parts = plan.flatMap(({ decision }) => {
    return decision.verdict === 'complete' && decision.candidate.receivedAmount > 0n ? [decision.candidate] : []
  })
  if (parts.length === 0) return new Map()
  const lines = await lockHeldLines(
    tx,
    parts.map(({ merchantId }) => merchantId),
    parts.map(({ id }) => id),
  )
  return Map.groupBy(lines, ({ depositId }) => depositId ?? '')
}

function depositChange(
  { line, decision, deposits }: Planned,
  merchants: Map<string, Merchant>,
): { deposit: Deposit; changes: Changes }[] {
  if (decision.verdict === 'suspense' && decision.duplicateOf) {
    const deposit = deposits.find(({ id }) => id === decision.duplicateOf?.id)
    if (!deposit) return []
    const flags: DepositFlag[] = [...new Set<DepositFlag>([...deposit.flags, 'duplicate'])]
    return [{ deposit, changes: { flags, duplicateAmount: deposit.duplicateAmount + line.amount } }]
  }
  if (decision.verdict !== 'complete' && decision.verdict !== 'hold') return []
  const deposit = deposits.find(({ id }) => id === decision.candidate.id)
  const merchant = merchants.get(decision.candidate.merchantId)
  if (!deposit || !merchant) throw new Error('A decision names a deposit that was not locked.')
  const { receivedAmount, flags } = decision
  const changes: Changes =
    decision.verdict === 'complete'
      ? {
          status: 'completed',
          receivedAmount,
          flags,
          reason: null,
          fee: depositFee(receivedAmount, termsAt(merchant.fees, deposit.createdAt).deposit),
        }
      : { status: 'processing', receivedAmount, flags, reason: decision.why }
  return [{ deposit, changes }]
}

function entryOf(
  line: StoredLine,
  decision: Decision,
  changed: Map<string, Deposit>,
  held: Map<string, StoredLine[]>,
): NewEntry[] {
  if (decision.verdict === 'needs_review') return []
  if (decision.verdict !== 'complete') return [suspenseReceipt(line)]
  const deposit = changed.get(decision.candidate.id)
  if (!deposit) throw new Error('A completed deposit was not changed.')
  const funds = [...(held.get(deposit.id) ?? []).map(fromSuspense), fromBank(line)]
  return [depositSettlement(deposit, funds, { effectiveOn: bookedOn(line) })]
}

function lineDecision(line: StoredLine, decision: Decision): LineDecision {
  const base = { id: line.id, from: line.state }
  if (decision.verdict === 'complete') return matchedTo(line, decision.candidate, decision.why)
  const state = decision.verdict === 'needs_review' ? 'needs_review' : 'suspense'
  return { ...base, state, reason: decision.why, deposit: decision.verdict === 'hold' ? decision.candidate : null }
}

function matchedTo(line: StoredLine, deposit: LineDecision['deposit'], why: LineReason): LineDecision {
  return { id: line.id, from: line.state, state: 'matched', reason: why, deposit }
}

function decisionRow(line: StoredLine, decision: Decision): DecisionRow {
  const chosen = 'candidate' in decision ? decision : null
  return {
    lineId: line.id,
    verdict: decision.verdict,
    why: decision.why,
    merchantId: chosen?.candidate.merchantId ?? null,
    depositId: chosen?.candidate.id ?? null,
    reasons: chosen?.reasons ?? [],
    suggestions:
      decision.verdict === 'suspense' && decision.duplicateOf ? [{ depositId: decision.duplicateOf.id }] : [],
    decidedBy: actorName(MATCHER),
  }
}

/** A line that was held and is credited now, because the rest has arrived. */
function releaseRow({ id, merchantId, depositId }: StoredLine): DecisionRow {
  const row = {
    verdict: 'complete' as const,
    why: 'rest_arrived' as const,
    reasons: [],
    decidedBy: actorName(MATCHER),
  }
  return { lineId: id, merchantId, depositId, ...row }
}
