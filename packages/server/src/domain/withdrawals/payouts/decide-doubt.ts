import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import type { Audit, Authority } from '../../people/index.ts'
import { authorizedByName, entitledPeople, lockEntitled, markInPlace } from '../../people/index.ts'
import { UNFETCHED } from './batches/batch.ts'
import { canBeFetched } from './batches/order-folder.ts'
import { findLiveBatch } from './batches/store.ts'
import { failPayout, settlePayout } from './finish-payout.ts'
import type { Payout } from './payout.ts'
import { isOpen, wasNotSent } from './payout.ts'
import {
  areIndependent,
  awaitsThird,
  currentOpinions,
  hasSeen,
  isAboutEnded,
  isSameOpinion,
  isUndecided,
  opinionsDiffer,
} from './doubt-decisions/opinions.ts'
import type { DoubtDecision, DoubtRow } from './doubt-decisions/store.ts'
import { readWords, recordWord } from './doubt-words.ts'
import { mustBeTimely, mustBeUnnamed, notFoundRule } from './not-found-rule.ts'
import { isLeased } from './store.ts'
import { lockKnown, mustBeToSend, mustNotBeTaken } from './take-to-send.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import { insertCall } from '../bank-calls/store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; banks: BankDirectory; views: WithdrawalViews }

/**
 * `unproven`: not found, although neither the bank nor a statement shows it. `notLines`: lines that name it, and that the person
 * says are not of it.
 */
type Said = { verdict: 'found' | 'not_found'; evidence: string; unproven?: boolean; notLines?: readonly string[] }
/** `opinions differ`: another person must agree with one. A third is needed after one has changed to what it could see. */
export type Undecided =
  | 'waiting for a second person'
  | 'opinions differ'
  | 'waiting for a third person'
  | 'waiting for the other to confirm'

/**
 * Two people who agree (found, with the bank's reference, or not found, with evidence) end any open payout, even
 * one that no worker can claim. There is no "send again": after "not found" the merchant gets its money back.
 * Until then a person may say something else; the newest counts, but not with a person whose finding it could see.
 */
export async function decideDoubt(
  app: Deps,
  actor: Actor,
  withdrawalId: string,
  said: Said,
): Promise<Undecided | 'sent' | 'failed'> {
  const { verdict, unproven = false, notLines = [] } = said
  const decision = { verdict, evidence: said.evidence.trim(), operator: actorName(actor) }
  if (verdict === 'found') mustGiveReference(decision.evidence)
  else mustGiveReason('evidence', decision.evidence, 'evidence_missing')
  return authorizedByName(app, actor, 'payout.decide', async (tx, audit) => {
    const payout = await lockKnown(tx, withdrawalId)
    await mustBeFree(tx, payout)
    if (verdict === 'not_found') {
      await mustNotBeTaken(tx, payout, actor, app.clock.now())
      await mustNotAwaitFetch(tx, payout)
      mustBeTimely(await notFoundRule(app, tx, payout), unproven)
      await mustBeUnnamed(tx, payout, notLines)
    }
    const { isAgreed, waits, before, number } = await recordOpinion(app, tx, payout, decision)
    const confirmed = { ...(unproven && { unproven }), ...(notLines.length > 0 && { notLines }) }
    await auditVerdict(audit, payout, { before, verdict, isAgreed, number, ...confirmed })
    if (!isAgreed) return waits
    await insertCall(tx, payout, { kind: 'person', outcome: verdict, detail: decision.evidence }, app.clock.now())
    const cause = { actor }
    if (verdict === 'found') await settlePayout(app, tx, payout, decision.evidence, cause)
    else await failPayout(app, tx, payout, 'not_sent', cause)
    return verdict === 'found' ? 'sent' : 'failed'
  })
}

/** `before`: what the person said until now. Opinions of people who may not decide any more do not count. */
export async function recordOpinion(
  app: Pick<Deps, 'clock' | 'marks'>,
  tx: Tx,
  payout: Payout,
  decision: DoubtRow,
): Promise<{ isAgreed: boolean; waits: Undecided; before: string | null; number: number }> {
  const { said, stray } = await readWords(app, tx, payout)
  const doubted = new Set(stray.filter(({ submits }) => submits === payout.submits).map(({ operator }) => operator))
  if (doubted.has(decision.operator)) throw markInPlace()
  const earlier = currentOpinions(payout, said).filter((one) => isAboutEnded(one) === isAboutEnded(decision))
  const own = earlier.find(({ operator }) => operator === decision.operator)
  const others = earlier.filter((one) => one !== own && isUndecided(payout, one) && !doubted.has(one.operator))
  const names = [decision.operator, ...others.map(({ operator }) => operator)]
  const entitled = await lockEntitled(app, tx, names, 'payout.decide')
  const counted = others.filter(({ operator }) => entitled.has(operator))
  const agreeing = counted.filter((one) => isSameOpinion(one, decision))
  const asked = agreeing.length > 0 ? agreeing : counted
  const fresh = (await entitledPeople(app, tx, 'payout.decide')).some(
    (name) =>
      !doubted.has(name) && asked.some((one) => !hasSeen(said, { ...one, operator: name, number: Infinity }, one)),
  )
  const repeated = own && isSameOpinion(own, decision) ? own : null
  if (repeated) mustEndByRepeating(said, repeated, agreeing, fresh)
  const number = await recordWord(app, tx, payout, decision)
  const word = repeated ?? { ...decision, submits: payout.submits, number }
  const isAgreed = repeated !== null || agreeing.some((one) => areIndependent(said, one, word))
  return { isAgreed, waits: waitsFor([decision, ...counted], fresh), before: own?.verdict ?? null, number }
}

