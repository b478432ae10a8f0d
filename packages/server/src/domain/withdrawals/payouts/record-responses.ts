import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Said } from '../../../platform/refusal.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Batcher } from '../../../platform/concurrency/batcher.ts'
import { batcher } from '../../../platform/concurrency/batcher.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { FindAnswer } from '../../connections/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import type { CallDetail } from '../bank-calls/store.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import type { StateReason } from '../withdrawal.ts'
import { insertCall, insertCalls } from '../bank-calls/store.ts'
import { clearDoubt, markInDoubt } from './doubt-payout.ts'
import { doubtResponse } from './doubt-response.ts'
import { failPayout, settleAndReturn, settlePayout, settlePayouts } from './finish-payout.ts'
import type { Payout } from './payout.ts'
import { UNBOOKED } from './payout.ts'
import { lockPayout, lockPayouts, updatePayout } from './store.ts'

export type RecordDeps = { db: Db; clock: Clock; ids: Ids; log: Log; marks: Marks; views: WithdrawalViews }

/** What the bank said of a payout that this worker claimed. */
export type Response = { claimed: Payout; kind: 'submit' | 'find'; response: FindAnswer }

/** Each payout is as in the database, with its row locked. */
type Locked = Response & { payout: Payout | undefined }

/** Responses that arrive while others are recorded are recorded together. One for each set of dependencies, shared by all callers of a process. */
const recorders = new WeakMap<RecordDeps, Batcher<Response, Response>>()

export function recordResponse(app: RecordDeps, response: Response): Promise<unknown> {
  const known = recorders.get(app)
  if (known) return known(response)
  const recorder = batcher((responses: Response[]) => recordResponses(app, responses), { maxWaitMs: MAX_WAIT_MS })
  recorders.set(app, recorder)
  return recorder(response)
}

/** As long as a lease: a response that came late is kept, and changes nothing. */
const MAX_WAIT_MS = 30_000

/** The accounts of a refusal or return differ from those of a settlement: alone, so that each transaction locks accounts once. */
const booksAlone = ({ response }: Response) => response.outcome === 'rejected' || response.outcome === 'returned'

async function recordResponses(app: RecordDeps, responses: Response[]): Promise<Response[]> {
  const together = responses.filter((one) => !booksAlone(one))
  if (together.length > 0) await recordTogether(app, together)
  for (const one of responses.filter(booksAlone)) await recordTogether(app, [one])
  return responses
}

/** In one transaction. A response that cannot be recorded is set aside: its payout is in doubt, and the bank is queried again later. */
async function recordTogether(app: RecordDeps, responses: Response[]): Promise<void> {
  await runBatch<Locked, void>(app, {
    what: 'payout',
    idOf: ({ claimed }) => claimed.withdrawalId,
    async claim(tx, only: Response[] = responses) {
      const ids = only.map(({ claimed }) => claimed.withdrawalId)
      const locked = new Map((await lockPayouts(tx, ids)).map((one) => [one.withdrawalId, one]))
      return only.map((one) => ({ ...one, payout: locked.get(one.claimed.withdrawalId) }))
    },
    async work(tx, locked) {
      await settleAccepted(app, tx, locked.filter(isAccepted))
      for (const one of locked) if (!isAccepted(one)) await record(app, tx, one)
      return []
    },
    mark: (tx, one, error, retryAt) => markUnrecorded(app, tx, one, error, retryAt),
  })
}

type Accepted = Response & { payout: Payout; response: { outcome: 'accepted'; bankReference: string } }

function isAccepted(one: Locked): one is Accepted {
  return one.response.outcome === 'accepted' && one.payout?.fence === one.claimed.fence
}

async function settleAccepted(app: RecordDeps, tx: Tx, accepted: Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const calls = accepted.map(({ payout, kind, response }) => {
    const { merchantId, withdrawalId } = payout
    return { merchantId, withdrawalId, kind, outcome: response.outcome, detail: response.bankReference }
  })
  await insertCalls(tx, calls, app.clock.now())
  await settlePayouts(
    app,
    tx,
    accepted.map(({ payout, response }) => ({ payout, bankReference: response.bankReference })),
  )
}

