import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import { balancesOf, bankAccount, bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { retryLine } from '../../packages/server/src/domain/matching/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine, listLines, unexplainedDebits } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { entriesOf, longBefore } from '../harness/entries.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { startSecondProcess } from '../harness/service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(100_000n)
const { ask } = openPayoutLines(service, shop)
const second = await startSecondProcess(service)
const accountId = (await bankCash(app.db))[0]?.collectingAccountId ?? assert.fail()
const iban = (await app.banks.account(accountId))?.iban ?? assert.fail()
const bookedAt = longBefore(app)

afterEach(async () => assert.deepEqual(await findDrift(app.db), []))

async function debit(amount: bigint): Promise<string> {
  const bankReference = app.ids.next()
  const day = { valueDate: istanbul(bookedAt).day, bookedAt }
  const line = { accountIban: iban, direction: 'debit' as const, amount, narrative: 'MASRAF', ...day }
  await ingest(app, [{ ...line, bankReference, senderName: '', senderIban: null }])
  await matchAll(app)
  const found = (await listLines(app.db, 'needs_review', 100)).find((one) => one.bankReference === bankReference)
  return found?.id ?? assert.fail('the debit does not need review')
}

const cash = async () => (await bankCash(app.db)).find((one) => one.collectingAccountId === accountId)?.amount
const unexplained = async () => (await balancesOf(app.db, [bankAccount('unexplained_debits', accountId, 'TRY')]))[0]
const bookAll = async () => {
  while ((await bookDebits(app)) > 0);
}

test('a debit is booked once when it is seen, on the day of the bank, by however many processes', async () => {
  const id = await debit(500n)
  await Promise.all([bookDebits(app), bookDebits(second), bookDebits(app)])
  await bookAll()
  assert.deepEqual([await cash(), await unexplained()], [99_500n, -500n])
  assert.deepEqual(await entriesOf(app, id, bookedAt), [['debit_receipt', 'system', 'bank']])
  assert.equal((await findLine(app.db, id))?.isBooked, true)
  assert.deepEqual(await unexplainedDebits(app.db), [])
})

test('the router counts a debit once, booked or not', async () => {
  const rest = 99_500n - BigInt(AMOUNT)
  await debit(rest)
  assert.equal((await unexplainedDebits(app.db))[0]?.amount, rest)
  const enough = await ask()
  await dispatchWithdrawals(app)
  assert.equal((await mustFind(app, enough)).state, 'sending')
  await bookAll()
  const tooMuch = await ask({ amount: 1 })
  await dispatchWithdrawals(app)
  const { state, stateReason } = await mustFind(app, tooMuch)
  assert.deepEqual([state, stateReason], ['queued', 'no_funds'])
})

test('a debit that is judged again, or explained by any version, is put back, and booked again if it stays unexplained', async () => {
  const id = await debit(70n)
  await bookAll()
  const [before, out] = [await cash(), await unexplained()]
  await retryLine(app, UNATTRIBUTED, id)
  await bookAll()
  assert.deepEqual([await cash(), await unexplained()], [(before ?? 0n) + 70n, (out ?? 0n) + 70n])
  await matchAll(app)
  await bookAll()
  assert.deepEqual([await cash(), await unexplained()], [before, out])
  // As the version before dismisses it: it does not know the flag.
  await app.db.query(sql`update bank_lines set state = 'dismissed', reason = 'dismissed' where id = ${id}`)
  await bookAll()
  assert.deepEqual([await cash(), await unexplained()], [(before ?? 0n) + 70n, (out ?? 0n) + 70n])
  assert.equal((await findLine(app.db, id))?.isBooked, false)
})