/** As the console shows it of the same opinions. */
function waitsFor(opinions: DoubtRow[], fresh: boolean): Undecided {
  if (awaitsThird(opinions)) return fresh ? 'waiting for a third person' : 'waiting for the other to confirm'
  return opinionsDiffer(opinions) ? 'opinions differ' : 'waiting for a second person'
}

/**
 * Who has said the same before ends it if that counts by now. Or by confirming it, knowing that the other has copied it, where no one is
 * left who has seen nothing.
 */
function mustEndByRepeating(
  said: DoubtDecision[],
  own: DoubtDecision,
  agreeing: DoubtDecision[],
  fresh: boolean,
): void {
  if (agreeing.some((one) => areIndependent(said, one, own))) return
  const saidAlready = (needs: 'second' | 'third' | 'first') =>
    refuse('opinion_given_already', { person: own.operator, needs })
  if (agreeing.length === 0) throw saidAlready('second')
  if (fresh) throw saidAlready('third')
  if (!agreeing.some(({ number }) => number > own.number)) throw saidAlready('first')
}

/** A person takes back what it said, as long as nothing was decided by it. What it said stays in the history. */
export async function withdrawOpinion(app: Deps, actor: Actor, withdrawalId: string, why: string): Promise<void> {
  mustGiveReason('why', why)
  const operator = actorName(actor)
  await authorizedByName(app, actor, 'payout.decide', async (tx, audit) => {
    const payout = await lockKnown(tx, withdrawalId)
    const own = currentOpinions(payout, (await readWords(app, tx, payout)).said).find(
      (one) => one.operator === operator,
    )
    if (!own) throw refuse('opinion_missing', { person: operator })
    if (!isUndecided(payout, own)) throw refuse('opinion_decided')
    const number = await recordWord(app, tx, payout, { operator, verdict: 'withdrawn', evidence: why.trim() })
    await auditVerdict(audit, payout, { before: own.verdict, verdict: 'withdrawn', isAgreed: false, number })
  })
}

/** As the bank gives it: some number their transfers from 1. */
function mustGiveReference(text: string): void {
  if (text.trim() === '') throw refuseField('bankReference', 'bank_reference_missing')
}

export function auditVerdict(
  audit: Audit,
  { withdrawalId, state }: Payout,
  {
    before,
    ...after
  }: { before: string | null; verdict: string; isAgreed: boolean; number: number } & Pick<
    Said,
    'unproven' | 'notLines'
  >,
): Promise<void> {
  const was = { state, ...(before !== null && { verdict: before }) }
  return audit(`withdrawal:${withdrawalId}`, { before: was, after, reason: 'see doubt_decisions' })
}

/** Of one that ended as not sent: where its money is now. */
export function unsent({ merchantId, withdrawalId, state }: Payout): Refusal {
  const money = merchantId === NO_MERCHANT ? 'suspense' : 'merchant'
  return refuse('payout_unsent', { state, withdrawal: withdrawalId, money })
}

/** The payout has not ended, and no worker is calling the bank about it. */
async function mustBeFree(tx: Tx, payout: Payout): Promise<void> {
  const { state, withdrawalId } = payout
  if (wasNotSent(payout)) throw unsent(payout)
  if (!isOpen(payout)) throw refuse('payout_ended', { state, withdrawal: withdrawalId })
  if (state === 'calling' && (await isLeased(tx, payout)))
    throw refuse('payout_being_sent', { withdrawal: withdrawalId })
}

/** The bank may still fetch its file. The folder is asked too: a program may just have put a fetched file back. */
export async function mustNotAwaitFetch(tx: Tx, { withdrawalId }: Payout): Promise<void> {
  const batch = await findLiveBatch(tx, withdrawalId)
  if (!batch) return
  const isUnfetched = UNFETCHED.includes(batch.state)
  if (!isUnfetched && !(await canBeFetched(batch, batch.stagedName))) return
  throw refuse('payout_in_order_file', { file: batch.fileName, batch: batch.id, isBack: !isUnfetched })
}

/** A payout without a connection was sent by a person, who now records the bank's reference. */
export async function recordSentByHand(
  app: Deps,
  actor: Actor,
  withdrawalId: string,
  bankReference: string,
): Promise<void> {
  mustGiveReference(bankReference)
  await authorizedByName(app, actor, 'payout.sent', async (tx, audit) => {
    const payout = await lockKnown(tx, withdrawalId)
    mustBeToSend(payout)
    await insertCall(
      tx,
      payout,
      { kind: 'person', outcome: 'accepted', detail: `${actorName(actor)}: ${bankReference}` },
      app.clock.now(),
    )
    await settlePayout(app, tx, payout, bankReference, { actor })
    await audit(`withdrawal:${withdrawalId}`, {
      before: { state: payout.state },
      after: { state: 'sent' },
      reason: 'see payout_calls',
    })
  })
}
