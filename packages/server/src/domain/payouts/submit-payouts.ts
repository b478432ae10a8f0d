import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { BankDirectory } from '../banks/index.ts'
import { accountsByIban } from '../banks/index.ts'
import type { FindAnswer, PayoutOrder, Connection } from '../connections/index.ts'
import { markInDoubt } from './doubt-payout.ts'
import { failPayout, settleAndReturn, settlePayout } from './finish-payout.ts'
import { linesNaming } from '../statements/index.ts'
import type { Payout } from './payout.ts'
import { NAMED } from './payout.ts'
import { nextAsk } from './schedule.ts'
import type { Terms } from './store.ts'
import { claimToAsk, claimToSubmit, lockPayout, updatePayout } from './store.ts'
import type { WithdrawalViews } from '../withdrawals/index.ts'
import { callsOf, insertCall } from '../withdrawals/index.ts'

export type PayoutNeeds = {
  db: Db
  clock: Clock
  ids: Ids
  log: Log
  banks: BankDirectory
  views: WithdrawalViews
  connections: Connection[]
}

/** Few, because they are done when the slowest of them is; a process has several who call. */
const AT_ONCE = 5
/** Longer than the slowest answer we wait for (10 s), with room for a busy machine. */
const LEASE_MS = 30_000

/**
 * Sends what is written down: claim, call, record, and no transaction is open during the call. Whatever is not a clear
 * yes or no is in doubt, and is asked about, never sent again before the bank has said that it never saw it.
 */
export async function submitPayouts(app: PayoutNeeds): Promise<number> {
  return claimAndCall(app, takeToSubmit, 'submit', async (connection, payout) => {
    const account = await app.banks.account(payout.sourceAccountId)
    if (!account) return { outcome: 'unknown', why: 'the source account is not known here' }
    // Routing has checked it; an account can become ours after that.
    if ((await accountsByIban(app.db)).has(payout.iban))
      return { outcome: 'unknown', why: 'not sent: the recipient is a collecting account of ours' }
    return connection.submit(orderFor(payout, account.iban))
  })
}

/** What something on a statement names is left to the bank's answers and to people. */
async function takeToSubmit(app: PayoutNeeds, tx: Tx, terms: Terms): Promise<Payout[]> {
  const taken = await claimToSubmit(tx, terms)
  const [mine, named] = [
    taken.filter(({ state }) => state === 'calling'),
    taken.filter(({ state }) => state === 'unknown'),
  ]
  for (const payout of named) await markInDoubt(app, tx, payout, NAMED)
  return mine
}

/** Asks about payouts in doubt, and about those whose worker has not been heard of since its lease ended. */
export async function askPayouts(app: PayoutNeeds): Promise<number> {
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

async function claimAndCall(app: PayoutNeeds, claim: Claim, kind: 'submit' | 'find', call: Call): Promise<number> {
  const claimedAt = performance.now()
  const payouts = await app.db.transaction((tx) => {
    const connections = app.connections.map(({ name }) => name)
    return claim(app, tx, { connections, now: app.clock.now(), leaseMs: LEASE_MS, limit: AT_ONCE })
  })
  await Promise.all(
    payouts.map(async (payout) => {
      // A process that was stopped for a while no longer owns what it claimed: it must not call.
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

/** Only the holder of the newest claim may record; anybody else's answer is about a state that has passed. */
async function record(
  app: PayoutNeeds,
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

/** Somebody else has asked, or people have decided, since. The answer decides nothing, and is kept for people to see. */
async function recordLate(app: PayoutNeeds, tx: Tx, payout: Payout, kind: 'submit' | 'find', answer: FindAnswer) {
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

/** A refusal of a second sending, such as "duplicate reference", does not say that the first was not paid. Only `find` does. */
function onSecondSending(answer: FindAnswer): FindAnswer {
  return answer.outcome === 'rejected'
    ? { outcome: 'unknown', why: `this sending was refused, an earlier one may have paid: ${wordsOf(answer)}` }
    : answer
}

/** The statement and earlier answers are the bank's word too. Where they contradict "never seen", it is no reason to send again. */
async function doubtNeverSeen(
  tx: Tx,
  { merchantId, withdrawalId }: Payout,
): Promise<{ why: string; stageReason: string | null } | null> {
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

/** `stageReason`: why it is in doubt, where that is more than the lack of a clear answer. */
async function act(
  app: PayoutNeeds,
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
      // The bank's definite word: nothing has happened under this reference, so it may be sent, under the same one.
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
