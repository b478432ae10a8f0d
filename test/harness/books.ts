import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { addDays, istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { proveDay } from '../../packages/server/src/domain/books/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { closeDay } from './day-proposals.ts'
import { withdrawBody } from './examples.ts'
import { ingest, lineFor, matchAll, someDeposits } from './payments.ts'
import { startPlainBank } from './plain-bank.ts'
import { startService } from './service.ts'
import { travelTo } from './until.ts'

export const AYSE = operatorActor('ayse.yilmaz')
export const MEHMET = operatorActor('mehmet.kaya')

/** A service with a bank that accepts payouts, two people, and lines that the test writes. */
export async function startBooks(changes: Parameters<typeof startService>[0] = {}) {
  const service = await startService(changes)
  const { app } = service
  const bank = await startPlainBank()
  app.connections.push(bankApiConnection(bank.connection))
  for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const today = () => istanbul(app.clock.now()).day
  const source = app.connections[0]?.name ?? ''
  let offsetSeconds = 0

  /** Moves business time to noon in Istanbul, so many days later. */
  async function later(days: number): Promise<string> {
    const noon = startOfDay(addDays(today(), days)).getTime() + 12 * 3_600_000
    offsetSeconds += Math.round((noon - app.clock.now().getTime()) / 1000)
    await travelTo(app, offsetSeconds)
    return today()
  }

  async function take(...lines: BankLine[]): Promise<void> {
    await ingest(app, lines, source)
    await matchAll(app)
  }

  async function deposit(merchantId: string, amount: bigint, line: Partial<BankLine> = {}) {
    const [one] = await someDeposits(app, merchantId, 1, amount)
    if (!one) throw new Error('no deposit')
    await take(await lineFor(app, one, line))
    return one
  }

  /** A line on the account that has the most cash, or on the first. */
  async function lineOf(changes: Partial<BankLine>): Promise<BankLine> {
    const [account] = await app.banks.accounts()
    const bookedAt = changes.bookedAt ?? app.clock.now()
    const fixed = { direction: 'credit' as const, senderName: 'Bilinmeyen', senderIban: null, narrative: 'havale' }
    const text = { accountIban: account?.iban ?? '', bankReference: app.ids.next(), amount: 100n }
    return { ...fixed, ...text, valueDate: istanbul(bookedAt).day, bookedAt, ...changes }
  }

  type Shop = Awaited<ReturnType<typeof service.merchant>>

  /** Accepted by the bank; its debit is not read yet. */
  async function payout(shop: Shop, amount: number): Promise<string> {
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount }))
    await dispatchWithdrawals(app)
    await submitPayouts(app)
    return body.data.transactionId as string
  }

  async function debitOf(withdrawalId: string, changes: Partial<BankLine> = {}): Promise<BankLine> {
    const sent = await findPayout(app.db, withdrawalId)
    const account = await app.banks.account(sent?.sourceAccountId ?? '')
    const terms = { accountIban: account?.iban ?? '', amount: sent?.amount ?? 0n, direction: 'debit' as const }
    return lineOf({ ...terms, senderName: '', narrative: `Para cekme ${withdrawalId}`, ...changes })
  }

  /** The bank gives the balances of a day: the lines that it counts until then, and `more` on accounts with lines of the day. */
  async function giveBalances(day: string, more = 0n): Promise<void> {
    const before = addDays(day, -1)
    await app.db.transaction(async (tx) => {
      await tx.query(sql`
        insert into statements (id, collecting_account_id, connection, from_day, to_day, created_at)
        select substr(md5(random()::text), 1, 24), s.collecting_account_id, s.connection, ${day}::date, ${day}::date, min(s.created_at)
        from statements s where s.from_day < ${day}::date group by s.collecting_account_id, s.connection
        on conflict on constraint statements_once do nothing`)
      await tx.query(sql`
        update statements s set
          opening_balance = (select coalesce(sum(l.amount), 0) from day_lines l
            where l.collecting_account_id = s.collecting_account_id and l.state <> 'dismissed' and l.day <= ${before}::date),
          closing_balance = case when exists (select 1 from day_lines l where l.statement_id = s.id) then ${more}::bigint else 0 end + (select coalesce(sum(l.amount), 0) from day_lines l
            where l.collecting_account_id = s.collecting_account_id and l.state <> 'dismissed' and l.day <= ${day}::date)
        where s.from_day = ${day}`)
    })
  }

  /** By two people. */
  async function close(day: string, reason?: string) {
    await closeDay(app, AYSE, day, reason)
    return closeDay(app, MEHMET, day, reason)
  }

  const prove = (day: string) => proveDay(app.db, day)
  return { ...service, today, later, take, deposit, lineOf, payout, debitOf, giveBalances, close, prove }
}
