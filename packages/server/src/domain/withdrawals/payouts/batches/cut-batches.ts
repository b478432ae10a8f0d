import { sumOf } from '../../../../kernel/money.ts'
import type { Said } from '../../../../platform/refusal.ts'
import { fileNote } from '../../../../kernel/refusals/files.ts'
import { note } from '../../../../kernel/refusals/note.ts'
import { createHash } from 'node:crypto'
import type { OrderBatch, OrdersProfile } from '@vezne/bank-formats'
import { OrderError, ordersProblem, writeOrders } from '@vezne/bank-formats'
import { istanbul } from '../../../../kernel/istanbul.ts'
import type { Tx } from '../../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../../banks/index.ts'
import { accountsInForce, isRecorded } from '../../../banks/index.ts'
import { insertCall } from '../../bank-calls/store.ts'
import { runBatch } from '../../../set-aside/index.ts'
import { markInDoubt } from '../doubt-payout.ts'
import type { Payout } from '../payout.ts'
import { markOfBatch } from '../payout-mark.ts'
import { handOver } from '../sending/hand-over.ts'
import { claimToSubmit, updatePayout } from '../store.ts'
import type { Vault } from '../../../../platform/crypto/vault.ts'
import type { PayoutDeps } from '../submit-payouts.ts'
import { keepToSend } from '../submit-payouts.ts'
import type { OrderConnection } from './batch.ts'
import { lastCut } from './batch.ts'
import { debtorOf, orderOf } from './read-back.ts'
import { insertBatch, lockBatching } from './store.ts'

export type BatchDeps = Omit<PayoutDeps, 'connections'> & { vault: Vault }

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
  for (const connection of connections) {
    const { moved } = await runBatch<Payout, Payout>(app, {
      what: 'payout',
      transact: (work) => handOver(app, work),
      idOf: ({ withdrawalId }) => withdrawalId,
      claim: (tx, only) => claim(app, tx, connection, only),
      work: (tx, claimed) => cut(app, tx, connection, claimed),
      together: true,
    })
    taken += moved
  }
  return taken
}

async function claim(app: BatchDeps, tx: Tx, { name, profile }: OrderConnection, only?: Payout[]): Promise<Payout[]> {
  await lockBatching(tx)
  const now = lastCut(app.clock.now(), profile)
  return claimToSubmit(tx, { connections: [name], now, leaseMs: LEASE_MS, limit: profile.maxOrders, only })
}

async function cut(app: BatchDeps, tx: Tx, connection: OrderConnection, claimed: Payout[]): Promise<Payout[]> {
  const due = await keepToSend(app, tx, claimed)
  const accounts = await accountsInForce({ db: tx, marks: app.marks })
  const ownIbans = new Set(accounts.map(({ iban }) => iban))
  const byAccount = Map.groupBy(due, ({ sourceAccountId }) => sourceAccountId)
  for (const [accountId, payouts] of byAccount) {
    const account = accounts.find((one) => one.id === accountId && isRecorded(one))
    await batchOf(app, tx, connection, account, ownIbans, payouts)
  }
  return claimed
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
    const problem = head ? problemOf(head, payout, ownIbans, connection.profile) : note('unsent_account_unknown')
    if (problem === null) sent.push(payout)
    else await leaveOut(app, tx, payout, problem)
  }
  if (!head || sent.length === 0) return
  const orders = sent.map(orderOf)
  const content = writeOrders({ ...head, orders }, connection.profile)
  const wrong = await ordersProblem(content, { ...head, orders }, connection.profile)
  if (wrong !== null) throw new Error(`The order file does not say what its payouts say: ${JSON.stringify(wrong)}.`)
  const fileName = `vezne-${id}.${EXTENSION[connection.profile.format]}`
  const batch = {
    ...{ id, connection: connection.name, sourceAccountId: account.id, folder: connection.folder, fileName, content },
    ...{ format: connection.profile.format, sha256: createHash('sha256').update(content).digest('hex') },
    ...{ orders: sent.length, amount: sumOf(sent), currency: account.currency },
    createdAt: now,
  }
  const items = sent.map(({ merchantId, withdrawalId }, index) => ({ number: index + 1, merchantId, withdrawalId }))
  await insertBatch(tx, { ...batch, mark: await markOfBatch(app, batch) }, items)
  for (const payout of sent) {
    await updatePayout(tx, payout, { state: 'asking', nextAt: now, bankReference: null, reason: null }, now)
    await insertCall(
      tx,
      payout,
      { kind: 'submit', outcome: 'pending', detail: note('call_in_order_file', { batch: id }) },
      now,
    )
  }
  app.log.info({ batch: id, connection: connection.name, orders: sent.length }, 'payouts were put into an order batch')
}

type Head = Omit<OrderBatch, 'orders'>

function problemOf(head: Head, payout: Payout, ownIbans: ReadonlySet<string>, profile: OrdersProfile): Said | null {
  // Checked by routing too, but an account can become ours later.
  if (ownIbans.has(payout.iban)) return note('unsent_recipient_ours')
  try {
    writeOrders({ ...head, orders: [orderOf(payout)] }, profile)
    return null
  } catch (error) {
    if (error instanceof OrderError && error.endToEndId === payout.withdrawalId)
      return note('unsent_not_writable', { problem: fileNote(error.problem) })
    throw error
  }
}

async function leaveOut(app: BatchDeps, tx: Tx, payout: Payout, problem: Said): Promise<void> {
  const now = app.clock.now()
  await updatePayout(tx, payout, { state: 'asking', nextAt: now, bankReference: null, reason: payout.reason }, now)
  await insertCall(tx, payout, { kind: 'submit', outcome: 'unknown', detail: note('call_not_sent', { problem }) }, now)
  await markInDoubt(app, tx, payout)
}

function localTime(now: Date): string {
  const { day, minutes } = istanbul(now)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(now.getUTCSeconds())}+03:00`
}
