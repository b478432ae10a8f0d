import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import type { RuleTerms } from '../../packages/server/src/domain/books/index.ts'
import { applyRules } from '../../packages/server/src/domain/books/index.ts'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import { seededRandom } from '../chaos/random.ts'
import type { Account } from '../harness/bank-days.ts'
import { startBankDays } from '../harness/bank-days.ts'
import { explainingPeople } from '../harness/explain-lines.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { refundBody, refundPath } from '../harness/refunds.ts'

// Another month: VEZNE_MONTH_SEED=8 npm test -- test/books/month.long.test.ts
// VEZNE_MONTH_SCALE: times as many events a day. VEZNE_MONTH_RULES=0: without line rules, so that people explain all.
const SEED = Number(process.env['VEZNE_MONTH_SEED'] ?? 7)
const SCALE = Number(process.env['VEZNE_MONTH_SCALE'] ?? 1)
const HAS_RULES = process.env['VEZNE_MONTH_RULES'] !== '0'
const DAYS = 30

const days = await startBankDays([
  { name: 'api', codes: ['0062', '0046'] },
  { name: 'camt', codes: ['0010', '0032'], format: 'camt.053' },
  { name: 'mt', codes: ['0015'], format: 'mt940' },
])
const { app, accounts, call } = days
const random = seededRandom(SEED)
const pick = <T>(list: T[]): T => list[random.below(list.length)] as T
const take = <T>(list: T[]): T | undefined => list.splice(random.below(list.length), 1)[0]
const amount = () => BigInt(random.between(10_000, 900_000))
const shop = await days.merchant()
/** By the texts of their lines. */
const returns = new Map<string, string>()
const splits = new Map<string, { depositId: string; amount: bigint }[]>()
const people = explainingPeople(days, {
  merchantId: shop.merchantId,
  returnOf: ({ narrative }) => returns.get(narrative),
  partsOf: ({ narrative }) => [...splits].find(([codes]) => narrative.includes(codes))?.[1],
})
const done: Record<string, number> = {}

/** Deposits that were paid, each used for one later event at most, with the day of the payment. */
const paid: { deposit: Deposit; account: Account; day: string }[] = []
const sent: string[] = []
const tasks: (() => Promise<unknown>)[] = []
/** Accounts whose statement of yesterday has changed. */
let changed = false
/** Entries of line rules. */
let booked = 0

async function pay(): Promise<void> {
  const account = pick(accounts)
  const deposit = await days.paidDeposit(shop.merchantId, account, 10_000n + amount())
  paid.push({ deposit, account, day: days.today() })
}

/** One that was credited, with its number at the bank; paid on that day, or on any. */
async function takeCredited(day?: string) {
  const lines = await days.linesOf('matched')
  const credited = paid.flatMap((one) => {
    const line = lines.find(({ depositId }) => depositId === one.deposit.id)
    return line?.bankReference && (day ?? one.day) === one.day ? [{ ...one, number: line.bankReference }] : []
  })
  const taken = take(credited)
  if (taken)
    paid.splice(
      paid.findIndex(({ deposit }) => deposit === taken.deposit),
      1,
    )
  return taken ?? null
}

const MORNING: Record<string, () => Promise<unknown>> = {
  pay,
  payAgain: pay,
  withdraw: async () => sent.push(await days.withdraw(shop, Number(amount()))),
  stranger: () => days.payAtBank(pick(accounts), amount(), 'FATURA', 'DOĞAN ÇELİK'),
  async split() {
    const account = pick(accounts)
    const parts = [
      await days.deposit(shop.merchantId, account, amount()),
      await days.deposit(shop.merchantId, account, amount()),
    ]
    const codes = parts.map(({ referenceCode }) => referenceCode).join(' ')
    splits.set(
      codes,
      parts.map(({ id, amount: its }) => ({ depositId: id, amount: its })),
    )
    await days.payAtBank(
      account,
      parts.reduce((sum, one) => sum + one.amount, 0n),
      codes,
    )
  },
  async short() {
    const account = pick(accounts)
    const { referenceCode, amount: asked } = await days.deposit(shop.merchantId, account, 20_000n + amount())
    await days.payAtBank(account, asked - 5_000n, referenceCode)
  },
}

