import { setTimeout } from 'node:timers/promises'
import type { Transaction, Vezne } from '@vezne/sdk'
import { VezneError } from '@vezne/sdk'
import { amountOfMatch, fundMerchant, matchByHand, suspendByHand } from '../../../domain/matching/index.ts'
import { refundOf } from '../../../domain/books/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import { bankCash } from '../../../domain/ledger/index.ts'
import { findMerchant } from '../../../domain/merchants/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { linesOfDeposit, listLines } from '../../../domain/statements/index.ts'
import { decider } from '../core/decider.ts'
import { bankCodeOf, makeIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { mustFindDeposit } from '../operator/deposit.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { Explained, mustReadSandbox } from '../core/context.ts'
import type { Step } from './trigger-timeline.ts'
import { describeEvent, LOOK_EVERY_MS } from './trigger-timeline.ts'
import { travel } from '../sandbox/sim.ts'
import type { Bank } from '../sandbox/sim-pay.ts'
import { callBank, payFromWorld, payThroughBank } from '../sandbox/sim-pay.ts'

/** What the steps of a scenario need. `api` signs as the merchant; `say` adds a line to the timeline. */
export type ScenarioContext = {
  context: CliContext
  app: CliApp
  bank: Bank
  /** As the user named it, for advice. */
  merchant: string
  merchantId: string
  api: Vezne
  amount: number
  say: (what: string, more?: Partial<Step>) => void
}

/** The slowest step waits for two runs of workers that poll every second; a busy machine needs more. */
export const TIMEOUT_MS = 30_000

/** Enough for several scenarios and for fees, so that most scenarios need no funding deposit of their own. */
const FUND_TIMES = 3n
const LEAST_FUNDS = 1_000_000n

/** A deposit expires after 30 minutes. */
const PAST_DEADLINE = '+31m'

const CUSTOMER = { id: 'trigger', name: 'Ayşe Yılmaz', username: 'ayse' }

export async function createDeposit(scenario: ScenarioContext): Promise<string> {
  const { api, app, amount, say } = scenario
  const order = { processId: `trigger-${app.ids.next()}`, amount, bankCode: 'FAST', customer: CUSTOMER }
  const { transactionId } = await api.deposits.create(order)
  say(`deposit ${transactionId} created: ${money(scenario, amount)}`, { status: 'pending' })
  return transactionId
}

export async function cancel({ api, say }: ScenarioContext, id: string): Promise<void> {
  say('the merchant cancels it')
  await api.deposits.cancel(id)
}

/** The workers find and match the payment like any customer's. */
export async function customerPays(
  scenario: ScenarioContext,
  id: string,
  amount: number,
  sender = CUSTOMER.name,
): Promise<void> {
  const { app, bank, say } = scenario
  const deposit = await mustFindDeposit(app, id)
  const who = sender === CUSTOMER.name ? 'the customer' : `${sender}, who is not the customer,`
  say(`${who} pays ${money(scenario, amount)} with the code ${deposit.referenceCode}`)
  const payment = { ...deposit, amount: BigInt(amount), customer: { ...deposit.customer, name: sender } }
  await payFromWorld(app, bank, payment)
}

/** Found by this text: it has no code. */
export async function customerPaysWithoutCode(scenario: ScenarioContext, id: string): Promise<string> {
  const { app, bank, amount, say } = scenario
  const deposit = await mustFindDeposit(app, id)
  const text = `siparis ${deposit.processId}`
  say(`the customer pays ${money(scenario, amount)} with the description "${text}", without the code`)
  await payFromWorld(app, bank, { ...deposit, referenceCode: text })
  const line = await suspended(app, text)
  say(`no deposit has this text: the money is in suspense as line ${line.id} (${line.reason})`, { status: 'pending' })
  return line.id
}

/** The newest payment in suspense with this text. */
function suspended(app: CliApp, text: string): Promise<StoredLine> {
  return awaited(`The payment "${text}"`, async () => {
    return (await listLines(app.db, 'suspense', 50)).find(({ narrative }) => narrative.includes(text))
  })
}

/** Polls until there is one; the workers need a second or two. */
async function awaited<Found>(what: string, find: () => Promise<Found | undefined>): Promise<Found> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline)
      throw new Explained([`${what} was not seen within ${TIMEOUT_MS / 1000} s. See: npx vezne line list`])
    await setTimeout(LOOK_EVERY_MS)
  }
}

