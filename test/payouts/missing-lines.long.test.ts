import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines, reviewTotals } from '../../packages/server/src/domain/statements/index.ts'
import { accountsShowingDebits } from '../../packages/server/src/domain/statements/store.ts'
import { debitByHand, listWithoutDebit, missingLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  dispatchWithdrawals,
  recordSentByHand,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  selectWithoutDebit,
  sumWithoutDebit,
} from '../../packages/server/src/domain/withdrawals/payouts/unseen/store.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { planOf, withWaitingLines } from '../harness/plans.ts'
import { checkHistory } from '../harness/history.ts'
import { travelTo, until } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { ask, sent, lineAbout } = openPayoutLines(service, shop)
await addOperator(app, UNATTRIBUTED, 'ayse.yilmaz', DECIDING)
const WEEK = 7 * 86_400
const masterKey = app.config.masterKey.toString('hex')
const { run, stop } = openCommandLine({ DATABASE_URL: service.databaseUrl, VEZNE_MASTER_KEY: masterKey })
after(stop)

async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(`${service.baseUrl}/metrics`)
  assert.equal(response.status, 200)
  const lines = (await response.text())
    .split('\n')
    .filter((line) => /^vezne_(payouts|debits|credits)_(?!.*_seconds)/.test(line))
  return new Map(lines.map((line) => line.split(' ')).map(([name, value]) => [name as string, Number(value)]))
}

/** Shifts what was done into the past, for commands, which go by real time. */
const age = (days: number) =>
  app.db.query(sql`update payouts set updated_at = updated_at - make_interval(days => ${days})`)

test('metrics are given while the database hangs, without these', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin; lock table payouts in access exclusive mode')
  assert.equal((await scrape()).size, 0)
  await client.end()
})

test('nothing is missing: none is reported, and the gauges say zero', async () => {
  await ask()
  await service.work()
  await travelTo(app, WEEK)
  assert.deepEqual(await missingLines(app), { payouts: [], returns: [], debits: [], credits: [] })
  await travelTo(app, 0)
  const gauges = await until(scrape, ({ size }) => size === 8)
  assert.deepEqual(new Set(gauges.values()), new Set([0]))
})

test('completed and its debit not read: reported after two business days, until the debit is read', async () => {
  const id = await sent()
  assert.deepEqual((await missingLines(app)).payouts, [])
  await travelTo(app, WEEK)
  const [found, ...more] = (await missingLines(app)).payouts
  assert.deepEqual([found?.currency, found?.count, found?.amount, more.length], ['TRY', 1, BigInt(AMOUNT), 0])
  assert.deepEqual(
    (await listWithoutDebit(app, 10)).map(({ withdrawalId }) => withdrawalId),
    [id],
  )
  await service.readStatement()
  assert.deepEqual((await missingLines(app)).payouts, [])
  await travelTo(app, 0)
})

test('a debit with a cut text is given to its payout by a person: both leave the report, and a waiting return is booked', async () => {
  const before = (await balanceOf(app.db, shop.merchantId, 'TRY')).available
  const id = await sent()
  const cut = { narrative: `Para cekme ${id.slice(0, 20)}`, bankReference: 'cut' }
  await ingest(app, [await lineAbout(id, cut), await lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })])
  await matchAll(app)
  const [line] = await listLines(app.db, 'needs_review', 10)
  assert.equal(line?.reason, 'outgoing')
  const other = await ask({ amount: AMOUNT + 1 })
  const refused = { code: 'INVALID_STATE' }
  await assert.rejects(debitByHand(app, operatorActor('ayse.yilmaz'), line.id, other), { code: 'NOT_FOUND' })
  await dispatchWithdrawals(app)
  await assert.rejects(debitByHand(app, operatorActor('ayse.yilmaz'), line.id, other), refused)
  await submitPayouts(app)
  await assert.rejects(debitByHand(app, operatorActor('ayse.yilmaz'), line.id, other), refused)
  await debitByHand(app, operatorActor('ayse.yilmaz'), line.id, id)
  await assert.rejects(debitByHand(app, operatorActor('ayse.yilmaz'), line.id, id), refused)
  assert.deepEqual((await missingLines(app)).debits, [])
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, before - BigInt(AMOUNT + 1))
  await travelTo(app, WEEK)
  assert.deepEqual(
    (await listWithoutDebit(app, 10)).map(({ withdrawalId }) => withdrawalId),
    [other],
  )
  await travelTo(app, 0)
  await ingest(app, [await lineAbout(other, { amount: BigInt(AMOUNT + 1) })])
  await matchAll(app)
})

