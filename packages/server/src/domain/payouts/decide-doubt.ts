import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { MIN_REASON_LENGTH, mustGiveReason } from '../../kernel/reason.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { isManual } from '../connections/index.ts'
import type { Audit, Authority, Word } from '../people/index.ts'
import { authorizedByName, lockActive, markWord, ofPeople } from '../people/index.ts'
import { UNFETCHED } from './batches/batch.ts'
import { canBeFetched } from './batches/order-folder.ts'
import { findLiveBatch } from './batches/store.ts'
import { failPayout, settlePayout } from './finish-payout.ts'
import type { Payout } from './payout.ts'
import { ifPaidAfterAll, isOpen, wasNotSent } from './payout.ts'
import type { DoubtRow } from './doubt-decisions/store.ts'
import { insertDoubtDecision, selectDoubtDecisions } from './doubt-decisions/store.ts'
import { isLeased, lockPayout, findPayout } from './store.ts'
import type { WithdrawalViews } from '../withdrawals/index.ts'
import { insertCall } from '../withdrawals/index.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; views: WithdrawalViews }

export const PEOPLE_NEEDED = 2
export const LENGTH = `in ${MIN_REASON_LENGTH} characters or more`

/**
 * Two people who agree (found, with the bank's reference, or not found, with evidence) end any open payout, even
 * one that no worker can claim. There is no "send again": after "not found" the merchant gets its money back.
 */
