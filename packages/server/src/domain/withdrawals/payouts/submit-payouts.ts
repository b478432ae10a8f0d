import { note } from '../../../kernel/refusals/note.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { accountsByIban, isRecorded } from '../../banks/index.ts'
import type { FindAnswer, PayoutOrder, Connection } from '../../connections/index.ts'
import { isPolled } from '../../connections/index.ts'
import { logDiffers, markInDoubt } from './doubt-payout.ts'
import type { Payout } from './payout.ts'
import { forgedOf } from './payout-mark.ts'
import { DIFFERS, doubtOf } from './payout.ts'
import { recordResponse } from './record-responses.ts'
import type { RecordDeps } from './record-responses.ts'
import type { SendingDeps } from './sending/hand-over.ts'
import { handOver } from './sending/hand-over.ts'
import type { LeaseRequest } from './store.ts'
import { claimToQuery, claimToSubmit, updatePayout } from './store.ts'
import { runBatch } from '../../set-aside/index.ts'

export type PayoutDeps = SendingDeps & RecordDeps & { banks: BankDirectory; connections: Connection[] }

/** Small, because a batch ends with its slowest call; a process runs several callers. */
const BATCH_SIZE = 5
/** Longer than the slowest response we wait for (10 s), with a margin for a busy machine. */
const LEASE_MS = 30_000

/**
 * Sends stored payouts: claim, call, record, with no transaction open during the call. Without a definite response the
 * outcome is unknown: the payout is queried, and sent again only after the bank has confirmed that it never saw it.
 */
export async function submitPayouts(app: PayoutDeps): Promise<number> {
  return claimAndCall(app, claimToSubmit, 'submit', async (connection, payout) => {
    const account = await app.banks.account(payout.sourceAccountId)
    if (!account || !isRecorded(account)) return { outcome: 'unknown', why: note('unsent_account_unknown') }
    // Checked by routing too, but an account can become ours later.
    if ((await accountsByIban(app.db)).has(payout.iban))
      return { outcome: 'unknown', why: note('call_not_sent', { problem: note('unsent_recipient_ours') }) }
    return connection.submit(orderFor(payout, account.iban))
  })
}

/** Payouts unlike their withdrawal, or that a statement names or may show as sent, are left to the bank's responses and to people. */
export async function keepToSend(
  app: RecordDeps & Pick<SendingDeps, 'marks'>,
  tx: Tx,
  claimed: Payout[],
): Promise<Payout[]> {
  const calling = claimed.filter(({ state }) => state === 'calling')
  const forged = await forgedOf(app, calling)
  const now = app.clock.now()
  const doubted = { state: 'asking' as const, nextAt: now, bankReference: null, reason: DIFFERS }
  for (const payout of claimed) {
    const isForged = forged.has(payout.withdrawalId)
    if (isForged) await updatePayout(tx, payout, doubted, now)
    else if (payout.state === 'calling') continue
    const reason = isForged ? DIFFERS : payout.reason
    if (reason === DIFFERS) logDiffers(app, [payout.withdrawalId])
    await markInDoubt(app, tx, payout, doubtOf({ ...payout, reason }))
  }
  return calling.filter(({ withdrawalId }) => !forged.has(withdrawalId))
}

/** Queries payouts with an unknown outcome, and those whose worker did not record a result before its lease ended. */
export async function queryPayoutStatus(app: PayoutDeps): Promise<number> {
  return claimAndCall(app, claimToQuery, 'find', (connection, payout) => {
    const { withdrawalId: reference, amount, iban: toIban, currency } = payout
    return connection.find({ reference, amount, toIban, currency })
  })
}

type Claim = (tx: Tx, request: LeaseRequest) => Promise<Payout[]>
type Call = (connection: Connection, payout: Payout) => Promise<FindAnswer>

async function claimAndCall(app: PayoutDeps, claim: Claim, kind: 'submit' | 'find', call: Call): Promise<number> {
  const claimedAt = performance.now()
  // A copy: a connection that is disabled meanwhile leaves the list of the process.
  const called = app.connections.filter(isPolled)
  const connections = called.map(({ name }) => name)
  const { done: payouts, moved } = await runBatch<Payout, Payout>(app, {
    what: 'payout',
    transact: (work) => (kind === 'submit' ? handOver(app, work) : app.db.transaction(work)),
    idOf: ({ withdrawalId }) => withdrawalId,
    claim: (tx, only) => claim(tx, { connections, now: app.clock.now(), leaseMs: LEASE_MS, limit: BATCH_SIZE, only }),
    work: (tx, claimed) => (kind === 'submit' ? keepToSend(app, tx, claimed) : Promise.resolve(claimed)),
  })
  await Promise.all(
    payouts.map(async (payout) => {
      // A process that was suspended for a while no longer owns its claims: it must not call.
      if (performance.now() - claimedAt > LEASE_MS / 2) return
      const connection = called.find(({ name }) => name === payout.connection)
      if (!connection) throw new Error(`Claimed a payout over ${payout.connection}, which is not here.`)
      const response = await call(connection, payout)
      await recordResponse(app, { claimed: payout, kind, response })
    }),
  )
  return moved
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
