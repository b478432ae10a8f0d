import type { MerchantActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { beforeSaving } from '../../platform/postgres/database-faults.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Compared } from '../../kernel/duplicate-transaction.ts'
import { duplicateTransaction } from '../../kernel/duplicate-transaction.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { money } from '../../kernel/refusals/facts.ts'
import type { Why } from '../../kernel/refusals/refuse.ts'
import { refuse, refuseField } from '../../kernel/refusals/refuse.ts'
import type { Random } from '../../platform/crypto/random.ts'
import { notRefused, Refusal } from '../../platform/refusal.ts'
import type { BankDirectory, BankOption } from '../banks/index.ts'
import { eftArrival, FAST, fits, INTERBANK_CURRENCY } from '../banks/index.ts'
import { repeated } from '../merchants/index.ts'
import type { AccountPool } from './account-pool.ts'
import type { Deposit, FirstDeposit } from './deposit.ts'
import { EXPIRES_AFTER_MS } from './deposit.ts'
import { makeReferenceCode } from '../../kernel/reference-code.ts'
import { insertNewDeposits, isUsedCode, selectByProcessIds } from './store.ts'

export type NewDeposit = Pick<Deposit, 'processId' | 'amount' | 'currency' | 'customer'> &
  Partial<Pick<Deposit, 'bankId' | 'metadata' | 'returnUrl' | 'language'>> & {
    /** A merchant creates deposits for itself only. */
    actor: MerchantActor
    /** Maximum number of open deposits of the merchant; no limit if absent, as for the sandbox's own deposits. */
    maxOpen?: number
    /** As the merchant's setting. */
    eftDeadlineHours?: number | null
    /** Signature of the request that created it; absent for deposits that we create ourselves. */
    signature?: string
  }

type Deps = { db: Db; clock: Clock; ids: Ids; random: Random; banks: BankDirectory; pool: AccountPool }

/**
 * Returns one outcome per request, in order. All valid requests are written by one statement and one
 * commit; a refused request does not affect the others.
 */
export async function createDeposits(app: Deps, requests: NewDeposit[]): Promise<(Deposit | Refusal)[]> {
  const now = app.clock.now()
  const drafts = await beforeSaving(Promise.all(requests.map((request) => draft(app, request, now))))
  const signatures = new Map(drafts.map((one, index) => [idOf(one), requests[index]?.signature]))
  const created = await insertAll(app, notRefused(drafts), signatures, now)
  const left = requests.filter((_, index) => !created.has(idOf(drafts[index])))
  // Saved deposits matter more than these counts, which are refreshed within half a minute.
  if (left.length > 0) await releaseUnused(app, drafts, requests, created).catch(() => undefined)
  // For a repeated request, "already used" takes precedence over any other error.
  const used = await usedBefore(app, left)
  return drafts.map((one, index) => {
    const request = requests[index] as NewDeposit
    if (!used) return created.get(idOf(one)) ?? outcomeUnknown()
    const first = used.get(requestKey(request))
    if (first && !created.has(idOf(one))) return duplicateTransaction('deposit', first, compareDeposits(first, request))
    // A valid request that is neither saved nor a duplicate was skipped because its signature was refused before.
    return one instanceof Refusal ? one : (created.get(one.id) ?? repeated(null))
  })
}

/** Repeated requests were counted as open deposits but created none. */
async function releaseUnused(
  { pool }: Deps,
  drafts: (Deposit | Refusal)[],
  requests: NewDeposit[],
  created: Map<string, Deposit>,
): Promise<void> {
  for (const [index, one] of drafts.entries()) {
    if (one instanceof Refusal || created.has(one.id) || requests[index]?.maxOpen === undefined) continue
    await pool.release(one)
  }
}

/** Two codes in a billion are equal; then the batch is written again with new codes. */
async function insertAll(
  app: Deps,
  drafts: Deposit[],
  signatures: Map<string, string | undefined>,
  createdAt: Date,
): Promise<Map<string, Deposit>> {
  if (drafts.length === 0) return new Map()
  // In key order, so that two processes with the same processIds wait for each other without deadlock.
  let list = sortBy(drafts, processKey)
  for (let tries = 1; ; tries++) {
    try {
      const listed = list.map(({ id }) => signatures.get(id) ?? null)
      const ids = await app.db.oneStatement((tx) => insertNewDeposits(tx, list, listed, createdAt))
      return new Map(list.filter(({ id }) => ids.has(id)).map((one) => [one.id, one]))
    } catch (error) {
      if (!isUsedCode(error) || tries === MAX_TRIES) throw error
      list = list.map((one) => ({ ...one, referenceCode: makeReferenceCode(app.random) }))
    }
  }
}

/** One collision is bad luck; more mean a broken random source. */
const MAX_TRIES = 5

async function draft(app: Deps, request: NewDeposit, createdAt: Date): Promise<Deposit | Refusal> {
  const { merchantId } = request.actor
  const options = await app.banks.optionsFor(merchantId, request.currency)
  const bankId = request.bankId ?? null
  const refusal = rangeRefusal(options, bankId, request)
  if (refusal) return namingTheBank(app.banks, request, refusal)
  const { processId, amount, currency, customer, maxOpen } = request
  if (maxOpen !== undefined) {
    const open = await app.pool.admit(merchantId, maxOpen)
    if (open >= maxOpen) return tooManyOpen(open, maxOpen)
  }
  // Field by field: spreading the request and adding twenty fields costs several microseconds per deposit.
  return {
    merchantId,
    processId,
    amount,
    currency,
    customer,
    id: app.ids.next(),
    status: 'pending',
    sequence: 0,
    bankId,
    collectingAccountId: bankId === null ? null : await app.pool.assign(merchantId, bankId, currency, amount),
    metadata: request.metadata ?? null,
    returnUrl: request.returnUrl ?? null,
    language: request.language ?? 'tr',
    receivedAmount: 0n,
    refundedAmount: 0n,
    takenBackAmount: 0n,
    duplicateAmount: 0n,
    fee: 0n,
    flags: [],
    reason: null,
    referenceCode: makeReferenceCode(app.random),
    version: 0,
    claimedAt: null,
    accountChangedAt: null,
    previousAccountIds: [],
    expiresAt: await expiryOf(app, request, options, createdAt),
    createdAt,
    updatedAt: createdAt,
  }
}

/** Half an hour, by contract; if the merchant wants it, as long as an EFT transfer takes that is sent now. */
async function expiryOf(
  { banks }: Deps,
  { amount, eftDeadlineHours }: NewDeposit,
  options: BankOption[],
  createdAt: Date,
): Promise<Date> {
  const usual = new Date(createdAt.getTime() + EXPIRES_AFTER_MS)
  const fast = options.find(({ id }) => id === FAST)
  if (!eftDeadlineHours || !fast || amount <= fast.maxAmount) return usual
  return eftArrival(createdAt, EXPIRES_AFTER_MS, eftDeadlineHours, await banks.holidays()) ?? usual
}

/** Returns null if the database does not respond. What was saved before that is saved, and is returned as such. */
async function usedBefore(app: Deps, requests: NewDeposit[]): Promise<Map<string, FirstDeposit> | null> {
  if (requests.length === 0) return new Map()
  const wanted = requests.map(({ actor, processId }) => ({ merchantId: actor.merchantId, processId }))
  try {
    return new Map((await selectByProcessIds(app.db, wanted)).map((first) => [processKey(first), first]))
  } catch {
    return null
  }
}

function outcomeUnknown(): Refusal {
  return refuse('deposit_outcome_unknown', {}, { retryAfterSeconds: 2 })
}

function idOf(one: Deposit | Refusal | undefined): string {
  return one === undefined || one instanceof Refusal ? '' : one.id
}

function processKey({ merchantId, processId }: { merchantId: string; processId: string }): string {
  return `${merchantId}/${processId}`
}

function requestKey({ actor, processId }: NewDeposit): string {
  return `${actor.merchantId}/${processId}`
}

/** The count is at most a few seconds old. Retrying sooner is useless; a deposit ends after half an hour at the latest. */
const COUNTED_AGAIN_SECONDS = 5

function tooManyOpen(open: number, most: number): Refusal {
  return refuse('deposits_open_too_many', { open, most }, { retryAfterSeconds: COUNTED_AGAIN_SECONDS })
}

/** A chosen bank must be on the merchant's list and accept the amount; without a choice, at least one bank must accept it. */
export function rangeRefusal(
  options: BankOption[],
  bankId: string | null,
  { amount, currency }: Pick<NewDeposit, 'amount' | 'currency'>,
): Refusal | null {
  const chosen = bankId === null ? options : options.filter(({ id }) => id === bankId)
  if (bankId !== null && chosen.length === 0) {
    if (bankId === FAST && currency !== INTERBANK_CURRENCY)
      return refuseField('bankCode', 'bank_without_currency', { currency })
    return refuseField('bankCode', 'bank_not_listed', { given: bankId })
  }
  if (chosen.some((option) => fits(amount, option))) return null
  const asked = { amount: money(amount, currency), kurus: String(amount) }
  const [first, ...others] = chosen
  if (!first) return refuse('banks_unavailable', asked)
  const minAmount = others.reduce((least, one) => (one.minAmount < least ? one.minAmount : least), first.minAmount)
  const maxAmount = others.reduce((most, one) => (one.maxAmount > most ? one.maxAmount : most), first.maxAmount)
  const limits = {
    ...asked,
    ...{ min: money(minAmount, currency), max: money(maxAmount, currency) },
    ...{ minKurus: String(minAmount), maxKurus: String(maxAmount) },
  }
  const details = { minAmount: Number(minAmount), maxAmount: Number(maxAmount) }
  // The ranges of several banks may leave gaps.
  return others.length === 0
    ? refuse('amount_outside_bank', { ...limits, bank: first.name }, { details })
    : refuse('amount_outside_banks', limits, { details })
}

/** Names a bank that exists but is not offered: "must be the _id" would suggest a typing mistake. */
async function namingTheBank(banks: BankDirectory, { bankId = null }: NewDeposit, refusal: Refusal): Promise<Refusal> {
  if (bankId === null || refusal.why !== ('bank_not_listed' satisfies Why)) return refusal
  const bank = await banks.bank(bankId)
  if (!bank) return refusal
  const facts = { bank: bank.name, code: bank.code, isDisabled: !bank.enabled }
  return refuseField('bankCode', 'bank_not_offered', facts)
}

function sortBy<Item>(items: Item[], keyOf: (item: Item) => string): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ item }) => item)
}

type Request = Pick<Deposit, 'amount' | 'currency' | 'customer'> &
  Partial<Pick<Deposit, 'bankId' | 'metadata' | 'returnUrl' | 'language'>>

/** Compares every field of the request; absent optional fields with their defaults. */
function compareDeposits(first: FirstDeposit, again: Request): Compared {
  return {
    amount: [first.amount, again.amount],
    currency: [first.currency, again.currency],
    bankCode: [first.requestedBankId, again.bankId ?? null],
    'customer.id': [first.customer.id, again.customer.id],
    'customer.name': [first.customer.name, again.customer.name],
    'customer.username': [first.customer.username, again.customer.username],
    // Serialised and parsed like the stored one: -0 becomes 0.
    metadata: [first.metadata, JSON.parse(JSON.stringify(again.metadata ?? null))],
    returnUrl: [first.returnUrl, again.returnUrl ?? null],
    language: [first.language, again.language ?? 'tr'],
  }
}
