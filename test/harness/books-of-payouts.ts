import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { openReceivables, reportDay } from '../../packages/server/src/domain/books/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { openCommandLine } from './command-line.ts'
import { openAdvice } from './follow-advice.ts'
import { openJournal } from './journal.ts'
import { openPayoutLines } from './payout-lines.ts'
import { startWithBank } from './payouts.ts'

/** A merchant with money, the bank, the journal and the command line. After each test books and bank agree, and nothing is left to decide or owed. */
export async function openBooksOfPayouts() {
  const service = await startWithBank()
  const { app } = service
  const shop = await service.merchantWithMoney(1_000_000n)
  const journal = await openJournal(app)
  const lines = openPayoutLines(service, shop)
  const { run, stop } = openCommandLine({
    DATABASE_URL: service.databaseUrl,
    VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  })
  after(stop)

  afterEach(async () => {
    await journal.assertSound()
    const { accounts } = await reportDay(app, istanbul(app.clock.now()).day)
    assert.deepEqual(
      accounts.filter(({ unexplained }) => unexplained !== 0n),
      [],
    )
    const left = await listLines(app.db, undefined, 1000)
    assert.deepEqual(
      left.filter(({ state }) => state === 'suspense' || state === 'needs_review'),
      [],
    )
    assert.deepEqual(await openReceivables(app.db), [])
  })

  /** A line about a payout, by default its debit. Returns its id. */
  const arrives = async (id: string, changes: Partial<BankLine> = {}) =>
    journal.arrives('debit', 0n, await lines.lineAbout(id, changes))

  return { app, shop, journal, ...lines, ...openAdvice(app, run), run, arrives }
}
