import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { businessDaysAgo } from '../../banks/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorizedByName } from '../../people/index.ts'
import { linesThatMayBe } from '../../statements/index.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import { insertCall } from '../bank-calls/store.ts'
import type { Undecided } from './decide-doubt.ts'
import { auditVerdict, mustNotAwaitFetch, recordOpinion, unsent } from './decide-doubt.ts'
import { lockKnown } from './take-to-send.ts'
import { returnPayout } from './finish-payout.ts'
import type { Payout } from './payout.ts'
import { NEVER_PAID, PAID_WITHOUT_DEBIT, wasNotSent } from './payout.ts'
import { selectDebit, updateReason } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; banks: BankDirectory; views: WithdrawalViews }
type Said = { verdict: 'never_paid' | 'paid'; evidence: string }

/** An evening EFT is on the next business day's statement; banks that send files need one more day. */
export const OVERDUE_BUSINESS_DAYS = 2

/**
 * Two people decide about a completed payout that no debit shows. `never_paid`: the bank did not send it after all, and
 * the merchant gets the money back as for a return. `paid`: it was sent, and the bank shows no debit of its own.
 */
export async function decideEnded(
  app: Deps,
  actor: Actor,
  withdrawalId: string,
  { verdict, evidence }: Said,
): Promise<Undecided | 'returned' | 'paid'> {
  mustGiveReason('evidence', evidence, 'evidence_missing')
  const overdue = businessDaysAgo(app.clock.now(), OVERDUE_BUSINESS_DAYS, await app.banks.holidays())
  return authorizedByName(app, actor, 'payout.decide', async (tx, audit) => {
    const payout = await lockKnown(tx, withdrawalId)
    mustBeCompleted(payout, verdict)
    await mustLackDebit(tx, payout, overdue)
    if (verdict === 'never_paid') await mustNotAwaitFetch(tx, payout)
    const decision = { verdict, evidence, operator: actorName(actor) }
    const { isAgreed, waits, before, number } = await recordOpinion(app, tx, payout, decision)
    await auditVerdict(audit, payout, { before, verdict, isAgreed, number })
    if (!isAgreed) return waits
    await insertCall(tx, payout, { kind: 'person', outcome: verdict, detail: evidence }, app.clock.now())
    if (verdict === 'never_paid') await returnPayout(app, tx, payout, undefined, { actor }, NEVER_PAID)
    else await updateReason(tx, payout, PAID_WITHOUT_DEBIT)
    return verdict === 'never_paid' ? 'returned' : 'paid'
  })
}

/** One that came back may have been paid without a debit too. */
function mustBeCompleted(payout: Payout, verdict: Said['verdict']): void {
  const { state } = payout
  if (state === 'sent' || (verdict === 'paid' && state === 'returned' && !wasNotSent(payout))) return
  throw wasNotSent(payout) ? unsent(payout) : refuse('payout_not_accepted', { state })
}

/** A line that is read after this is judged by the matcher, which waits for the payout's lock. */
async function mustLackDebit(tx: Tx, payout: Payout, overdue: Date): Promise<void> {
  const { debitLineId = null, completedAt = overdue } = (await selectDebit(tx, payout)) ?? {}
  if (debitLineId !== null) throw refuse('payout_debit_known', { line: debitLineId })
  if (completedAt >= overdue) throw refuse('payout_debit_may_come', { completed: istanbul(completedAt).day })
  const [line] = await linesThatMayBe(tx, payout)
  if (!line) return
  const { id, isUnread } = line
  throw refuse('payout_line_unexplained', { line: id, isUnread, withdrawal: payout.withdrawalId })
}
