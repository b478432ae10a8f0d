import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { readOrdersProfile } from '@vezne/bank-formats'
import type { App } from '../../packages/server/src/compose.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Batch, OrderConnection } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  cutBatches,
  dispatchWithdrawals,
  findPayout,
  listBatches,
  releaseBatches,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { withdrawBody } from './examples.ts'
import { laterBy } from './crash.ts'
import { startService } from './service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

type Service = Awaited<ReturnType<typeof startService>>
type Shop = Awaited<ReturnType<Service['merchant']>>

/** Files are made at most this much later. */
const CUT_SECONDS = 300

/** A service whose accounts are at a bank that takes order files, a shop with money, and two people who decide. */
export async function startOrders() {
  const service = await startService()
  const { app } = service
  const files = await startOrderFiles(app)
  const shop = await service.merchant({ funds: 50_000_000n })
  for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  return { service, app, files, shop, ada: operatorActor('ada.aksoy'), bora: operatorActor('bora.boz') }
}

/** A bank that takes order files, over a folder of this test. It is the connection of all accounts. */
export async function startOrderFiles(app: App, profile: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-orders-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['staging', 'outbox']) mkdirSync(join(folder, name))
  const connection: OrderConnection = {
    name: 'files',
    folder,
    profile: readOrdersProfile({ format: 'pain.001.001.09', ...profile }),
  }
  const never = () => Promise.reject(new Error('a bank that takes files is not called'))
  const caller: Connection = { kind: 'http_api', name: 'files', statement: never, submit: never, find: never }
  app.connections.push(caller)
  const accounts = await app.banks.accounts()
  await setSourceOfRecord(
    app,
    UNATTRIBUTED,
    accounts.map(({ id }) => id),
    'files',
  )
  const outbox = () => readdirSync(join(folder, 'outbox')).toSorted()
  return {
    folder,
    connection,
    outbox,
    staging: () => readdirSync(join(folder, 'staging')).toSorted(),
    /** As a program does that takes files to the bank: moves them away. Returns their texts. */
    fetch(): string[] {
      return outbox().map((name) => {
        const path = join(folder, 'outbox', name)
        const text = readFileSync(path, 'utf8')
        rmSync(path)
        return text
      })
    },
    /** Puts waiting payouts into batches and writes files, as the workers do when they are due. */
    async send(on: App = app): Promise<void> {
      const later = laterBy(on, CUT_SECONDS)
      while ((await cutBatches(later, [connection])) > 0);
      while ((await releaseBatches(on, [connection])) > 0);
    },
    /** By id: the clock of a test may have been ahead. */
    async newest(): Promise<Batch> {
      const batches = await listBatches(app.db, undefined, 1000)
      return batches.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1) as Batch
    },
  }
}

/** Withdrawals whose payouts wait to be sent. */
export async function waitingPayouts(app: App, shop: Shop, count: number, changes: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 + index, ...changes }))
    ids.push(body.data.transactionId as string)
  }
  while ((await dispatchWithdrawals(app)) > 0);
  return ids
}

/** The debit of a payout, as a statement shows it. */
export async function debitOf(app: App, id: string, changes: Partial<BankLine> = {}): Promise<BankLine> {
  const payout = await findPayout(app.db, id)
  const account = await app.banks.account(payout?.sourceAccountId ?? '')
  const now = app.clock.now()
  return {
    accountIban: account?.iban ?? '',
    bankReference: app.ids.next(),
    amount: payout?.amount ?? 0n,
    direction: 'debit',
    valueDate: istanbul(now).day,
    bookedAt: now,
    senderName: '',
    senderIban: null,
    narrative: payout?.description ?? '',
    ...changes,
  }
}
