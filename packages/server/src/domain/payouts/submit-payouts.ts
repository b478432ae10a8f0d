import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import { accountsByIban } from '../banks/index.ts'
import type { FindAnswer, PayoutOrder, Connection } from '../connections/index.ts'
import { isPolled } from '../connections/index.ts'
import { clearDoubt, logDiffers, markInDoubt } from './doubt-payout.ts'
import { doubtResponse } from './doubt-response.ts'
import { failPayout, settleAndReturn, settlePayout } from './finish-payout.ts'
import type { Payout } from './payout.ts'
import { DIFFERS, doubtOf } from './payout.ts'
import { nextQuery } from './query-intervals.ts'
import type { LeaseRequest } from './store.ts'
import { claimToQuery, claimToSubmit, lockPayout, updatePayout } from './store.ts'
import type { StageReason, WithdrawalViews } from '../withdrawals/index.ts'
import { insertCall } from '../withdrawals/index.ts'

export type PayoutDeps = {
  db: Db
  clock: Clock
  ids: Ids
  log: Log
  banks: BankDirectory
  views: WithdrawalViews
  connections: Connection[]
}

/** Small, because a batch ends with its slowest call; a process runs several callers. */
const BATCH_SIZE = 5
/** Longer than the slowest response we wait for (10 s), with a margin for a busy machine. */
const LEASE_MS = 30_000

/**
 * Sends stored payouts: claim, call, record, with no transaction open during the call. Without a definite response the
 * outcome is unknown: the payout is queried, and sent again only after the bank has confirmed that it never saw it.
 */
export async function submitPayouts(app: PayoutDeps): Promise<number> {
  return claimAndCall(app, takeToSubmit, 'submit', async (connection, payout) => {
    const account = await app.banks.account(payout.sourceAccountId)
    if (!account) return { outcome: 'unknown', why: 'the source account is not known here' }
    // Checked by routing too, but an account can become ours later.
    if ((await accountsByIban(app.db)).has(payout.iban))
      return { outcome: 'unknown', why: 'not sent: the recipient is a collecting account of ours' }
    return connection.submit(orderFor(payout, account.iban))
  })
}

/** Payouts unlike their withdrawal, or that a statement names or may show as sent, are left to the bank's responses and to people. */
async function takeToSubmit(app: PayoutDeps, tx: Tx, request: LeaseRequest): Promise<Payout[]> {
  const taken = await claimToSubmit(tx, request)
  for (const payout of taken.filter(({ state }) => state === 'unknown')) {
    if (payout.reason === DIFFERS) logDiffers(app, [payout.withdrawalId])
    await markInDoubt(app, tx, payout, doubtOf(payout))
  }
  return taken.filter(({ state }) => state === 'calling')
}

/** Queries payouts with an unknown outcome, and those whose worker did not record a result before its lease ended. */
export async function queryPayoutStatus(app: PayoutDeps): Promise<number> {
  return claimAndCall(
    app,
    (_, tx, request) => claimToQuery(tx, request),
    'find',
    (connection, payout) => {
      const { withdrawalId: reference, amount, iban: toIban, currency } = payout
      return connection.find({ reference, amount, toIban, currency })
    },
  )
}

type Claim = typeof takeToSubmit
type Call = (connection: Connection, payout: Payout) => Promise<FindAnswer>

async function claimAndCall(app: PayoutDeps, claim: Claim, kind: 'submit' | 'find', call: Call): Promise<number> {
  const claimedAt = performance.now()
  // A copy: a connection that is disabled meanwhile leaves the list of the process.
  const called = app.connections.filter(isPolled)
  const payouts = await app.db.transaction((tx) => {
    const connections = called.map(({ name }) => name)
    return claim(app, tx, { connections, now: app.clock.now(), leaseMs: LEASE_MS, limit: BATCH_SIZE })
  })
  await Promise.all(
    payouts.map(async (payout) => {
      // A process that was suspended for a while no longer owns its claims: it must not call.
      if (performance.now() - claimedAt > LEASE_MS / 2) return
      const connection = called.find(({ name }) => name === payout.connection)
      if (!connection) throw new Error(`Claimed a payout over ${payout.connection}, which is not here.`)
      const response = await call(connection, payout)
      await app.db.transaction((tx) => record(app, tx, payout, kind, response))
    }),
  )
  return payouts.length
}

