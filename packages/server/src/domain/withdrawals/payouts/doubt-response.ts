import type { Said } from '../../../platform/refusal.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { FindAnswer } from '../../connections/index.ts'
import { debitsThatMayBe, linesNaming } from '../../statements/index.ts'
import type { StateReason } from '../withdrawal.ts'
import { callsOf } from '../bank-calls/store.ts'
import type { Payout } from './payout.ts'
import { DIFFERS, NAMED, SIMILAR } from './payout.ts'
import { selectDoubtDecisions } from './doubt-decisions/store.ts'

type Doubt = { why: Said; stateReason: StateReason | null }

/**
 * The statement and earlier responses come from the bank too. If they contradict its *never seen* or *rejected*, the payout is
 * neither sent again nor given back: two people decide.
 */
export async function doubtResponse(
  tx: Tx,
  payout: Payout,
  kind: 'submit' | 'find',
  { outcome }: FindAnswer,
): Promise<Doubt | null> {
  if (outcome !== 'never_seen' && outcome !== 'rejected') return null
  const isNeverSeen = outcome === 'never_seen'
  if (isNeverSeen && payout.reason === DIFFERS) return { why: note('doubt_differs'), stateReason: DIFFERS }
  const naming = await linesNaming(tx, payout.withdrawalId)
  if (naming.length > 0) return { why: note('doubt_on_statement', { lines: naming }), stateReason: NAMED }
  // A debit that was read before the first sending is not its own.
  const similar = kind === 'find' ? await debitsThatMayBe(tx, payout) : []
  if (similar.length > 0) return { why: note('doubt_on_statement', { lines: similar }), stateReason: SIMILAR }
  // Also if the finding was taken back, a word that may be forged: two people end it, and nothing is sent again by itself.
  const said = (await selectDoubtDecisions(tx, payout)).filter(({ submits }) => submits === payout.submits)
  // Says nothing of what was found: the second person reads it too.
  if (said.some(({ verdict }) => verdict === 'found')) return { why: note('doubt_people_look'), stateReason: null }
  const calls = await callsOf(tx, payout.merchantId, payout.withdrawalId)
  if (calls.some((call) => call.outcome === 'contradictory')) return { why: note('doubt_had_order'), stateReason: null }
  // A pending order may be refused later; it cannot become one that was never seen.
  const wasPending = isNeverSeen && calls.some((call) => call.outcome === 'pending')
  return wasPending ? { why: note('doubt_was_pending'), stateReason: null } : null
}
