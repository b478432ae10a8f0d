import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { sumOf } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { BankDirectory, CollectingAccount } from '../../banks/index.ts'
import { bankCash, isBalanced, NO_MERCHANT, postHolds } from '../../ledger/index.ts'
import type { ConfirmedMoney } from './confirmed-money.ts'
import { confirmedMoney } from './confirmed-money.ts'
import type { Merchant, PayoutRules } from '../../merchants/index.ts'
import { merchantsInForce, payoutRulesInForce, settlementIbans } from '../../merchants/index.ts'
import type { Connection } from '../../connections/index.ts'
import { onlyCandidate } from '../../connections/index.ts'
import { runBatch } from '../../set-aside/index.ts'
import { unexplainedDebits } from '../../statements/index.ts'
import { logDiffers } from './doubt-payout.ts'
import type { Payout } from './payout.ts'
import type { PayoutAccount } from './route.ts'
import { routePayout } from './route.ts'
import type { SendingDeps } from './sending/hand-over.ts'
import { handOver } from './sending/hand-over.ts'
import { withMark } from './payout-mark.ts'
import type { Usage } from './store.ts'
import {
  insertIntents,
  lockRouting,
  selectInFlight,
  selectPayoutsById,
  selectSentSince,
  selectUsageSince,
} from './store.ts'
import type { WithdrawalViews } from '../change-withdrawal.ts'
import type { StateReason, Withdrawal } from '../withdrawal.ts'
import { changeWithdrawal } from '../change-withdrawal.ts'
import { claimToRoute, lockWithdrawal, selectKnownIbans } from '../store.ts'
import { mustHaveMark } from '../withdrawal-mark.ts'

export type DispatchDeps = SendingDeps & {
  ids: Ids
  banks: BankDirectory
  views: WithdrawalViews
  connections: Connection[]
}

/** Withdrawals per transaction. */
const BATCH_SIZE = 100
/** The account may have been funded by then. */
const LOOK_AGAIN_MS = 60_000

/**
 * Decides on withdrawals that may be sent: approval by two people, the bank, or a later time. For those sent
 * to the bank, the payout is stored and the money moved into transit here, before any call to the bank.
 */
export async function dispatchWithdrawals(app: DispatchDeps): Promise<number> {
  // A process without connections leaves the decisions to processes that have them.
  if (app.connections.length === 0) return 0
  const { moved } = await runBatch<Withdrawal, Withdrawal>(app, {
    what: 'withdrawal',
    transact: (work) => handOver(app, work),
    idOf: ({ id }) => id,
    claim: (tx, only) => claim(app, tx, only),
    work: (tx, withdrawals) => routeAll(app, tx, withdrawals),
    async mark(tx, { merchantId, id }, _error, scheduledFor) {
      const withdrawal = await lockWithdrawal(tx, merchantId, id)
      if (withdrawal?.status !== 'pending') return
      await changeWithdrawal(app, tx, withdrawal, { state: 'queued', stateReason: 'cannot_be_booked', scheduledFor })
    },
  })
  return moved
}

async function claim(app: DispatchDeps, tx: Tx, only?: Withdrawal[]): Promise<Withdrawal[]> {
  await lockRouting(tx)
  const withdrawals = await claimToRoute(tx, app.clock.now(), BATCH_SIZE, only)
  return withdrawals.length > 0 && (await isBalanced(app, tx)) ? withdrawals : []
}

async function routeAll(app: DispatchDeps, tx: Tx, withdrawals: Withdrawal[]): Promise<Withdrawal[]> {
  const context = await loadContext(app, tx, withdrawals)
  const intents: Payout[] = []
  for (const withdrawal of withdrawals) {
    const payout = await decide(app, tx, context, withdrawal)
    if (payout) intents.push(payout)
  }
  if (intents.length > 0) await insertPayouts(app, tx, intents)
  return withdrawals
}

/** Also moves the money into transit. */
async function insertPayouts(app: DispatchDeps, tx: Tx, intents: Payout[]): Promise<void> {
  // Someone may have written one into the database. It stays, to be compared before it is sent; the others are not held up.
  const found = (
    await selectPayoutsById(
      tx,
      intents.map(({ withdrawalId }) => withdrawalId),
    )
  ).map(({ withdrawalId }) => withdrawalId)
  if (found.length > 0) logDiffers(app, found)
  const missing = intents.filter(({ withdrawalId }) => !found.includes(withdrawalId))
  await insertIntents(tx, missing, app.clock.now())
  await postHolds(
    app,
    tx,
    intents.map(({ merchantId, withdrawalId }) => ({ merchantId, subjectId: withdrawalId })),
  )
}

