import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import { accountsByIban } from '../banks/index.ts'
import type { FindAnswer, PayoutOrder, Connection } from '../connections/index.ts'
import { logDiffers, markInDoubt } from './doubt-payout.ts'
import { failPayout, settleAndReturn, settlePayout } from './finish-payout.ts'
import { linesNaming } from '../statements/index.ts'
import type { Payout } from './payout.ts'
import { DIFFERS, NAMED } from './payout.ts'
import { nextAsk } from './schedule.ts'
import type { Terms } from './store.ts'
import { claimToAsk, claimToSubmit, lockPayout, updatePayout } from './store.ts'
import type { WithdrawalViews } from '../withdrawals/index.ts'
import { callsOf, insertCall } from '../withdrawals/index.ts'

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

/** Payouts named on a statement, or unlike their withdrawal, are left to the bank's responses and to people. */
async function takeToSubmit(app: PayoutDeps, tx: Tx, terms: Terms): Promise<Payout[]> {
  const taken = await claimToSubmit(tx, terms)
  for (const payout of taken.filter(({ state }) => state === 'unknown')) {
    if (payout.reason === DIFFERS) logDiffers(app, [payout.withdrawalId])
    await markInDoubt(app, tx, payout, payout.reason)
  }
  return taken.filter(({ state }) => state === 'calling')
}

/** Queries payouts with an unknown outcome, and those whose worker did not record a result before its lease ended. */
export async function queryPayoutStatus(app: PayoutDeps): Promise<number> {
  return claimAndCall(
    app,
    (_, tx, terms) => claimToAsk(tx, terms),
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
  const payouts = await app.db.transaction((tx) => {
    const connections = app.connections.map(({ name }) => name)
    return claim(app, tx, { connections, now: app.clock.now(), leaseMs: LEASE_MS, limit: BATCH_SIZE })
  })
  await Promise.all(
    payouts.map(async (payout) => {
      // A process that was suspended for a while no longer owns its claims: it must not call.
      if (performance.now() - claimedAt > LEASE_MS / 2) return
      const connection = app.connections.find(({ name }) => name === payout.connection)
      if (!connection) throw new Error(`Claimed a payout over ${payout.connection}, which is not here.`)
      const answer = await call(connection, payout)
      await app.db.transaction((tx) => record(app, tx, payout, kind, answer))
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
  heard: FindAnswer,
): Promise<void> {
  const payout = await lockPayout(tx, claimed.merchantId, claimed.withdrawalId)
  if (!payout) throw new Error(`Payout ${claimed.withdrawalId} is gone.`)
  if (payout.fence !== claimed.fence) return recordLate(app, tx, payout, kind, heard)
  const said = kind === 'submit' && payout.submits > 1 ? onSecondSending(heard) : heard
  const doubt = said.outcome === 'never_seen' ? await doubtNeverSeen(tx, payout) : null
  const answer = doubt ? { outcome: 'unknown' as const, why: `the bank has never seen it, but ${doubt.why}` } : said
  await insertCall(tx, payout, { kind, outcome: answer.outcome, detail: wordsOf(answer) }, app.clock.now())
  await act(app, tx, payout, answer, doubt?.stageReason ?? null)
}

/** Another worker has queried it, or people have decided, since. The response changes nothing and is kept for people to see. */
async function recordLate(app: PayoutDeps, tx: Tx, payout: Payout, kind: 'submit' | 'find', answer: FindAnswer) {
  const { withdrawalId, state } = payout
  const { outcome } = answer
  const detail = ['late, not acted on', wordsOf(answer)].filter(Boolean).join(': ')
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
function onSecondSending(answer: FindAnswer): FindAnswer {
  return answer.outcome === 'rejected'
    ? { outcome: 'unknown', why: `this sending was refused, an earlier one may have paid: ${wordsOf(answer)}` }
    : answer
}

/** The statement and earlier responses come from the bank too. If they contradict "never seen", the payout is not sent again. */
async function doubtNeverSeen(
  tx: Tx,
  { merchantId, withdrawalId, reason }: Payout,
): Promise<{ why: string; stageReason: string | null } | null> {
  if (reason === DIFFERS) return { why: 'it differs from its withdrawal', stageReason: DIFFERS }
  const naming = await linesNaming(tx, withdrawalId)
  if (naming.length > 0) return { why: `on the statement ${naming.join('; ')}`, stageReason: NAMED }
  const calls = await callsOf(tx, merchantId, withdrawalId)
  const hadOrder = calls.some(({ outcome }) => outcome === 'pending')
  return hadOrder ? { why: 'it said pending before, so it had the order', stageReason: null } : null
}

function wordsOf(answer: FindAnswer): string | null {
  if ('why' in answer && answer.why !== undefined) return answer.why
  if ('reason' in answer) return answer.reason
  return 'bankReference' in answer ? answer.bankReference : null
}

/** `stageReason`: why the outcome is unknown, if there is more to say than that the response was not definite. */
async function act(
  app: PayoutDeps,
  tx: Tx,
  payout: Payout,
  answer: FindAnswer,
  stageReason: string | null,
): Promise<void> {
  const now = app.clock.now()
  switch (answer.outcome) {
    case 'accepted':
      return void (await settlePayout(app, tx, payout, answer.bankReference))
    case 'rejected':
      return failPayout(app, tx, payout, answer.reason)
    case 'returned':
      return settleAndReturn(app, tx, payout, answer.bankReference)
    case 'never_seen':
      // The bank's definite response: nothing happened under this reference, so it may be sent again under the same one.
      await updatePayout(tx, payout, { state: 'intent', nextAt: now, bankReference: null, reason: null }, now)
      return
    case 'pending':
    case 'unknown':
      await updatePayout(
        tx,
        payout,
        { state: 'unknown', nextAt: nextAsk(payout.asks, now), bankReference: null, reason: payout.reason },
        now,
      )
      return answer.outcome === 'unknown' ? markInDoubt(app, tx, payout, stageReason) : undefined
  }
}
