import { createHash } from 'node:crypto'
import type { Order, OrderBatch, OrdersProfile } from '@vezne/bank-formats'
import { OrderError, writeOrders } from '@vezne/bank-formats'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import { insertCall } from '../../withdrawals/index.ts'
import { logDiffers, markInDoubt } from '../doubt-payout.ts'
import type { Payout } from '../payout.ts'
import { DIFFERS, doubtOf } from '../payout.ts'
import { claimToSubmit, updatePayout } from '../store.ts'
import type { PayoutDeps } from '../submit-payouts.ts'
import type { OrderConnection } from './batch.ts'
import { lastCut } from './batch.ts'
import { insertBatch, lockBatching } from './store.ts'

export type BatchDeps = Omit<PayoutDeps, 'connections'>

/** Claims, batch, bytes and calls are one transaction, so the lease never runs. */
const LEASE_MS = 30_000
const EXTENSION: Record<OrdersProfile['format'], string> = {
  'pain.001.001.03': 'xml',
  'pain.001.001.09': 'xml',
  'fixed-width': 'txt',
  csv: 'csv',
}

/** Puts payouts that are due into batches, one for each source account. Writes no file. Returns how many payouts were taken. */
export async function cutBatches(app: BatchDeps, connections: OrderConnection[]): Promise<number> {
  let taken = 0
  for (const connection of connections) taken += await app.db.transaction((tx) => cut(app, tx, connection))
  return taken
}

async function cut(app: BatchDeps, tx: Tx, connection: OrderConnection): Promise<number> {
  await lockBatching(tx)
  const now = lastCut(app.clock.now(), connection.profile)
  const request = { connections: [connection.name], now, leaseMs: LEASE_MS, limit: connection.profile.maxOrders }
  const claimed = await claimToSubmit(tx, request)
  for (const payout of claimed.filter(({ state }) => state === 'unknown')) {
    if (payout.reason === DIFFERS) logDiffers(app, [payout.withdrawalId])
    await markInDoubt(app, tx, payout, doubtOf(payout))
  }
  const due = claimed.filter(({ state }) => state === 'calling')
  const accounts = await accountsByIban(tx)
  const byAccount = Map.groupBy(due, ({ sourceAccountId }) => sourceAccountId)
  for (const [accountId, payouts] of byAccount) {
    const account = [...accounts.values()].find(({ id }) => id === accountId)
    await batchOf(app, tx, connection, account, new Set(accounts.keys()), payouts)
  }
  return claimed.length
}

/** What cannot be sent is left out, in doubt, with the reason in its calls. */
async function batchOf(
  app: BatchDeps,
  tx: Tx,
  connection: OrderConnection,
  account: CollectingAccount | undefined,
  ownIbans: ReadonlySet<string>,
  payouts: Payout[],
): Promise<void> {
  const [id, now] = [app.ids.next(), app.clock.now()]
  const head = account && { id, createdAt: localTime(now), executeOn: istanbul(now).day, debtor: debtorOf(account) }
  const sent: Payout[] = []
  for (const payout of payouts) {
    const problem = head
      ? problemOf(head, payout, ownIbans, connection.profile)
      : 'the source account is not known here'
    if (problem === null) sent.push(payout)
    else await leaveOut(app, tx, payout, problem)
  }
  if (!head || sent.length === 0) return
  const content = writeOrders({ ...head, orders: sent.map(orderOf) }, connection.profile)
  const fileName = `vezne-${id}.${EXTENSION[connection.profile.format]}`
  const batch = {
    ...{ id, connection: connection.name, sourceAccountId: account.id, folder: connection.folder, fileName, content },
    ...{ format: connection.profile.format, sha256: createHash('sha256').update(content).digest('hex') },
    ...{ orders: sent.length, amount: sent.reduce((sum, { amount }) => sum + amount, 0n), currency: account.currency },
    createdAt: now,
  }
  const items = sent.map(({ merchantId, withdrawalId }, index) => ({ number: index + 1, merchantId, withdrawalId }))
  await insertBatch(tx, batch, items)
  for (const payout of sent) {
    await updatePayout(tx, payout, { state: 'unknown', nextAt: now, bankReference: null, reason: null }, now)
    await insertCall(tx, payout, { kind: 'submit', outcome: 'pending', detail: `in order batch ${id}` }, now)
  }
  app.log.info({ batch: id, connection: connection.name, orders: sent.length }, 'payouts were put into an order batch')
}

type Head = Omit<OrderBatch, 'orders'>

function problemOf(head: Head, payout: Payout, ownIbans: ReadonlySet<string>, profile: OrdersProfile): string | null {
  // Checked by routing too, but an account can become ours later.
  if (ownIbans.has(payout.iban)) return 'the recipient is a collecting account of ours'
  try {
    writeOrders({ ...head, orders: [orderOf(payout)] }, profile)
    return null
  } catch (error) {
    if (error instanceof OrderError && error.endToEndId === payout.withdrawalId) return error.message
    throw error
  }
}

async function leaveOut(app: BatchDeps, tx: Tx, payout: Payout, why: string): Promise<void> {
  const now = app.clock.now()
  await updatePayout(tx, payout, { state: 'unknown', nextAt: now, bankReference: null, reason: payout.reason }, now)
  await insertCall(tx, payout, { kind: 'submit', outcome: 'unknown', detail: `not sent: ${why}` }, now)
  await markInDoubt(app, tx, payout)
}

/** The bank returns the end-to-end id in reports, and the text on statements; both have the withdrawal's id. */
function orderOf(payout: Payout): Order {
  const { withdrawalId, amount, currency, iban, accountName, description, purposeCode, rail } = payout
  return {
    ...{ endToEndId: withdrawalId, amount, currency, iban, name: accountName, text: description },
    ...{ purpose: purposeCode, rail },
  }
}

const debtorOf = ({ title, iban }: CollectingAccount) => ({ name: title, iban })

function localTime(now: Date): string {
  const { day, minutes } = istanbul(now)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(now.getUTCSeconds())}+03:00`
}