/** Everything needed to decide on a batch, and what the batch itself has already used. */
type BatchContext = {
  merchants: Map<string, Merchant>
  knownIbans: Set<string>
  /** Merchants' own accounts, registered by two people. */
  ownIbans: Set<string>
  usage: Usage[]
  sources: PayoutAccount[]
  confirmed: ConfirmedMoney
}

async function loadContext(app: DispatchDeps, tx: Tx, withdrawals: Withdrawal[]): Promise<BatchContext> {
  const merchantIds = [...new Set(withdrawals.map(({ merchantId }) => merchantId))]
  const midnight = startOfDay(istanbul(app.clock.now()).day)
  // Cash is read last: what is booked between the statements is then subtracted twice, and never left out.
  const [merchants, knownIbans, ownIbans, usage, inFlight, sent, unexplained, cash] = await Promise.all([
    merchantsInForce({ db: tx, marks: app.marks }, merchantIds),
    selectKnownIbans(tx, withdrawals),
    settlementIbans({ db: tx, marks: app.marks }, merchantIds),
    selectUsageSince(tx, merchantIds, midnight),
    selectInFlight(tx),
    selectSentSince(tx, midnight),
    unexplainedDebits(tx),
    bankCash(tx),
  ])
  const sources = (await app.banks.accounts()).map(
    ({ id, iban, currency, state, dailySendLimit, stoppedBy, ...account }) => ({
      id,
      iban,
      currency,
      state,
      stoppedBy,
      dailySendLimit,
      connection: connectionFor(app.connections, account),
      balance:
        sumOf(cash.filter(({ collectingAccountId }) => collectingAccountId === id)) -
        sumOf(inFlight.filter(({ sourceAccountId }) => sourceAccountId === id)) -
        // It left the bank for an unknown reason and is not booked yet.
        sumOf(unexplained.filter(({ collectingAccountId }) => collectingAccountId === id)),
      sentToday: sumOf(sent.filter(({ sourceAccountId }) => sourceAccountId === id)),
    }),
  )
  const confirmed = await confirmedMoney(tx, withdrawals)
  return { merchants, knownIbans, ownIbans, usage, sources, confirmed }
}

type Chosen = Pick<CollectingAccount, 'connection' | 'awaitsConnection'>

/** The account's own connection, or the only one if it has none. Null if it is not here, sends nothing, or a person must choose it. */
function connectionFor(connections: Connection[], { connection: wanted, awaitsConnection }: Chosen): string | null {
  if (awaitsConnection) return null
  const found = wanted === null ? onlyCandidate(connections) : connections.find(({ name }) => name === wanted)
  return found && !found.sendsNothing ? found.name : null
}

async function decide(
  app: DispatchDeps,
  tx: Tx,
  context: BatchContext,
  withdrawal: Withdrawal,
): Promise<Payout | null> {
  await mustHaveMark(app, withdrawal)
  const firstTimeIban = !context.knownIbans.has(withdrawal.merchantId + withdrawal.iban)
  const reason = withdrawal.approvedBy ? null : ruleAgainst(app, context, withdrawal)
  if (reason) {
    await changeWithdrawal(app, tx, withdrawal, { state: 'awaiting_approval', stateReason: reason, firstTimeIban })
    return null
  }
  const now = app.clock.now()
  if (!context.confirmed.covers(withdrawal)) {
    const scheduledFor = new Date(now.getTime() + LOOK_AGAIN_MS)
    await changeWithdrawal(app, tx, withdrawal, { state: 'queued', stateReason: 'unconfirmed', scheduledFor, firstTimeIban }) // prettier-ignore
    return null
  }
  const route = routePayout(withdrawal, context.sources, now, await app.banks.holidays(), await app.banks.fastCaps())
  if (route.kind !== 'send') {
    const scheduledFor = route.kind === 'schedule' ? route.at : new Date(now.getTime() + LOOK_AGAIN_MS)
    const stateReason = route.kind === 'schedule' ? 'eft_closed' : route.why
    await changeWithdrawal(app, tx, withdrawal, { state: 'queued', stateReason, scheduledFor, firstTimeIban })
    return null
  }
  reserve(context, withdrawal, route.sourceId)
  context.confirmed.use(withdrawal)
  const { sourceId: sourceAccountId, connection, rail } = route
  await changeWithdrawal(app, tx, withdrawal, {
    state: 'sending',
    sourceAccountId,
    rail,
    firstTimeIban,
    scheduledFor: null,
  })
  return payoutFor(app, withdrawal, connection, sourceAccountId, rail, now)
}