test('sent by hand: counts if the statement of its account shows debits, and not before', async () => {
  const manual = { ...app, connections: [manualConnection] }
  const id = await ask()
  await dispatchWithdrawals(manual)
  await submitPayouts(manual)
  await recordSentByHand(app, operatorActor('ayse.yilmaz'), id, '0012345678')
  await travelTo(app, WEEK)
  assert.equal((await missingLines(app)).payouts[0]?.count, 1)
  // As it is where nobody has a statement: the debits of the other payouts are gone.
  await app.db.query(sql`update bank_lines set direction = 'credit' where direction = 'debit'`)
  assert.deepEqual((await missingLines(app)).payouts, [])
  await app.db.query(sql`update bank_lines set direction = 'debit' where reason = 'payout_sent'`)
  await ingest(app, [await lineAbout(id, {})])
  await matchAll(app)
  assert.deepEqual((await missingLines(app)).payouts, [])
  await travelTo(app, 0)
})

test('a debit that is no payout of ours is reported at once; doctor, lists and metrics say the same', async () => {
  const id = await sent()
  await ingest(app, [await lineAbout(id, { narrative: 'HESAP ISLETIM UCRETI', amount: 2_500n })])
  await matchAll(app)
  await age(7)
  const { payouts, debits } = await missingLines(app)
  assert.deepEqual(
    [...payouts, ...debits].map(({ count, amount }) => [count, amount]),
    [
      [1, BigInt(AMOUNT)],
      [1, 2_500n],
    ],
  )
  const { output, code } = await run(['doctor', '--json'])
  const { checks } = JSON.parse(output) as { checks: { check: string; ok: boolean; found: string; todo?: string }[] }
  const [lost, strange] = ['payouts without a debit', 'debits without a payout'].map((name) =>
    checks.find(({ check }) => check === name),
  )
  assert.deepEqual([lost?.check, lost?.ok], ['payouts without a debit', false])
  assert.match(lost?.found ?? '', /^1 \(100,00 TL\), the oldest 7 days old$/)
  assert.match(lost?.todo ?? '', /vezne payout list --without-debit/)
  // Bank charges and transfers of the operator's own are among them: to be looked at, not an alarm.
  assert.deepEqual([strange?.check, strange?.ok], ['debits without a payout', true])
  assert.match(strange?.found ?? '', /^1 \(25,00 TL\), the oldest 0 days old$/)
  assert.match(strange?.todo ?? '', /vezne line list --state needs_review/)
  assert.equal(code, 1)
  assert.match((await run(['doctor'])).output, /warn {2}debits without a payout: 1/)
  assert.match((await run(['payout', 'list', '--without-debit'])).output, new RegExp(id))
  const gauges = await until(scrape, (found) => found.get('vezne_payouts_without_debit{currency="TRY"}') === 1)
  assert.deepEqual(Object.fromEntries(gauges), {
    'vezne_payouts_without_debit{currency="TRY"}': 1,
    'vezne_payouts_without_debit_amount{currency="TRY"}': AMOUNT,
    'vezne_payouts_without_credit{currency="TRY"}': 0,
    'vezne_payouts_without_credit_amount{currency="TRY"}': 0,
    'vezne_debits_without_payout{currency="TRY"}': 1,
    'vezne_debits_without_payout_amount{currency="TRY"}': 2500,
    'vezne_credits_in_queue{currency="TRY"}': 0,
    'vezne_credits_in_queue_amount{currency="TRY"}': 0,
  })
})

test('the id of a withdrawal finds its debit, and the line that only names it', async () => {
  const id = await sent()
  await ingest(app, [await lineAbout(id, {}), await lineAbout(id, { amount: 1n })])
  await matchAll(app)
  const { output } = await run(['find', id, '--json'])
  const { found } = JSON.parse(output) as { found: { type: string; amount: number; matched: string }[] }
  assert.deepEqual(
    new Set(found.map(({ type, amount, matched }) => `${type} ${amount} ${matched}`)),
    new Set([`withdrawal ${AMOUNT} transaction id`, `line ${AMOUNT} of the withdrawal`, 'line 1 names the withdrawal']),
  )
})

test('what is missing is found by index', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const overdue = { before: new Date(), accountIds: ['a'] }
  const plan = (send: Parameters<typeof planOf>[1]['send']) => planOf(client, { inTransaction: true, send })
  assert.match(await plan((tx) => sumWithoutDebit(tx, overdue)), /payouts_without_debit/)
  assert.match(await plan((tx) => selectWithoutDebit(tx, overdue, 10)), /payouts_without_debit/)
  const totals = await withWaitingLines(client, () => plan((tx) => reviewTotals(tx, 'debit')))
  assert.match(totals, /bank_lines_to_review/)
  assert.match(await plan((tx) => listLines(tx, 'needs_review', 10)), /bank_lines_review_pages/)
  assert.match(await plan((tx) => accountsShowingDebits(tx, ['a'])), /bank_lines_debits/)
  await client.end()
})
