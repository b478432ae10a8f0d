import assert from 'node:assert/strict'
import { balanceOf, bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { withdrawBody } from './examples.ts'
import type { startWithBank } from './payouts.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

export const AMOUNT = 10_000

type Service = Awaited<ReturnType<typeof startWithBank>>
type Shop = Awaited<ReturnType<Service['merchantWithMoney']>>
type Seen = { direction: string; state: string; reason: string }

/** What no code of ours writes: these lines become debits of the payout, whatever it has already. */
export function matchAsDebits(app: Pick<Service['app'], 'db'>, withdrawalId: string, ...lineIds: string[]) {
  return app.db.transaction(async (tx) => {
    await tx.query(sql`
      insert into line_parts (line_id, kind, subject, merchant_id, amount, explained_at)
      select l.id, 'payout', p.withdrawal_id, p.merchant_id, l.amount, now() from bank_lines l, payouts p
      where l.id = any(${lineIds}::text[]) and p.withdrawal_id = ${withdrawalId}`)
    await tx.query(sql`update bank_lines set state = 'matched' where id = any(${lineIds}::text[])`)
  })
}

/** Steps for tests of payout statement lines, with one merchant and the simulated bank. */
export function openPayoutLines(service: Service, shop: Shop) {
  const { app } = service

  async function ask(changes: object = {}): Promise<string> {
    const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT, ...changes }))
    return body.data.transactionId as string
  }

  /** Sends a payout without reading the statement. */
  async function sent(changes: object = {}): Promise<string> {
    const id = await ask(changes)
    await dispatchWithdrawals(app)
    await submitPayouts(app)
    return id
  }

  /** The debit line of a payout as the bank shows it; a test changes the field under test. */
  async function lineAbout(id: string, changes: Partial<BankLine>): Promise<BankLine> {
    const account = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
    const now = app.clock.now()
    return {
      accountIban: account?.iban ?? '',
      bankReference: app.ids.next(),
      amount: BigInt(AMOUNT),
      direction: 'debit',
      valueDate: istanbul(now).day,
      bookedAt: now,
      senderName: '',
      senderIban: null,
      narrative: `Para cekme ${id} REF:${id}`,
      ...changes,
    }
  }

  const linesAbout = (id: string) =>
    app.db.query<Seen>(sql`
      select direction, state, reason from bank_lines where narrative ilike ${`%${id}%`} order by direction desc, id`)

  /** Checks that the bank's balances equal the ledger's. */
  async function assertBankAgrees(): Promise<void> {
    const { accounts } = await service.call<{ accounts: { iban: string; balance: number }[] }>('GET', 'accounts')
    for (const { collectingAccountId, amount } of await bankCash(app.db)) {
      const iban = (await app.banks.account(collectingAccountId))?.iban
      assert.equal(accounts.find((one) => one.iban === iban)?.balance ?? 0, Number(amount))
    }
    assert.deepEqual(await findDrift(app.db), [])
  }

  const faults = (...kinds: string[]) => service.call('PUT', 'faults', { kinds, delayMs: 5 })
  const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
  const sendBack = (id: string) => service.call('POST', `transfers/${id}/return`)
  return { ask, sent, lineAbout, linesAbout, assertBankAgrees, faults, available, sendBack }
}
