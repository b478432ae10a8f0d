import type { MerchantActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Compared } from '../../kernel/duplicate-transaction.ts'
import { duplicateTransaction } from '../../kernel/duplicate-transaction.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { feeOn } from '../../kernel/money.ts'
import { money } from '../../kernel/refusals/facts.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { notRefused, Refusal, refusalAbout } from '../../platform/refusal.ts'
import { holdAccounts, lockAccounts, readyHolds, spendable } from '../ledger/index.ts'
import type { FeeTerms } from '../merchants/index.ts'
import { repeated, termsAt } from '../merchants/index.ts'
import type { Known } from './store.ts'
import { insertSpecial, insertWithdrawals, selectKnownRequests, selectWithdrawalsById } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'
import { markOf } from './withdrawal-mark.ts'

export type NewWithdrawal = Pick<
  Withdrawal,
  'processId' | 'amount' | 'currency' | 'bankId' | 'iban' | 'accountName' | 'userId' | 'userName' | 'name'
> &
  Partial<Pick<Withdrawal, 'metadata' | 'refundOf' | 'refundReason' | 'settlement' | 'approvalRequired'>> & {
    /** A merchant creates withdrawals for itself only. */
    actor: MerchantActor
    feeTerms: readonly FeeTerms[]
    /** Signature of the request that created it. */
    signature?: string
  }

type Deps = { db: Db; clock: Clock; ids: Ids; marks: Marks }

/**
 * One outcome per request, in order. Locks the merchants' accounts in id order, decides in arrival order, and writes
 * with a fixed number of statements and one commit.
 */
export async function createWithdrawals(app: Deps, requests: NewWithdrawal[]): Promise<(Withdrawal | Refusal)[]> {
  return app.db.transaction(async (tx) => {
    const { outcomes, writes } = await startCreating(app, tx, requests, insertWithdrawals)
    if (writes) void tx.withCommit(writes)
    return outcomes
  })
}

/** Creates one refund or settlement in an open transaction. */
export async function createSpecial(
  app: Omit<Deps, 'db'>,
  tx: Tx,
  request: NewWithdrawal,
): Promise<Withdrawal | Refusal> {
  const { outcomes, writes } = await startCreating(app, tx, [request], insertSpecial)
  await writes
  return outcomes[0] as Withdrawal | Refusal
}

/** All of these or none, in an open transaction: the first refusal is thrown. */
export async function createTogether(app: Omit<Deps, 'db'>, tx: Tx, requests: NewWithdrawal[]): Promise<void> {
  const { outcomes, writes } = await startCreating(app, tx, requests, insertWithdrawals)
  await writes
  const at = outcomes.findIndex((outcome) => outcome instanceof Refusal)
  const refused = outcomes[at]
  if (refused instanceof Refusal) throw refusalAbout(requests[at]?.processId ?? '', refused)
}

type Outcomes = { outcomes: (Withdrawal | Refusal)[]; writes?: Promise<unknown> }

/** `writes`: sent and not yet finished. */
async function startCreating(
  app: Omit<Deps, 'db'>,
  tx: Tx,
  requests: NewWithdrawal[],
  insert: typeof insertWithdrawals,
): Promise<Outcomes> {
  // Pipelined; the second statement runs after the first and sees everything committed before the locks were taken.
  const [accounts, known] = await Promise.all([
    lockAccounts(
      tx,
      requests.flatMap(({ actor, currency }) => Object.values(holdAccounts(actor.merchantId, currency))),
    ),
    selectKnownRequests(tx, requests),
  ])
  const used = new Map(
    (await findDuplicates(tx, requests, known)).map((first) => [processKey(first.merchantId, first.processId), first]),
  )
  const refusedBefore = new Set(known.filter((one) => one.refusedBefore).map(({ place }) => place))
  const now = app.clock.now()
  const remaining = await balancesFor(app, accounts, requests)
  const outcomes = requests.map((request, index) => {
    const { currency, amount } = request
    const { merchantId } = request.actor
    const key = processKey(merchantId, request.processId)
    const first = used.get(key)
    if (first) return duplicateTransaction('withdrawal', first, compareWithdrawals(first, request))
    if (refusedBefore.has(index + 1)) return repeated(null)
    const balanceKey = keyOfBalance(merchantId, currency)
    const available = remaining.get(balanceKey) ?? 0n
    const withdrawal = draft(app, request, now)
    const needed = amount + withdrawal.fee
    if (needed > available) return insufficient(needed, available, currency)
    remaining.set(balanceKey, available - needed)
    used.set(key, withdrawal)
    return withdrawal
  })
  const created = notRefused(outcomes)
  if (created.length === 0) return { outcomes }
  const holds = created.map(({ merchantId, id, currency, amount, fee }) => {
    return { merchantId, subjectId: id, currency, amount: amount + fee }
  })
  await setMarks(app, created)
  const place = await readyHolds(app, accounts, holds)
  return { outcomes, writes: Promise.all([insert(tx, created, now), place(tx)]) }
}

