import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { reportDay } from '../../packages/server/src/domain/books/index.ts'
import { listWithoutDebit } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { openJournal } from './journal.ts'
import { openPayoutLines } from './payout-lines.ts'
import { startWithBank } from './payouts.ts'

/** A service whose bank debits payouts in several lines. After each test bank and ledger are even, and every payout has its debit. */
export async function startPayoutParts() {
  const service = await startWithBank()
  const { app } = service
  const shop = await service.merchantWithMoney(1_000_000n, { withdrawFee: { bps: 100 } })
  const journal = await openJournal(app)
  const payouts = openPayoutLines(service, shop)
  const { sent, lineAbout, faults } = payouts

  const dayOf = (daysAgo: number) => istanbul(new Date(app.clock.now().getTime() - daysAgo * DAY_MS)).day
  async function differencesOn(day: string) {
    const { accounts } = await reportDay(app, day)
    return accounts.flatMap(({ differences }) => differences.map(({ kind, amount }) => [kind, amount]))
  }
  const inTenDays = () => new Date(app.clock.now().getTime() + 10 * DAY_MS)

  afterEach(async () => {
    await journal.assertSound()
    assert.deepEqual(await differencesOn(dayOf(0)), [])
    assert.deepEqual(await listWithoutDebit({ ...app, clock: { ...app.clock, now: inTenDays } }, 10), [])
  })

  const part = async (id: string, amount: bigint, changes: Partial<BankLine> = {}) =>
    journal.arrives('debit', 0n, await lineAbout(id, { amount, ...changes }))
  const halves = async (id: string) => [await part(id, 6000n), await part(id, 4000n)]

  /** A payout whose outcome is not known. */
  async function unknown(): Promise<string> {
    await faults('error_after')
    const id = await sent()
    await service.call('DELETE', 'faults')
    assert.equal((await findPayout(app.db, id))?.state, 'asking')
    return id
  }

  async function assertIts(id: string, lineIds: string[]): Promise<void> {
    for (const lineId of lineIds) {
      assert.deepEqual((await journal.stateOf(lineId)).slice(0, 2), ['matched', 'payout_sent'])
      assert.equal((await findLine(app.db, lineId))?.withdrawalId, id)
    }
    assert.equal((await findPayout(app.db, id))?.state, 'sent')
  }

  return { service, app, journal, ...payouts, dayOf, differencesOn, part, halves, unknown, assertIts }
}
