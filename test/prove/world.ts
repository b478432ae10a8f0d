import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../packages/server/src/compose.ts'
import { compose } from '../../packages/server/src/compose.ts'
import { listAccounts, setAccountState } from '../../packages/server/src/domain/banks/index.ts'
import { applyRules, bookDebits, bookSaid } from '../../packages/server/src/domain/books/index.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { fetchLines, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { createDeposits, expireDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { createMerchant, findMerchant, setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import type { MatchingRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { importFile } from '../../packages/server/src/domain/statements/index.ts'
import { createWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { merchantActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bankCodeOf } from '../../packages/server/src/kernel/iban.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { closeDay } from '../harness/day-proposals.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { matchAll } from '../harness/payments.ts'
import { camt, contentOf, PLAIN } from '../harness/statement-files.ts'
import { travelTo } from '../harness/until.ts'
import type { Bank, ModelLine } from './bank-model.ts'
import type { Party } from './truth.ts'

const OURS = ['0010', '0015', '0046', '0062']
/** As in live: from 10.000,00 TL two people match by hand. */
const LIVE_LIMIT = 1_000_000n

export type Account = Awaited<ReturnType<typeof listAccounts>>[number]
type NewShop = {
  name: string
  matching: Partial<MatchingRules>
  depositFee: { bps: bigint; fixed: bigint }
  withdrawFee: { bps: bigint; fixed: bigint }
}

/** The real service on a database of its own. Payouts reach `bank` by a connection, statements by files. */
export async function openWorld() {
  const database = await cloneDatabase()
  const app = compose(testConfig(), database.url)
  await app.checkoutKeys.load()
  const unfollow = await app.clock.follow(app.db, () => undefined)
  let bank: Bank | null = null
  const connection = connectionTo(() => bank)
  app.connections.push(connection)
  for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const accounts = await ourAccounts(app, connection.name)

  async function stop(): Promise<void> {
    await unfollow()
    await app.db.end()
    await database.drop()
  }

  /** Business time, in Istanbul. */
  async function goTo(day: string, time: string): Promise<void> {
    const now = new Date(`${day}T${time}:00+03:00`)
    await travelTo(app, Math.round((now.getTime() - Date.now()) / 1000))
  }

  /** The bank's statement of the day, or its report of noon. */
  async function takeIn(day: string, account: Account, what: 'statement' | 'report'): Promise<void> {
    const its = bank?.dayOf(account.iban, day)
    if (!its) throw new Error('There is no bank.')
    const bookings = (what === 'statement' ? its.lines : its.early).map(bookingOf)
    const head = { iban: account.iban, day, id: `${what}-${day}`, bookings }
    const text =
      what === 'statement'
        ? camt('053', { ...head, opening: Number(its.opening), closing: Number(its.closing) })
        : camt('052', head)
    const options = { ...PLAIN, connection: connection.name, acceptProblems: 'the bank confirmed it by phone' }
    await importFile(app, UNATTRIBUTED, contentOf(`${account.iban}-${day}.${what}.xml`, text), options)
  }

  /** What the workers do until nothing is left. */
  async function work(): Promise<number> {
    await matchAll(app)
    while ((await bookDebits(app)) > 0);
    return (await bookSaid(app)) + (await applyRules(app))
  }

  /** Once the statement of the day has told of every payment in time. */
  async function expire(): Promise<void> {
    while ((await fetchLines(app, connection)) > 0);
    while ((await expireDeposits(app)) > 0);
  }

  async function send(): Promise<void> {
    while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) > 0);
  }

  async function close(day: string): Promise<boolean> {
    await closeDay(app, AYSE, day)
    return (await closeDay(app, MEHMET, day)).state === 'applied'
  }

  const hasReport = ({ iban }: Account, day: string) => (bank?.dayOf(iban, day).early.length ?? 0) > 0
  const setBank = (its: Bank) => void (bank = its)
  return { app, accounts, stop, setBank, hasReport, goTo, takeIn, work, expire, send, close, ...merchantActs(app) }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** One account at each of our banks; the others take no part. */