const keyOfBalance = (merchantId: string, currency: string) => `${merchantId}/${currency}`

async function balancesFor(
  { marks }: Pick<Deps, 'marks'>,
  accounts: Awaited<ReturnType<typeof lockAccounts>>,
  requests: NewWithdrawal[],
): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>()
  for (const { actor, currency } of requests) {
    const key = keyOfBalance(actor.merchantId, currency)
    if (balances.has(key)) continue
    balances.set(key, await spendable(marks, accounts, holdAccounts(actor.merchantId, currency).available))
  }
  return balances
}

/** In place, because copying the rows is slower. */
export async function setMarks({ marks }: Pick<Deps, 'marks'>, drafts: Withdrawal[]): Promise<void> {
  for (const one of drafts) one.mark = await markOf(marks, one)
}

/** Existing withdrawals with the processIds of these requests. */
export async function findDuplicates(
  tx: Tx,
  requests: Pick<NewWithdrawal, 'actor'>[],
  known: Known[],
): Promise<Withdrawal[]> {
  const wanted = known.flatMap(({ place, id }) => {
    const request = requests[place - 1]
    return request && id !== null ? [{ merchantId: request.actor.merchantId, id }] : []
  })
  return wanted.length > 0 ? selectWithdrawalsById(tx, wanted) : []
}

/** Field by field, as for deposits: spreading the request and adding fifteen fields is slower. */
export function draft({ ids }: Pick<Deps, 'ids'>, request: NewWithdrawal, now: Date): Withdrawal {
  return {
    merchantId: request.actor.merchantId,
    processId: request.processId,
    amount: request.amount,
    currency: request.currency,
    bankId: request.bankId,
    iban: request.iban,
    accountName: request.accountName,
    userId: request.userId,
    userName: request.userName,
    name: request.name,
    metadata: request.metadata ?? null,
    refundOf: request.refundOf ?? null,
    refundReason: request.refundReason ?? null,
    settlement: request.settlement === true,
    approvalRequired: request.approvalRequired === true,
    approvedBy: null,
    id: ids.next(),
    fee: feeOn(request.amount, termsAt(request.feeTerms, now).withdraw),
    status: 'pending',
    sequence: 0,
    failureReason: null,
    state: request.approvalRequired ? 'awaiting_approval' : 'queued',
    stateReason: request.approvalRequired ? 'refund_recipient' : null,
    firstTimeIban: false,
    rail: null,
    sourceAccountId: null,
    scheduledFor: null,
    bankReference: null,
    createdAt: now,
    updatedAt: now,
    mark: null,
  }
}

function processKey(merchantId: string, processId: string): string {
  return `${merchantId}/${processId}`
}

function insufficient(needed: bigint, available: bigint, currency: string): Refusal {
  const facts = { needed: money(needed, currency), available: money(available, currency) }
  const details = { available: Number(available), needed: Number(needed) }
  return refuse('withdrawal_above_balance', facts, { details })
}

type Request = Pick<
  Withdrawal,
  'amount' | 'currency' | 'bankId' | 'accountName' | 'iban' | 'userId' | 'userName' | 'name'
> &
  Partial<Pick<Withdrawal, 'metadata' | 'refundOf'>>

/** Compares every field of the request; IBANs in compact form. */
function compareWithdrawals(first: Request, again: Request): Compared {
  return {
    amount: [first.amount, again.amount],
    currency: [first.currency, again.currency],
    bankId: [first.bankId, again.bankId],
    accountName: [first.accountName, again.accountName],
    iban: [first.iban, again.iban],
    userId: [first.userId, again.userId],
    userName: [first.userName, again.userName],
    name: [first.name, again.name],
    refundOf: [first.refundOf ?? null, again.refundOf ?? null],
    // Serialised and parsed like the stored one: -0 becomes 0.
    metadata: [first.metadata ?? null, JSON.parse(JSON.stringify(again.metadata ?? null))],
  }
}
