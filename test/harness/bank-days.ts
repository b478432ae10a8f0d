import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { listAccounts, setAccountState } from '../../packages/server/src/domain/banks/index.ts'
import { proveDay } from '../../packages/server/src/domain/books/index.ts'
import { addConnection, setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import type { Deposit } from '../../packages/server/src/domain/deposits/index.ts'
import { createDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import {
  dispatchWithdrawals,
  queryPayoutStatus,
  sendOrderFiles,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import { importFile, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { startInboxes } from '../../packages/server/src/edges/workers/inboxes.ts'
import { merchantActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bankCodeOf, makeIban } from '../../packages/server/src/kernel/iban.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { laterBy } from './crash.ts'
import { closeDay } from './day-proposals.ts'
import { withdrawBody } from './examples.ts'
import { AYSE, MEHMET, openJournal } from './journal.ts'
import { matchAll } from './payments.ts'
import { startWithBank } from './payouts.ts'
import { contentOf } from './statement-files.ts'
import { travelTo } from './until.ts'

export type Account = Awaited<ReturnType<typeof listAccounts>>[number]
/** Without a format, the connection is the API of the bank. */
type Wanted = { name: string; codes: string[]; format?: 'camt.053' | 'mt940' }
type Connected = { name: string; accounts: Account[]; format: Wanted['format'] | null; folder: string }
type BankBooking = { number: string; direction: 'credit' | 'debit'; amount: number; endToEnd: string | null }
export type BankDay = { day: string; opening: number; closing: number; bookings: BankBooking[] }
export type Exchanged = { orders: { refused: object | null; accepted: number; rejected: number }[]; files: string[] }

/** The service and the simulated bank live through days together, over the connections that are wanted. */
export async function startBankDays(wanted: Wanted[]) {
  const service = await startWithBank()
  const { app, call, connection } = service
  const folder = mkdtempSync(join(tmpdir(), 'vezne-days-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const connections: Connected[] = []
  const all = await listAccounts(app.db)
  for (const { name, codes, format = null } of wanted) {
    const accounts = all.filter(({ iban }) => codes.includes(bankCodeOf(iban)))
    const terms = { kind: 'file_exchange', folder: join(folder, name), orders: { format: 'pain.001.001.09' } } as const
    if (format !== null) await addConnection(app, UNATTRIBUTED, name, terms)
    const ids = accounts.map(({ id }) => id)
    await setSourceOfRecord(app, UNATTRIBUTED, ids, format === null ? connection.name : name)
    connections.push({ name, accounts, format, folder: terms.folder })
  }
  await app.loadConnections()
  const accounts = connections.flatMap((one) => one.accounts)
  // Those of no connection take no part.
  const others = all.filter(({ id }) => !accounts.some((one) => one.id === id))
  await app.db.transaction(async (tx) => {
    for (const { id } of others) await setAccountState(app, tx, id, 'blocked')
  })
  const journal = await openJournal(app)
  let look: () => Promise<number> = () => Promise.resolve(0)
  startInboxes(app, ({ work }) => {
    look = work
    return { poke: () => undefined, stop: () => Promise.resolve() }
  })
  const today = () => istanbul(app.clock.now()).day

  /** Both clocks, to a time in Istanbul. */
  async function goTo(day: string, time: string): Promise<void> {
    const now = new Date(`${day}T${time}:00+03:00`)
    await travelTo(app, Math.round((now.getTime() - Date.now()) / 1000))
    await call('PUT', 'clock', { now: now.toISOString() })
  }

  async function deposit(merchantId: string, account: Account, amount: bigint): Promise<Deposit> {
    const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
    const request = { amount, currency: 'TRY', bankId: account.bankId, customer, processId: app.ids.next() }
    const [made] = notRefused(await createDeposits(app, [{ actor: merchantActor(merchantId), ...request }]))
    assert.equal(made?.collectingAccountId, account.id)
    return made
  }

  /** A customer pays at the bank, with the code of a deposit or any text. */
  const payAtBank = ({ iban: toIban }: Account, amount: bigint, description: string, senderName = 'Ayşe Yılmaz') =>
    call('POST', 'payments', { toIban, amount: Number(amount), description, senderName })

  async function paidDeposit(merchantId: string, account: Account, amount: bigint): Promise<Deposit> {
    const made = await deposit(merchantId, account, amount)
    await payAtBank(account, amount, made.referenceCode)
    return made
  }

  type Shop = Awaited<ReturnType<typeof service.merchant>>
  let recipients = 1000

  /** To an account of its own, at a bank where we have none. */
  async function withdraw(shop: Shop, amount: number): Promise<string> {
    const iban = makeIban('0064', String(7_000_000_000 + 10 * recipients++))
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount, iban }))
    return body.data.transactionId as string
  }

  /** Payouts that are due leave: over the API, or into order files. */
  async function send(): Promise<void> {
    while ((await dispatchWithdrawals(app)) + (await submitPayouts(app)) + (await queryPayoutStatus(app)) > 0);
    while ((await sendOrderFiles(laterBy(app, 300), true)) > 0);
  }

  /** The bank executes what is in the outbox, and writes reports and statements; `statements` null: none of these. */
  const exchange = (at: Connected, statements: object | null, report: object = {}): Promise<Exchanged> =>
    call('POST', 'files/exchange', {
      folder: at.folder,
      accounts: at.accounts.map(({ iban }) => iban),
      statements: statements && { format: at.format, ...statements },
      report,
    })

  /** A bank that contradicts an earlier statement is asked, and a person imports what it confirms. */
  async function acceptCorrections(): Promise<void> {
    for (const { folder: its, name: connection } of connections.filter(({ format }) => format !== null)) {
      const at = join(its, 'refused')
      const reports = readdirSync(at).filter((name) => name.endsWith('.report.txt'))
      for (const report of reports) {
        if (!readFileSync(join(at, report), 'utf8').includes('is not in this statement')) continue
        const path = join(at, report.replace('.report.txt', ''))
        const content = contentOf(report, readFileSync(path, 'utf8'))
        const options = { connection, account: null, profile: null, acceptProblems: 'the bank confirmed it by phone' }
        await importFile(app, UNATTRIBUTED, content, options)
        for (const done of [path, join(at, report)]) rmSync(done)
      }
    }
  }

  /** Everything that the banks have sent is imported and judged; nothing else may be refused. */
  async function takeIn(): Promise<void> {
    // A file is taken at the second look.
    for (let looks = 0; looks < 2; looks++) await look()
    await acceptCorrections()
    if (connections.some(({ format }) => format === null)) await service.readStatement()
    await matchAll(app)
    await journal.bookAll()
    for (const { folder: its } of connections.filter(({ format }) => format !== null)) {
      const at = join(its, 'refused')
      const reports = readdirSync(at).filter((name) => name.endsWith('.report.txt'))
      assert.deepEqual(
        reports.map((name) => readFileSync(join(at, name), 'utf8')),
        [],
      )
      assert.deepEqual(readdirSync(join(its, 'inbox')), [])
    }
  }

  async function bankDay({ iban }: Account, day: string): Promise<BankDay> {
    const { days } = await call<{ days: BankDay[] }>('GET', `ledger/days?account=${iban}&from=${day}`)
    return days.find((one) => one.day === day) ?? assert.fail('the bank has no such day')
  }

  /** Our books are the bank's own books, but for differences that have a name. Returns these. */
  async function mustEqualBank(day: string) {
    const proof = await proveDay(app.db, day)
    const named = []
    for (const account of accounts) {
      const its = proof.accounts.find(({ iban }) => iban === account.iban) ?? assert.fail('an account is not proven')
      const { opening, closing } = await bankDay(account, day)
      const where = `${account.iban} on ${day}`
      assert.deepEqual([its.unexplained, its.differences.filter(({ kind }) => kind === 'unexplained')], [0n, []], where)
      assert.equal(its.ledger + its.differences.reduce((sum, { amount }) => sum + amount, 0n), BigInt(closing), where)
      if (its.closing !== null)
        assert.deepEqual([its.opening, its.closing, its.missingLines], [BigInt(opening), BigInt(closing), 0n], where)
      named.push(...its.differences)
    }
    return named
  }

  /** By two people. */
  async function close(day: string): Promise<void> {
    await closeDay(app, AYSE, day)
    const { state } = await closeDay(app, MEHMET, day)
    assert.equal(state, 'applied')
  }

  /** In any of these states; all without them. */
  const linesOf = async (...states: StoredLine['state'][]) => {
    if (states.length === 0) return listLines(app.db, undefined, null)
    return (await Promise.all(states.map((state) => listLines(app.db, state, null)))).flat()
  }

  const actions = { goTo, deposit, payAtBank, paidDeposit, withdraw, send, exchange, takeIn, close }
  const facts = { today, bankDay, mustEqualBank, linesOf, tomorrow: () => addDays(today(), 1) }
  return { ...service, connections, accounts, journal, ...actions, ...facts }
}