function ruleAgainst(
  app: Pick<DispatchDeps, 'sandbox'>,
  { merchants, ownIbans, usage }: BatchContext,
  { merchantId, iban, amount, currency, approvalRequired, settlement }: Withdrawal,
): StateReason | null {
  if (approvalRequired) return 'refund_recipient'
  // Two people registered the account, which no one may have replaced since.
  if (settlement) return ownIbans.has(merchantId + iban) ? null : 'settlement_account'
  // Its journal entry took the people that it takes.
  if (merchantId === NO_MERCHANT) return null
  const merchant = merchants.get(merchantId)
  if (!merchant) throw new Error(`There is no merchant ${merchantId}.`)
  if (merchant.unrecorded.includes('payout_rules')) return 'merchant_rules'
  const total = (rows: Usage[]) => ({
    amount: sumOf(rows),
    count: rows.reduce((sum, row) => sum + row.count, 0),
  })
  // What went to the merchant's own account does not use up what its customers may get.
  const counts = (row: Usage) => row.iban === iban || !ownIbans.has(merchantId + row.iban)
  const ofMerchant = usage.filter((row) => row.merchantId === merchantId && row.currency === currency && counts(row))
  const ofIban = ofMerchant.filter((row) => row.iban === iban)
  return approvalReason(amount, payoutRulesInForce(merchant.payoutRules, app), total(ofMerchant), total(ofIban))
}

/** The next withdrawals of the batch must see what this one uses. */
function reserve(
  { usage, sources }: BatchContext,
  { merchantId, iban, amount, currency }: Withdrawal,
  sourceId: string,
): void {
  usage.push({ merchantId, iban, currency, amount, count: 1 })
  const source = sources.find(({ id }) => id === sourceId)
  if (!source) return
  source.balance -= amount
  source.sentToday += amount
}

/** Large senders must describe transfers in at least twenty characters; the reference makes them traceable. */
export function payoutFor(
  app: Pick<SendingDeps, 'marks'>,
  withdrawal: Withdrawal,
  connection: string,
  sourceAccountId: string,
  rail: string,
  now: Date,
): Promise<Payout> {
  const { merchantId, id, amount, currency, iban, accountName, refundOf } = withdrawal
  const fresh = { state: 'ready' as const, fence: 0, submits: 0, queries: 0, bankReference: null, reason: null }
  const terms = { merchantId, withdrawalId: id, amount, currency, iban, accountName }
  return withMark(app, {
    ...terms,
    ...fresh,
    sourceAccountId,
    connection,
    rail,
    description: `${refundOf === null ? 'Para cekme' : 'Iade'} ${id}`,
    purposeCode: PURPOSE,
    nextAt: now,
    createdAt: now,
    unknownSince: null,
    sentAt: null,
    mark: null,
  })
}

/** "Commercial payment" in the central bank's code list. */
const PURPOSE = '06'

type DayUsage = { amount: bigint; count: number }

/** The reason why two people must approve a withdrawal; null if none is needed. */
function approvalReason(
  amount: bigint,
  rules: PayoutRules,
  merchantToday: DayUsage,
  ibanToday: DayUsage,
): 'amount' | 'merchant_day' | 'iban_day' | null {
  if (rules.approvalThreshold !== null && amount >= rules.approvalThreshold) return 'amount'
  if (exceeds(amount, merchantToday, rules.dailyAmount, rules.dailyCount)) return 'merchant_day'
  if (exceeds(amount, ibanToday, rules.dailyIbanAmount, rules.dailyIbanCount)) return 'iban_day'
  return null
}

function exceeds(amount: bigint, today: DayUsage, maxAmount: bigint | null, maxCount: number | null): boolean {
  if (maxCount !== null && today.count + 1 > maxCount) return true
  return maxAmount !== null && today.amount + amount > maxAmount
}