export async function decideDoubt(
  app: Deps,
  actor: Actor,
  withdrawalId: string,
  said: { verdict: 'found' | 'not_found'; evidence: string },
): Promise<'waiting for a second person' | 'settled' | 'failed'> {
  const decision = { ...said, evidence: said.evidence.trim(), operator: actorName(actor) }
  if (said.verdict === 'found') mustGiveReference('--found', decision.evidence)
  else mustGiveReason('--not-found', decision.evidence, `must say what shows it, ${LENGTH}`)
  return authorizedByName(app, actor, 'payout.decide', async (tx, audit) => {
    const known = await findPayout(tx, withdrawalId)
    if (!known) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${withdrawalId}.`)
    const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
    await mustBeFree(tx, payout)
    if (decision.verdict === 'not_found') await mustNotAwaitFetch(tx, payout)
    const earlier = await decisionsOfPeople(app, tx, payout)
    if (earlier.some(({ operator }) => operator === decision.operator)) {
      throw new Refusal(
        'INVALID_STATE',
        `${decision.operator} has decided about it already; a second person is needed.`,
      )
    }
    await insertDoubtDecision(tx, payout, decision, app.clock.now())
    await markWord(app, tx, wordOf(payout, decision))
    const isAgreed = (await countAgreeing(app, tx, payout, decision)) >= PEOPLE_NEEDED
    await auditVerdict(audit, payout, { verdict: decision.verdict, isAgreed })
    if (!isAgreed) return 'waiting for a second person'
    await insertCall(
      tx,
      payout,
      { kind: 'person', outcome: decision.verdict, detail: decision.evidence },
      app.clock.now(),
    )
    const cause = { actor }
    if (decision.verdict === 'found') await settlePayout(app, tx, payout, decision.evidence, cause)
    else await failPayout(app, tx, payout, 'not_sent', cause)
    return decision.verdict === 'found' ? 'settled' : 'failed'
  })
}

/** As the bank gives it: some number their transfers from 1. */
function mustGiveReference(field: string, text: string): void {
  if (text.trim() === '') throw invalidField(field, "must be the bank's reference of the transfer")
}

export function auditVerdict(
  audit: Audit,
  { withdrawalId, state }: Payout,
  after: { verdict: string; isAgreed: boolean },
): Promise<void> {
  return audit(`withdrawal:${withdrawalId}`, { before: { state }, after, reason: 'see doubt_decisions' })
}

/** People who say the same about this sending, without those who were disabled since. Found means one bank reference. */
export async function countAgreeing(
  app: Pick<Authority, 'marks'>,
  tx: Tx,
  payout: Payout,
  { verdict, evidence }: DoubtRow,
): Promise<number> {
  const same = (await decisionsOfPeople(app, tx, payout)).filter(
    (one) => one.verdict === verdict && (verdict !== 'found' || plain(one.evidence) === plain(evidence)),
  )
  const people = same.map(({ operator }) => operator)
  return (await lockActive(tx, people)).size
}

/** About this sending, without rows that were written in SQL. */
export async function decisionsOfPeople(app: Pick<Authority, 'marks'>, tx: Tx, payout: Payout) {
  const stored = (await selectDoubtDecisions(tx, payout)).filter(({ submits }) => submits === payout.submits)
  return ofPeople(app, tx, stored, (one) => wordOf(payout, one))
}

/** Evidence may be erased later, except the reference by which two agree. */
export function wordOf({ merchantId, withdrawalId, submits }: Payout, { operator, verdict, evidence }: DoubtRow): Word {
  const row = ['doubt_decisions', merchantId, withdrawalId, String(submits), operator, verdict] as const
  return { row, person: operator, says: verdict === 'found' ? evidence : null }
}

/** Two people may type one reference with other spaces or case. */
function plain(reference: string): string {
  return reference.replaceAll(/\s/g, '').toUpperCase()
}

function afterEnd(payout: Payout): string {
  if (wasNotSent(payout)) return ifPaidAfterAll(payout)
  const never = payout.state === 'accepted' ? '--never-paid and ' : ''
  return `If no debit shows it, see ${never}--paid-without-debit.`
}

/** The payout has not ended, and no worker is calling the bank about it. */
async function mustBeFree(tx: Tx, payout: Payout): Promise<void> {
  const { state, withdrawalId } = payout
  if (!isOpen(payout)) {
    throw new Refusal('INVALID_STATE', `The payout is ${state}: it has ended. ${afterEnd(payout)}`)
  }
  if (state === 'calling' && (await isLeased(tx, payout))) {
    throw new Refusal(
      'INVALID_STATE',
      `A worker is sending the payout. In 30 s at most its answer is there, or you may decide: vezne withdrawal show ${withdrawalId}`,
    )
  }
}

/** The bank may still fetch its file. The folder is asked too: a program may just have put a fetched file back. */
export async function mustNotAwaitFetch(tx: Tx, { withdrawalId }: Payout): Promise<void> {
  const batch = await findLiveBatch(tx, withdrawalId)
  if (!batch) return
  const isUnfetched = UNFETCHED.includes(batch.state)
  if (!isUnfetched && !(await canBeFetched(batch, batch.stagedName))) return
  const what = isUnfetched ? 'may still fetch' : `may still fetch: ${batch.fileName} is in outbox/ again`
  throw new Refusal(
    'INVALID_STATE',
    `The payout is in an order file that the bank ${what}. Cancel that first: vezne batch cancel ${batch.id}`,
  )
}

/** A payout without a connection was sent by a person, who now records the bank's reference. */
export async function recordSentByHand(
  app: Deps,
  actor: Actor,
  withdrawalId: string,
  bankReference: string,
): Promise<void> {
  mustGiveReference('bankReference', bankReference)
  await authorizedByName(app, actor, 'payout.sent', async (tx, audit) => {
    const known = await findPayout(tx, withdrawalId)
    if (!known) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${withdrawalId}.`)
    const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
    if (!isManual(payout.connection) || payout.state !== 'unknown') {
      throw new Refusal(
        'INVALID_STATE',
        `The payout is ${payout.state} over ${payout.connection}; only one to be sent by hand is recorded so.`,
      )
    }
    await insertCall(
      tx,
      payout,
      { kind: 'person', outcome: 'accepted', detail: `${actorName(actor)}: ${bankReference}` },
      app.clock.now(),
    )
    await settlePayout(app, tx, payout, bankReference, { actor })
    await audit(`withdrawal:${withdrawalId}`, {
      before: { state: payout.state },
      after: { state: 'accepted' },
      reason: 'see payout_calls',
    })
  })
}
