import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import { formatMoney } from '../../platform/money.ts'
import type { Random } from '../../platform/random.ts'
import { invalidField, notRefused, Refusal } from '../../platform/refusal.ts'
import type { BankDirectory, BankOption } from '../banks/index.ts'
import { fits } from '../banks/index.ts'
import type { Deposit } from './deposit.ts'
import { EXPIRES_AFTER_MS } from './deposit.ts'
import { insertNewDeposits, selectUsedProcessIds } from './store.ts'

export type NewDeposit = Pick<Deposit, 'merchantId' | 'processId' | 'amount' | 'currency' | 'customer'> &
  Partial<Pick<Deposit, 'bankId' | 'metadata' | 'returnUrl' | 'language'>>

type Needs = { db: Db; clock: Clock; ids: Ids; random: Random; banks: BankDirectory }

/**
 * One outcome per request, in their order. All that are in order are written by one statement and one commit; one
 * that is refused never hurts its neighbours.
 */
export async function createDeposits(app: Needs, requests: NewDeposit[]): Promise<(Deposit | Refusal)[]> {
  const now = app.clock.now()
  const drafts = await Promise.all(requests.map((request) => draft(app, request, now)))
  const created = await insertAll(app, notRefused(drafts), now)
  const refused = requests.filter((_, index) => drafts[index] instanceof Refusal)
  // "Already used" is the truer answer to a repeated request, whatever else is wrong with it by now.
  const used = refused.length > 0 ? await selectUsedProcessIds(app.db, refused) : []
  return drafts.map((one, index) => {
    const { merchantId, processId } = requests[index] as NewDeposit
    if (!(one instanceof Refusal)) return created.has(one.id) ? one : duplicate(processId)
    return used.some((u) => u.merchantId === merchantId && u.processId === processId) ? duplicate(processId) : one
  })
}

async function insertAll(app: Needs, drafts: Deposit[], now: Date): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  // In key order, so that two processes with the same processIds wait for each other and never in a circle.
  const sorted = drafts.toSorted(byProcessId)
  const { inserted } = await app.db.transaction(async (tx) => ({
    inserted: tx.withCommit(insertNewDeposits(tx, sorted, now)),
  }))
  return inserted
}

async function draft(app: Needs, request: NewDeposit, now: Date): Promise<Deposit | Refusal> {
  const options = await app.banks.optionsFor(request.merchantId, request.currency)
  const bankId = request.bankId ?? null
  const refusal = rangeRefusal(options, bankId, request)
  if (refusal) return refusal
  return {
    ...request,
    id: app.ids.next(),
    status: 'pending',
    sequence: 0,
    bankId,
    collectingAccountId: bankId === null ? null : await assignAccount(app, bankId, request.currency),
    metadata: request.metadata ?? null,
    returnUrl: request.returnUrl ?? null,
    language: request.language ?? 'tr',
    receivedAmount: 0n,
    fee: 0n,
    flags: [],
    reason: null,
    expiresAt: new Date(now.getTime() + EXPIRES_AFTER_MS),
    createdAt: now,
    updatedAt: now,
  }
}

/** A chosen bank must be on the merchant's list and take the amount; without a choice, at least one must take it. */
function rangeRefusal(options: BankOption[], bankId: string | null, { amount, currency }: NewDeposit): Refusal | null {
  const chosen = bankId === null ? options : options.filter(({ id }) => id === bankId)
  if (bankId !== null && chosen.length === 0) {
    return invalidField('bankCode', 'must be the _id of a bank from GET /v1/available-banks, or "FAST"')
  }
  if (chosen.some((option) => fits(amount, option))) return null
  const [first] = chosen
  const range =
    chosen.length === 1 && first
      ? `${first.name} takes ${formatMoney(first.minAmount, currency)} to ${formatMoney(first.maxAmount, currency)}`
      : 'no available bank takes this amount'
  return new Refusal(
    'AMOUNT_OUT_OF_RANGE',
    `${range}; the amount ${amount} is ${formatMoney(amount, currency)}. Amounts are in the smallest unit (kuruş).`,
  )
}

async function assignAccount({ banks, random }: Needs, bankId: string, currency: string): Promise<string | null> {
  const accounts = await banks.accountsFor(bankId, currency)
  return accounts[random.bytes(4).readUInt32BE() % Math.max(1, accounts.length)]?.id ?? null
}

function byProcessId(a: Deposit, b: Deposit): number {
  const [left, right] = [a.merchantId + a.processId, b.merchantId + b.processId]
  return left < right ? -1 : Number(left > right)
}

function duplicate(processId: string): Refusal {
  return new Refusal(
    'DUPLICATE_TRANSACTION',
    `A deposit with processId ${JSON.stringify(processId)} already exists. See GET /v1/transactions?type=deposit&processId=…`,
  )
}
