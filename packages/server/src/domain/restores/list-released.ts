import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { findFrozenMerchants } from '../merchants/index.ts'
import type { Connection } from '../connections/index.ts'
import type { Payout } from '../withdrawals/index.ts'
import { listPayouts, OPEN_STATES, MAX_ROWS } from '../withdrawals/index.ts'
import type { Checked, BankStatus } from './query-pending.ts'
import { maySend } from './query-pending.ts'

/** A payout or withdrawal that has not ended: the bank's response about it, and what a release does with it. */
export type Released = Pick<Payout, 'withdrawalId' | 'merchantId' | 'amount' | 'currency' | 'iban' | 'accountName'> & {
  createdAt: Date
  said: BankStatus
  next: string
}

type Deps = { db: Db; clock: Clock }

/** Withdrawals without a payout and payouts that have not ended, in id order. */
export async function listReleased(app: Deps, checked: Checked[], connections: Connection[]): Promise<Released[]> {
  const frozen = await findFrozenMerchants(app.db)
  const payouts = (await Promise.all(OPEN_STATES.map((state) => listPayouts(app.db, state, MAX_ROWS)))).flat()
  const waiting = checked.map((one): Released => {
    const { id: withdrawalId, merchantId, amount, currency, iban, accountName, createdAt } = one.withdrawal
    const next = nextOf(one, frozen.has(merchantId), app.clock.now())
    return { withdrawalId, merchantId, amount, currency, iban, accountName, createdAt, said: one.said, next }
  })
  const written = payouts.map((payout): Released => {
    const { withdrawalId, merchantId, amount, currency, iban, accountName, createdAt, state } = payout
    const isQueried = connections.some(({ name }) => name === payout.connection)
    // Only the bank's *never seen* returns it to intent.
    const said = !isQueried ? 'not_asked' : state === 'ready' ? 'never_seen' : 'unknown'
    const next = nextOfPayout(said, frozen.has(merchantId))
    return { withdrawalId, merchantId, amount, currency, iban, accountName, createdAt, said, next }
  })
  return [...waiting, ...written].toSorted((a, b) => (a.withdrawalId < b.withdrawalId ? -1 : 1))
}

function nextOf({ withdrawal, said }: Checked, isFrozen: boolean, now: Date): string {
  const { state, scheduledFor } = withdrawal
  if (said === 'rejected') return 'fails once the statement is read'
  if (!maySend(said)) return 'blocks the release'
  if (state === 'awaiting_approval') return 'waits for approval'
  if (isFrozen) return 'waits: merchant frozen'
  if (scheduledFor !== null && scheduledFor > now) return `is sent from ${scheduledFor.toISOString()}`
  return said === 'never_seen' ? 'is sent' : 'is to be sent by hand'
}

function nextOfPayout(said: BankStatus, isFrozen: boolean): string {
  if (said === 'not_asked') return 'look it up; if not sent, to be sent by hand'
  if (said === 'unknown') return 'is asked about; sent only if never seen'
  return isFrozen ? 'waits: merchant frozen' : 'is sent'
}