function orderFor(payout: Payout, fromIban: string): PayoutOrder {
  const { withdrawalId, iban, accountName, amount, currency, rail, description, purposeCode } = payout
  return {
    reference: withdrawalId,
    fromIban,
    toIban: iban,
    toName: accountName,
    amount,
    currency,
    rail,
    description,
    purposeCode,
  }
}

/** Only the holder of the latest claim may act on its result; any other response is about an outdated state. */
async function record(
  app: PayoutDeps,
  tx: Tx,
  claimed: Payout,
  kind: 'submit' | 'find',
  response: FindAnswer,
): Promise<void> {
  const payout = await lockPayout(tx, claimed.merchantId, claimed.withdrawalId)
  if (!payout) throw new Error(`Payout ${claimed.withdrawalId} is gone.`)
  if (payout.fence !== claimed.fence) return recordLate(app, tx, payout, kind, response)
  const reliable = kind === 'submit' && payout.submits > 1 ? onSecondSending(response) : response
  const doubt = await doubtResponse(tx, payout, kind, reliable)
  const result = doubt ? { outcome: 'unknown' as const, why: `${wordsFor(reliable)}, but ${doubt.why}` } : reliable
  await insertCall(tx, payout, { kind, outcome: result.outcome, detail: detailOf(result) }, app.clock.now())
  await act(app, tx, payout, result, doubt?.stageReason ?? null)
}

/** Another worker has queried it, or people have decided, since. The response changes nothing and is kept for people to see. */
async function recordLate(app: PayoutDeps, tx: Tx, payout: Payout, kind: 'submit' | 'find', response: FindAnswer) {
  const { withdrawalId, state } = payout
  const { outcome } = response
  const detail = ['late, not acted on', detailOf(response)].filter(Boolean).join(': ')
  await insertCall(tx, payout, { kind, outcome, detail }, app.clock.now())
  const paidAfterAll = state === 'rejected' && (outcome === 'accepted' || outcome === 'pending')
  if (paidAfterAll) {
    app.log.error(
      { withdrawalId, kind, outcome },
      'the bank took a payout whose money was given back; a person must look',
    )
  } else {
    app.log.warn({ withdrawalId, kind, outcome }, 'an answer came after the lease; it is kept and changes nothing')
  }
}

/** A refusal of a second sending, e.g. "duplicate reference", does not mean that the first was not paid. Only `find` can tell. */
function onSecondSending(response: FindAnswer): FindAnswer {
  return response.outcome === 'rejected'
    ? { outcome: 'unknown', why: `this sending was refused, an earlier one may have paid: ${detailOf(response)}` }
    : response
}

function wordsFor(response: FindAnswer): string {
  return response.outcome === 'rejected' ? `rejected (${response.reason})` : 'the bank has never seen it'
}

function detailOf(response: FindAnswer): string | null {
  if ('why' in response && response.why !== undefined) return response.why
  if ('reason' in response) return response.reason
  return 'bankReference' in response ? response.bankReference : null
}

/** `stageReason`: why the outcome is unknown, if there is more to say than that the response was not definite. */
async function act(
  app: PayoutDeps,
  tx: Tx,
  payout: Payout,
  response: FindAnswer,
  stageReason: StageReason | null,
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
      await updatePayout(tx, payout, { state: 'intent', nextAt: now, bankReference: null, reason: null }, now)
      return clearDoubt(app, tx, payout)
    case 'pending':
    case 'contradictory':
    case 'unknown':
      await updatePayout(
        tx,
        payout,
        {
          state: 'unknown',
          nextAt: nextQuery(payout.queries, now),
          bankReference: null,
          reason: stageReason ?? payout.reason,
        },
        now,
      )
      return response.outcome === 'pending' ? undefined : markInDoubt(app, tx, payout, stageReason)
  }
}