/** The response is kept for people to see, and no one sends the payout again. */
async function markUnrecorded(
  app: RecordDeps,
  tx: Tx,
  { claimed, kind, response }: Locked,
  error: Error,
  nextAt: Date,
): Promise<void> {
  const payout = await lockPayout(tx, claimed.merchantId, claimed.withdrawalId)
  if (payout?.fence !== claimed.fence) return
  const now = app.clock.now()
  const detail = note('call_not_recorded', { said: detailOf(response), error: error.message })
  await insertCall(tx, payout, { kind, outcome: response.outcome, detail }, now)
  await updatePayout(tx, payout, { state: 'asking', nextAt, bankReference: null, reason: UNBOOKED }, now)
  await markInDoubt(app, tx, payout, UNBOOKED)
}

/** Only the holder of the latest claim may act on its result; any other response is about an outdated state. */
async function record(app: RecordDeps, tx: Tx, { claimed, kind, response, payout }: Locked): Promise<void> {
  if (!payout) throw new Error(`Payout ${claimed.withdrawalId} is gone.`)
  if (payout.fence !== claimed.fence) return recordLate(app, tx, payout, kind, response)
  const reliable = kind === 'submit' && payout.submits > 1 ? onSecondSending(response) : response
  const doubt = await doubtResponse(tx, payout, kind, reliable)
  const result = doubt ? { outcome: 'unknown' as const, why: doubted(reliable, doubt.why) } : reliable
  await insertCall(tx, payout, { kind, outcome: result.outcome, detail: detailOf(result) }, app.clock.now())
  await act(app, tx, payout, result, doubt?.stateReason ?? null)
}

/** Another worker has queried it, or people have decided, since. The response changes nothing and is kept for people to see. */
async function recordLate(app: RecordDeps, tx: Tx, payout: Payout, kind: 'submit' | 'find', response: FindAnswer) {
  const { withdrawalId, state } = payout
  const { outcome } = response
  const detail = note('call_late', { said: detailOf(response) })
  await insertCall(tx, payout, { kind, outcome, detail }, app.clock.now())
  const paidAfterAll = state === 'failed' && (outcome === 'accepted' || outcome === 'pending')
  if (paidAfterAll) {
    app.log.error(
      { withdrawalId, kind, outcome },
      'the bank took a payout whose money was given back; a person must look',
    )
  } else {
    app.log.warn({ withdrawalId, kind, outcome }, LATE)
  }
}

const LATE =
  'an answer came late: its lease had ended, or the statement or people had decided; it is kept and changes nothing'

/** A refusal of a second sending, e.g. "duplicate reference", does not mean that the first was not paid. Only `find` can tell. */
function onSecondSending(response: FindAnswer): FindAnswer {
  return response.outcome === 'rejected'
    ? { outcome: 'unknown', why: note('call_second_refused', { said: detailOf(response) }) }
    : response
}

function doubted(response: FindAnswer, doubt: Said): Said {
  return response.outcome === 'rejected'
    ? note('call_rejected_doubted', { reason: response.reason, doubt })
    : note('call_unseen_doubted', { doubt })
}

function detailOf(response: FindAnswer): CallDetail {
  if ('why' in response && response.why !== undefined) return response.why
  if ('reason' in response) return response.reason
  return 'bankReference' in response ? response.bankReference : null
}

/** `stateReason`: why the outcome is unknown, if there is more to say than that the response was not definite. */
async function act(
  app: RecordDeps,
  tx: Tx,
  payout: Payout,
  response: FindAnswer,
  stateReason: StateReason | null,
): Promise<void> {
  const now = app.clock.now()
  switch (response.outcome) {
    case 'accepted':
      return void (await settlePayout(app, tx, payout, response.bankReference))
    case 'rejected':
      return failPayout(app, tx, payout, response.reason)
    case 'returned':
      return settleAndReturn(app, tx, payout, response.bankReference)
    case 'never_seen':
      // The bank's definite response: nothing happened under this reference, so it may be sent again under the same one.
      await updatePayout(tx, payout, { state: 'ready', nextAt: now, bankReference: null, reason: null }, now)
      return clearDoubt(app, tx, payout)
    case 'pending':
    case 'contradictory':
    case 'unknown':
      await updatePayout(
        tx,
        payout,
        {
          state: 'asking',
          nextAt: nextQuery(payout.queries, now),
          bankReference: null,
          reason: stateReason ?? payout.reason,
        },
        now,
      )
      return response.outcome === 'pending' ? undefined : markInDoubt(app, tx, payout, stateReason)
  }
}

/** Banks resolve most unknown outcomes within minutes; the rest need their next file or a person. */
const FIRST_INTERVALS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** When to query a payout with an unknown outcome again, after this many queries without a definite response. */
function nextQuery(queries: number, now: Date): Date {
  return new Date(now.getTime() + (FIRST_INTERVALS_MS[queries] ?? HOUR_MS))
}
