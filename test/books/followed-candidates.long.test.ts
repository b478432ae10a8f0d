import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openAdvice } from '../harness/follow-advice.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, matchAll, someDeposits } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

// Lines of a hostile bank: what the candidates print first is right, and accepted to the end.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, post, here, there } = journal
const { sent, lineAbout } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const { candidatesOf, follow } = openAdvice(app, run)
afterEach(() => journal.assertSound())

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const stateOf = async (id: string) => (await findLine(app.db, id))?.state
const statusOf = async (id: string) => (await findDepositById(app.db, id))?.status

async function waiting(amount: bigint) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  const { id, referenceCode, collectingAccountId } = deposit ?? assert.fail('no deposit')
  const accountIban = (await app.banks.account(collectingAccountId ?? ''))?.iban ?? ''
  return { id, code: referenceCode, accountIban }
}

async function completed(amount: bigint, changes: object = {}) {
  const deposit = await waiting(amount)
  const { id, code: narrative, accountIban } = deposit
  const line = await arrives('credit', amount, { accountIban, narrative, ...changes })
  assert.equal(await statusOf(id), 'completed')
  return { ...deposit, line }
}

test('a suspected correction that fits nothing: what it is must be said first', async () => {
  const bankReference = 'DUZELTME-1'
  const first = await arrives('credit', 71_001n, { bankReference })
  const now = app.clock.now()
  const day = { bookedAt: now, valueDate: istanbul(now).day }
  const written = { senderName: 'Veli Can', senderIban: null, narrative: 'aciklama' }
  const line: BankLine = {
    ...{ accountIban: here.iban, direction: 'credit', amount: 71_009n, bankReference },
    ...{ ...day, ...written },
  }
  await ingest(app, [line])
  await matchAll(app)
  const [row] = await app.db.query<{ id: string }>(sql`select id from bank_lines where amount = 71009`)
  const suspect = row?.id ?? assert.fail('no line')
  const { output } = await run(['line', 'candidates', suspect])
  assert.match(output, new RegExp(`before anything can be said about it: vezne line correction ${suspect}`))
  assert.doesNotMatch(output, /journal propose/)
  await run(['line', 'correction', suspect, '--replaces', '--as', 'ayse.yilmaz'])
  await matchAll(app)
  assert.deepEqual([await stateOf(first), await stateOf(suspect)], ['dismissed', 'suspense'])
})

test('a line held for a deposit: that deposit is named, and can be matched', async () => {
  const { id, code: narrative, accountIban } = await waiting(60_000n)
  const line = await arrives('credit', 60_500n, { accountIban, narrative })
  const [best] = await candidatesOf(line)
  assert.deepEqual([best?.what, best?.id], ['deposit', id])
  assert.ok(best?.reasons.includes('5,00 TL more than the deposit'), best?.reasons.join())
  await follow(line, { TEXT: 'confirmed', KURUS: '60500' })
  assert.equal(await statusOf(id), 'completed')
})

test('the whole payment of a split is taken back: the split first, then the storno', async () => {
  const deposits = await someDeposits(app, shop.merchantId, 2, 20_000n)
  const before = await available()
  const line = await arrives('credit', 40_000n, { senderIban: makeIban('0062', '4444') })
  await post('deposit_payment', {
    lineIds: [line],
    parts: deposits.map(({ id }) => ({ depositId: id, amount: 20_000n })),
  })
  const debit = await arrives('debit', 40_000n, { senderIban: makeIban('0062', '4444') })
  const commands = await follow(debit)
  assert.equal(commands.length, 2)
  assert.deepEqual([await stateOf(line), await stateOf(debit), await available()], ['matched', 'matched', before])
})

test('more is taken back than the deposit received: the rest is only owed', async () => {
  const { code, accountIban } = await completed(50_007n)
  const narrative = `KISMI STORNO ${code}`
  const lengths = []
  for (const amount of [30_000n, 25_000n]) {
    const debit = await arrives('debit', amount, { accountIban, narrative })
    lengths.push((await follow(debit)).length)
  }
  assert.deepEqual(lengths, [2, 1])
  const [owed] = await openReceivables(app.db)
  assert.equal(owed?.open, 25_000n)
  const back = await arrives('credit', 10_000n, { accountIban, narrative: `${narrative} IADE`, senderName: '' })
  const offered = (await candidatesOf(back)).map(({ next }) => next)
  const settling = `vezne journal propose receivable --line ${back} --settles`
  assert.ok(offered.includes(`${settling} ${owed?.entryId}`))
  const [advice = ''] = await follow(back)
  assert.ok(
    advice.startsWith(settling) && !advice.includes(owed?.entryId ?? ''),
    'the merchant who was charged comes first',
  )
  await post('bank_charge', { settles: owed?.entryId ?? '' })
})

test('the other side of our own transfer, a week later and less: both are paired', async () => {
  const now = app.clock.now()
  const early = new Date(now.getTime() - 7 * DAY_MS)
  const dates = { bookedAt: early, valueDate: istanbul(early).day }
  const debit = await arrives('debit', 30_200n, { accountIban: here.iban, senderIban: there.iban, ...dates })
  const credit = await arrives('credit', 30_000n, { accountIban: there.iban, senderIban: here.iban })
  for (const line of [debit, credit])
    assert.match((await candidatesOf(line))[0]?.next ?? '', /journal propose own_transfer/)
  await follow(credit)
  assert.deepEqual([await stateOf(debit), await stateOf(credit)], ['matched', 'matched'])
})

test('the bank takes a whole payment back and gives it again: the deposit is completed once more', async () => {
  const before = await available()
  const { id, code, accountIban } = await completed(45_005n)
  const debit = await arrives('debit', 45_005n, { accountIban, narrative: `STORNO ${code}` })
  await follow(debit)
  assert.deepEqual([await statusOf(id), await available()], ['failed', before])
  const again = await arrives('credit', 45_005n, { accountIban, narrative: `STORNO IPTAL ${code}` })
  assert.equal(await stateOf(again), 'suspense')
  const [best] = await candidatesOf(again)
  assert.deepEqual([best?.what, best?.id, best?.status], ['deposit', id, 'failed'])
  await follow(again)
  assert.deepEqual([await statusOf(id), await available()], ['completed', before + 45_005n])
  const events = await app.db.query<{ type: string }>(
    sql`select type from events where transaction_id = ${id} order by sequence`,
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['deposit.completed', 'deposit.failed', 'deposit.completed'],
  )
  // A match that people took back stays failed.
  const other = await completed(46_006n)
  await post('unmatch', { depositId: other.id })
  await assert.rejects(post('deposit_payment', { lineIds: [other.line], depositId: other.id }), {
    why: 'deposit_takes_no_money',
  })
  await post('interest', { lineIds: [other.line] })
})

test('a debit without an id, five days after its payout: it is the debit', async () => {
  await service.fundAccounts(20_444)
  const iban = makeIban('0062', '55551111')
  const id = await sent({ amount: 20_444, iban })
  await travelTo(app, 5 * 86_400)
  const now = app.clock.now()
  const late = {
    amount: 20_444n,
    narrative: 'GIDEN FAST',
    senderIban: iban,
    bookedAt: now,
    valueDate: istanbul(now).day,
  }
  const debit = await arrives('debit', 0n, await lineAbout(id, late))
  assert.deepEqual(await follow(debit), [`vezne line sent ${debit} --withdrawal ${id}`])
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
})