export async function operatorMatches({ app, say }: ScenarioContext, id: string, lineId: string): Promise<void> {
  say('an operator finds that the money is for this deposit (vezne line match)')
  await matchReceived(app, lineId, id, 'the customer has shown the receipt')
}

/** Whatever was received. */
async function matchReceived(app: CliApp, lineId: string, id: string, why: string): Promise<void> {
  const { amount } = await amountOfMatch(app, lineId, id)
  await matchByHand(app, decider(app, undefined), lineId, id, why, amount)
}

/** To who paid: one operator may. */
export async function operatorSendsBack(scenario: ScenarioContext, id: string): Promise<void> {
  const { context, app, say } = scenario
  const { logins = [] } = mustReadSandbox(context.readConfig())
  const operator = logins.find(({ audience }) => audience === 'operator')
  if (!operator) return say('the second payment waits in suspense: an operator can send it back')
  const { referenceCode } = await mustFindDeposit(app, id)
  const line = await suspended(app, referenceCode)
  const entry = { kind: 'refund_unexplained' as const, terms: { lineIds: [line.id] } }
  const reason = 'the customer has paid twice'
  const asked = await makeProposal(app, decider(app, operator.name), 'journal.entry', entry, { reason })
  if (asked.state !== 'applied') throw new Error(`The entry is ${asked.state}.`)
  say(`${operator.name} sends the second payment back (vezne journal propose refund_unexplained)`)
  const refund = await awaited('The refund', async () => {
    const sent = await refundOf(app.db, asked.result.id)
    return sent && ['completed', 'failed'].includes(sent.status) ? sent : undefined
  })
  say(`${formatMoney(refund.amount, refund.currency)} sent back to ${refund.iban}: ${refund.status}`)
}

export async function operatorAccepts({ app, say }: ScenarioContext, id: string): Promise<void> {
  say('an operator says that the money is for this deposit (vezne line match)')
  await matchReceived(app, await heldLine(app, id), id, 'the customer confirmed it')
}

export async function operatorRefuses({ app, say }: ScenarioContext, id: string): Promise<void> {
  say('an operator says that the money is not for this deposit (vezne line suspend)')
  await suspendByHand(app, decider(app, undefined), await heldLine(app, id))
}

async function heldLine(app: CliApp, id: string): Promise<string> {
  const { merchantId } = await mustFindDeposit(app, id)
  const held = (await linesOfDeposit(app.db, merchantId, id)).find(({ state }) => state === 'suspense')
  if (!held) throw new Refusal('INVALID_STATE', `No payment is held for deposit ${id}: npx vezne deposit show ${id}`)
  return held.id
}

export async function passDeadline({ context, app, say }: ScenarioContext): Promise<void> {
  say(`the sandbox's clock moves (${PAST_DEADLINE}), for everything in it: other pending deposits expire too`)
  await travel(context, app, PAST_DEADLINE)
}

/** The last four digits of the IBAN select the simulated bank's behaviour, overriding its other settings. */
export async function createWithdrawal(scenario: ScenarioContext, ending: string): Promise<string> {
  const { api, app, amount, say } = scenario
  const bankCode = (await bankHolding(app, amount)) ?? (await fund(scenario))
  const iban = makeIban(bankCode, `295000629${ending}`)
  const recipient = { accountName: CUSTOMER.name, iban, userId: CUSTOMER.id, userName: CUSTOMER.username }
  const order = { processId: `trigger-${app.ids.next()}`, amount, ...recipient, name: CUSTOMER.name }
  const { withdrawals } = api
  const { transactionId } = await withdrawals.create(order).catch(async (error: unknown) => {
    if (!(error instanceof VezneError) || error.code !== 'INSUFFICIENT_BALANCE') throw error
    await fund(scenario)
    return withdrawals.create(order)
  })
  say(`withdrawal ${transactionId} created: ${money(scenario, amount)} to ${iban}`, { status: 'pending' })
  return transactionId
}