const AFTERNOON: Record<string, () => Promise<unknown>> = {
  charge: () =>
    call('POST', `accounts/${pick(accounts).iban}/charge`, {
      amount: random.between(300, 3_000),
      text: 'FAST MASRAFI',
    }),
  interest: () => call('POST', `accounts/${pick(accounts).iban}/interest`, { amount: random.between(100, 9_000) }),
  async ownTransfer() {
    const from = pick(accounts)
    const toIban = pick(accounts.filter(({ id }) => id !== from.id)).iban
    await call('POST', `accounts/${from.iban}/own-transfer`, { toIban, amount: Number(amount()) })
  },
  async refund() {
    const one = await takeCredited()
    if (!one) return
    const ask = async () => {
      const { status, body } = await shop.post(refundPath(one.deposit.id), refundBody())
      if (status === 201) sent.push(body.data.transactionId as string)
      return status
    }
    // Of a report during the day: the statement of the evening confirms it.
    if ((await ask()) !== 201) tasks.push(async () => assert.equal(await ask(), 201))
  },
  async unmatch() {
    const one = await takeCredited()
    if (one) tasks.push(() => people.post('unmatch', { depositId: one.deposit.id, to: 'failed' }))
  },
  async storno() {
    const one = await takeCredited()
    if (one) await call('POST', `accounts/${one.account.iban}/bookings/${one.number}/storno`)
  },
  async returned() {
    const id = await takeSent()
    if (id) await call('POST', `transfers/${id}/return`, {})
  },
  async returnedLessCosts() {
    const id = await takeSent()
    if (!id) return
    const text = `GIDEN FAST IADESI ${returns.size + 1}.`
    returns.set(text, id)
    await call('POST', `transfers/${id}/return`, { costs: 350, text })
  },
  async correction() {
    const one = await takeCredited(days.today())
    if (one) await correct(one, {})
  },
  /** Of a day that is closed. */
  async lateCorrection() {
    const one = await takeCredited(addDays(days.today(), -1))
    if (!one) return
    await correct(one, { day: days.today() })
    changed = true
  },
}

async function takeSent(): Promise<string | undefined> {
  const id = take(sent)
  return id !== undefined && (await findPayout(app.db, id))?.state === 'sent' ? id : undefined
}

async function correct(one: NonNullable<Awaited<ReturnType<typeof takeCredited>>>, more: object): Promise<void> {
  const other = Number(one.deposit.amount) + random.between(1, 900)
  await call('POST', `accounts/${one.account.iban}/bookings/${one.number}/correct`, { amount: other, ...more })
}

async function some(of: Record<string, () => Promise<unknown>>, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const [name, act] = pick(Object.entries(of))
    done[name] = (done[name] ?? 0) + 1
    await act()
  }
}

const RULES: Pick<RuleTerms, 'kind' | 'direction' | 'words'>[] = [
  { kind: 'bank_charge', direction: 'debit', words: 'FAST MASRAFI' },
  { kind: 'bank_tax', direction: 'debit', words: 'BSMV FAST MASRAFI' },
  { kind: 'interest', direction: 'credit', words: 'MEVDUAT FAIZI' },
]

/** Once, before the month. */
async function agree(rule: (typeof RULES)[number]): Promise<void> {
  const terms = { ...rule, accountId: null, maxAmount: 10_000n, books: true, replaces: null }
  for (const actor of [AYSE, MEHMET])
    await makeProposal(app, actor, 'rule.set', terms, { reason: 'price list of the bank' })
}

const files = days.connections.filter(({ format }) => format !== null)

async function liveThrough(day: string): Promise<void> {
  await days.goTo(day, '10:00')
  await some(MORNING, SCALE * random.between(2, 5))
  await days.goTo(day, '12:00')
  // Some banks report a part of the day.
  if (random.below(2) === 0)
    for (const one of files)
      await days.exchange(one, { format: one.format === 'mt940' ? 'mt942' : 'camt.052', day, until: '12:00' })
  await days.takeIn()
  await days.goTo(day, '14:00')
  await some(AFTERNOON, SCALE * random.between(1, 4))
  await days.send()
  await days.goTo(day, '20:00')
  if (changed) for (const one of files) await days.exchange(one, { day: addDays(day, -1) })
  changed = false
  await days.takeIn()
  for (const one of files) await days.exchange(one, { day })
  await days.takeIn()
  for (const task of tasks.splice(0)) await task()
  booked += await applyRules(app)
  await people.explainAll()
}

test(`a month of random days over three kinds of connections, seed ${SEED}: every evening the ledger is the bank's own`, async (t) => {
  const before = days.tomorrow()
  const first = addDays(before, 1)
  if (HAS_RULES) for (const rule of RULES) await agree(rule)
  await days.goTo(before, '20:00')
  for (const account of accounts) await days.paidDeposit(shop.merchantId, account, 8_000_000n)
  for (const one of files) await days.exchange(one, { day: before })
  await days.takeIn()
  for (let count = 0; count < DAYS; count++) {
    const day = addDays(first, count)
    await liveThrough(day)
    assert.deepEqual(await days.mustEqualBank(day), [], `seed ${SEED}, day ${count}: nothing is left to explain`)
    await days.journal.assertSound()
    await days.goTo(addDays(day, 1), '09:00')
    await days.close(day)
  }
  assert.equal(await closedUntil(app.db), addDays(first, DAYS - 1))
  assert.equal(booked > 0, HAS_RULES)
  const lines = (await days.linesOf()).length
  const actions = people.actions() + (HAS_RULES ? 2 * RULES.length : 0)
  t.diagnostic(`seed ${SEED}: ${lines} lines, ${booked} entries by rules, ${actions} decisions of people about lines`)
  t.diagnostic(
    `${Math.round((1000 * actions) / lines)} per 1,000 lines: ${JSON.stringify({ ...done, explained: people.counts })}`,
  )
})