async function ourAccounts(app: App, connection: string): Promise<Account[]> {
  const all = await listAccounts(app.db)
  const isOurs = ({ iban, currency }: Account) => currency === 'TRY' && OURS.includes(bankCodeOf(iban))
  const accounts = all.filter(isOurs).toSorted((a, b) => (a.iban < b.iban ? -1 : 1))
  if (!isDeepStrictEqual(accounts.map(({ iban }) => bankCodeOf(iban)).toSorted(), OURS))
    throw new Error('The accounts of the sandbox have changed.')
  const ids = accounts.map(({ id }) => id)
  await setSourceOfRecord(app, UNATTRIBUTED, ids, connection)
  await app.db.transaction(async (tx) => {
    for (const { id } of all) if (!ids.includes(id)) await setAccountState(app, tx, id, 'blocked')
  })
  return accounts
}

/** It answers orders as the model says, and has no statements: these come as files. */
function connectionTo(bankNow: () => Bank | null): Connection {
  return {
    kind: 'http_api',
    name: 'bank-of-the-month',
    statement: (cursor) =>
      Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
    submit(order) {
      const { answer, number } = bankNow()?.receive(order) ?? { answer: 'pending', number: '' }
      if (answer === 'accepted') return Promise.resolve({ outcome: 'accepted', bankReference: number })
      return Promise.resolve(
        answer === 'pending' ? { outcome: 'pending' } : { outcome: 'rejected', reason: 'account_closed' },
      )
    },
    find: () => Promise.resolve({ outcome: 'pending' }),
  }
}

function bookingOf({ number, amount, direction, party, text, time }: ModelLine) {
  const { name, iban } = party
  return {
    ...{ number, amount: Number(amount), text, time },
    ...(direction === 'debit' && { debit: true as const }),
    ...(name !== '' && { sender: name }),
    ...(iban !== null && { iban }),
  }
}

/** What merchants ask of the service. */
function merchantActs(app: App) {
  async function merchant({ name, matching, depositFee, withdrawFee }: NewShop): Promise<string> {
    const inNumbers = ({ bps, fixed }: NewShop['depositFee']) => ({ bps: Number(bps), fixed })
    const fees = { depositFee: inNumbers(depositFee), withdrawFee: inNumbers(withdrawFee) }
    const { merchantId } = await createMerchant(app, UNATTRIBUTED, { name, ...fees, maxOpenDeposits: 100_000 })
    await setMatching(app, UNATTRIBUTED, merchantId, { ...matching, approveFrom: LIVE_LIMIT })
    return merchantId
  }

  async function deposit(merchantId: string, account: Account, amount: bigint, name: string) {
    const customer = { id: `c-${name}`, name, username: 'customer' }
    const terms = { processId: app.ids.next(), amount, currency: 'TRY', bankId: account.bankId, customer }
    const [made] = notRefused(await createDeposits(app, [{ actor: merchantActor(merchantId), ...terms }]))
    if (made?.collectingAccountId !== account.id) throw new Error('The deposit has another account.')
    return { id: made.id, code: made.referenceCode }
  }

  async function withdraw(merchantId: string, amount: bigint, { name, iban }: Party): Promise<string> {
    const { fees: feeTerms } = await findMerchant(app, merchantId)
    const who = { iban, accountName: name, userId: `u-${name}`, userName: 'customer', name }
    const terms = { processId: app.ids.next(), amount, currency: 'TRY', bankId: null, feeTerms }
    const [made] = notRefused(await createWithdrawals(app, [{ actor: merchantActor(merchantId), ...terms, ...who }]))
    if (!made) throw new Error('The withdrawal was not made.')
    return made.id
  }

  return { merchant, deposit, withdraw }
}