/** Funds the merchant and one of our accounts at a bank. Returns that bank's code. */
async function fund(scenario: ScenarioContext): Promise<string> {
  const { context, app, merchantId, amount, say } = scenario
  const enough = BigInt(amount) * FUND_TIMES
  const funds = enough > LEAST_FUNDS ? enough : LEAST_FUNDS
  say(`the merchant gets ${formatMoney(funds, currencyOf(app))} first, by deposits with events of their own`)
  const merchant = await findMerchant(app, merchantId)
  const deposits = await fundMerchant(app, merchant, funds, currencyOf(app), payThroughBank(context, app))
  // The sandbox's own workers may be processing these lines right now, and finish a little later.
  for (const { id } of deposits) await happened(scenario, id, 'deposit.completed', 1)
  const bankCode = await bankHolding(app, amount)
  if (bankCode) return bankCode
  throw new Refusal(
    'INVALID_STATE',
    `No single account of ours holds ${money(scenario, amount)}. Use a smaller --amount.`,
  )
}

/** The code of a bank where one of our accounts holds the amount: within one bank, any amount can be sent at any time. */
async function bankHolding({ db, banks, ...app }: CliApp, amount: number): Promise<string | undefined> {
  const cash = await bankCash(db)
  const holds = (id: string) => cash.some((one) => one.collectingAccountId === id && one.amount >= BigInt(amount))
  const account = (await banks.accounts()).find(({ id, state, currency }) => {
    return state !== 'blocked' && currency === currencyOf(app) && holds(id)
  })
  return account && bankCodeOf(account.iban)
}

export async function recipientReturns({ bank, say }: ScenarioContext, id: string): Promise<void> {
  say("the recipient's bank sends the money back")
  await callBank(bank, 'POST', `transfers/${id}/return`)
}

/**
 * Waits until the event is recorded, then prints it. A change and its event are committed together and sequences have no gaps: a
 * transaction that has reached this sequence has recorded the event, even if more has happened since.
 */
export async function eventOf(scenario: ScenarioContext, id: string, event: string, sequence: number): Promise<void> {
  const seen = await happened(scenario, id, event, sequence)
  const { what, ...about } = await describeEvent(scenario, seen, { type: event, sequence })
  scenario.say(what, about)
}

async function happened(scenario: ScenarioContext, id: string, event: string, sequence: number): Promise<Transaction> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    const seen = await scenario.api.transactions.get(id)
    if (seen.sequence > sequence || (seen.sequence === sequence && ended(seen, event))) return seen
    if (seen.sequence === sequence) throw unexpected(scenario, seen, `This is not ${event}:`)
    // A scheduled withdrawal is retried after a minute at the earliest.
    if (performance.now() > deadline || scheduledFor(seen)) throw unexpected(scenario, seen, `No ${event} so far:`)
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** An update does not change the status: only the sequence number shows it. */
function ended(seen: Transaction, event: string): boolean {
  const { type, status } = seen
  const returned = type === 'withdrawal' && seen.returned
  return event === `${type}.updated` || event === `${type}.${returned ? 'returned' : status}`
}

function scheduledFor(seen: Transaction): string | undefined {
  return seen.type === 'withdrawal' ? seen.scheduledFor : undefined
}

const CHECKS = {
  deposit: [
    ['npx vezne merchant matching MERCHANT', 'another policy judges the payment in another way'],
    ['npx vezne line list', 'whether the payment has been read'],
  ],
  withdrawal: [
    ['npx vezne merchant payout-rules MERCHANT', 'a rule may ask for the approval of two people'],
    ['npx vezne payout list', 'what the bank was asked and has answered'],
  ],
} as const

function unexpected({ merchant }: ScenarioContext, seen: Transaction, what: string): Explained {
  const { transactionId: id, type, status } = seen
  const later = scheduledFor(seen)
  const remarks = type === 'deposit' ? [...seen.flags, seen.reason] : [seen.failureReason]
  const why = [...remarks, later && `scheduled for ${later}`].filter(Boolean)
  const checks = [
    [`npx vezne ${type} show ${id}`, 'where it stands, and why'],
    ...CHECKS[type],
    ['npx vezne up', 'what does the background work; npx vezne serve alone does not'],
  ]
  const lines = checks.map(([command = '', words]) => `  ${command.replace('MERCHANT', merchant)}  (${words})`)
  const found = `${what} ${type} ${id} is ${status}${why.length > 0 ? ` (${why.join(', ')})` : ''}. What to check:`
  return new Explained([found, ...lines])
}

function money({ app }: ScenarioContext, amount: number): string {
  return formatMoney(BigInt(amount), currencyOf(app))
}

function currencyOf({ currencies }: Pick<CliApp, 'currencies'>): string {
  return currencies[0] ?? 'TRY'
}
