import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import type { App } from '../../packages/server/src/compose.ts'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { createDeposits, findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { matchLines, matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import type { BankLine, ImportResult } from '../../packages/server/src/domain/statements/index.ts'
import { importLines } from '../../packages/server/src/domain/statements/index.ts'
import { notRefused, Refusal } from '../../packages/server/src/platform/refusal.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const CUSTOMER = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }

/** Deposits by FAST with an account assigned, as created by a merchant. */
export async function someDeposits(app: App, merchantId: string, count: number, amount = 125_000n): Promise<Deposit[]> {
  const requests = Array.from({ length: count }, () => ({
    actor: merchantActor(merchantId),
    processId: app.ids.next(),
    amount,
    currency: 'TRY',
    bankId: 'FAST',
    customer: CUSTOMER,
  }))
  return notRefused(await createDeposits(app, requests))
}

/** The bank line of a correct payment; a test changes the field under test. */
export async function lineFor(app: App, deposit: Deposit, changes: Partial<BankLine> = {}): Promise<BankLine> {
  const account = await app.banks.account(deposit.collectingAccountId ?? '')
  const now = app.clock.now()
  return {
    accountIban: account?.iban ?? '',
    bankReference: app.ids.next(),
    amount: deposit.amount,
    direction: 'credit',
    valueDate: istanbul(now).day,
    bookedAt: now,
    senderName: deposit.customer.name,
    senderIban: null,
    narrative: `FAST ${deposit.referenceCode} odeme`,
    ...changes,
  }
}

/** A bank line that is for no deposit. */
export async function unknownPayment(app: App, changes: Partial<BankLine> = {}): Promise<BankLine> {
  const [account] = await app.banks.accounts()
  const now = app.clock.now()
  return {
    ...{ accountIban: account?.iban ?? '', bankReference: app.ids.next(), amount: 1_234n, direction: 'credit' },
    ...{
      valueDate: istanbul(now).day,
      bookedAt: now,
      senderName: 'Veli Can',
      senderIban: null,
      narrative: 'bilinmiyor',
    },
    ...changes,
  }
}

/** From the source of record of each account, unless another is named: deposits get any account, also one that a test has connected. */
export async function ingest(app: App, lines: BankLine[], source?: string): Promise<ImportResult> {
  const records = new Map((await listAccounts(app.db)).map(({ iban, connection }) => [iban, connection]))
  const sourceOf = ({ accountIban }: BankLine) => source ?? records.get(accountIban) ?? 'test'
  const total: ImportResult = { imported: 0, known: 0, suspected: 0, notBooked: [] }
  await app.db.transaction(async (tx) => {
    for (const [from, some] of Map.groupBy(lines, sourceOf)) {
      const { imported, known, suspected, notBooked } = await importLines(app, tx, from, some)
      total.imported += imported
      total.known += known
      total.suspected += suspected
      total.notBooked.push(...notBooked)
    }
  })
  return total
}

/** More than a machine that is only busy refuses in a row. */
const MOST_REFUSED = 20

/**
 * Until nothing is left to do. As a worker's, a run that is refused for the moment comes again: PostgreSQL ends a transaction that a
 * busy machine lets wait for two seconds, and nothing of it was saved.
 */
export async function untilDone(work: () => Promise<number>): Promise<void> {
  for (let refused = 0; ;) {
    try {
      if ((await work()) === 0) return
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE' || ++refused > MOST_REFUSED) throw error
    }
  }
}

/** Until nothing is left to decide. */
export function matchAll(app: App): Promise<void> {
  return untilDone(async () => (await matchLines(app)) + (await matchPayoutLines(app)))
}

export async function payDeposit(app: App, deposit: Deposit, changes: Partial<BankLine> = {}): Promise<Deposit> {
  await ingest(app, [await lineFor(app, deposit, changes)])
  await matchAll(app)
  return reloadDeposit(app, deposit)
}

export async function reloadDeposit(app: App, { merchantId, id }: Deposit): Promise<Deposit> {
  const deposit = await findDeposit(app.db, merchantId, id)
  if (!deposit) throw new Error(`Deposit ${id} is gone.`)
  return deposit
}
