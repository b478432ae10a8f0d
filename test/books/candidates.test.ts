import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { findUnexplained } from '../../packages/server/src/domain/books/index.ts'
import { cancelDeposit, depositsOfAmount } from '../../packages/server/src/domain/deposits/index.ts'
import { payoutsOfAmount, withdrawalsTo } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  claimDebitsToBook,
  findLine,
  linesOfJournal,
  matchedCredits,
  oppositeLines,
  otherSides,
  selectUnexplained,
  unexplainedOpposites,
} from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { approvalIn, openJournal } from '../harness/journal.ts'
import { payDeposit, someDeposits } from '../harness/payments.ts'
import { planOf, withWaitingLines } from '../harness/plans.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const { here, there, arrives } = journal
const shop = await service.merchant()
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS)

async function candidatesOf(lineId: string) {
  const line = (await findLine(app.db, lineId)) ?? assert.fail('no line')
  return candidatesInWords(app, line)
}

test('deposits of the amount: whatever the name and account, open and cancelled; the likeliest first', async () => {
  const amount = 4321n
  const [open, cancelled] = await someDeposits(app, shop.merchantId, 2, amount)
  await someDeposits(app, shop.merchantId, 1, 4322n)
  if (!open || !cancelled) return assert.fail()
  await cancelDeposit(app, merchantActor(shop.merchantId), cancelled.id)
  const accountIban = (await app.banks.account(open.collectingAccountId ?? ''))?.iban ?? ''
  const line = await arrives('credit', amount, { senderName: 'Bambaşka Biri', accountIban })
  const found = await candidatesOf(line)
  assert.deepEqual(
    found.map(({ what, id, status }) => [what, id, status]),
    [
      ['deposit', open.id, 'pending'],
      ['deposit', cancelled.id, 'cancelled'],
    ],
  )
  assert.ok(found[0]?.reasons.includes('another name'))
  assert.equal(found[0]?.next, `vezne line match ${line} ${open.id} --why TEXT`)
  const late = await arrives('credit', amount, { bookedAt: daysAgo(3) })
  assert.deepEqual(
    (await candidatesOf(late)).map(({ what }) => what),
    ['stranger'],
  )
})

test('a second payment of a completed deposit: the deposit of its code, which takes no more, and a refund', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 5432n)
  const paid = await payDeposit(app, deposit ?? assert.fail())
  assert.equal(paid.status, 'completed')
  const accountIban = (await app.banks.account(paid.collectingAccountId ?? ''))?.iban ?? ''
  const senderIban = makeIban('0046', '12345678')
  const narrative = paid.referenceCode
  const line = await arrives('credit', 5432n, { accountIban, narrative, senderIban, senderName: paid.customer.name })
  const [best] = await candidatesOf(line)
  assert.deepEqual([best?.what, best?.id, best?.status], ['deposit', paid.id, 'completed'])
  assert.match(best?.next ?? '', /takes no more money: vezne journal propose refund_unexplained/)
})

test('lines of the other direction: our own transfer on another account, a storno on the same one', async () => {
  const credit = await arrives('credit', 777n, { accountIban: there.iban, senderIban: here.iban })
  const debit = await arrives('debit', 777n)
  assert.deepEqual(
    (await candidatesOf(debit)).map(({ what, id }) => [what, id]),
    [['own_transfer', credit]],
  )
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 888n)
  const paid = await payDeposit(app, deposit ?? assert.fail())
  const accountIban = (await app.banks.account(paid.collectingAccountId ?? ''))?.iban ?? ''
  const back = await arrives('debit', 888n, { accountIban })
  const [storno] = await candidatesOf(back)
  assert.equal(storno?.what, 'storno')
  assert.match(storno?.next ?? '', /vezne journal propose storno --line \w+ --line \w+/)
})

test('lines that no one has explained for some days are found with their age', async () => {
  const old = await arrives('debit', 999n, { bookedAt: daysAgo(5) })
  const found = await findUnexplained(app, 4)
  assert.deepEqual(
    found.map(({ id, days }) => [id, days]),
    [[old, 5]],
  )
  await journal.post('bank_charge', { lineIds: [old] })
  assert.deepEqual(await findUnexplained(app, 4), [])
})

test('the commands: candidates, show, propose, approve, reject, reverse, list', async () => {
  const line = await arrives('debit', 555n)
  const cli = async (...args: string[]) => {
    const { code, output, errors } = await run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
    return output
  }
  assert.match(await cli('line', 'candidates', line), /Nothing that we know of waits for it/)
  const words = ['--why', 'EFT ücreti', '--as', 'ayse.yilmaz']
  const proposed = await cli('journal', 'propose', 'bank_charge', '--second', '--line', line, ...words)
  assert.match(proposed, /journal_bank_charge +bank_charges .*5,55 TL/)
  const first = approvalIn(proposed)
  assert.match(await cli('proposal', 'list'), new RegExp(`${first.id} +journal\\.entry +line:${line}`))
  assert.match(await cli('proposal', 'show', first.id), /unexplained_debits .* 5,55 TL/)
  await cli(...first.args)
  assert.match(await cli('journal', 'list'), new RegExp(`${first.id} +bank_charge`))
  assert.match(await cli('journal', 'show', first.id), /unexplained_debits .* 5,55 TL/)
  assert.match(await cli('line', 'show', line), new RegExp(`journal entry ${first.id}: bank_charge`))
  const reversal = await cli('journal', 'reverse', first.id, '--second', ...words)
  const second = approvalIn(reversal)
  const rejected = await cli('proposal', 'reject', second.id, '--why', 'it is a charge', '--as', 'mehmet.kaya')
  assert.match(rejected, /Rejected/)
  assert.equal((await run(second.args)).code, 1)
})

test('the commands: a split with a rest, and the refund of the rest', async () => {
  const cli = async (...args: string[]) => {
    const { code, output, errors } = await run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
    return output
  }
  const line = await arrives('credit', 30_000n, { senderIban: makeIban('0062', '12345678') })
  const deposits = await someDeposits(app, shop.merchantId, 2, 10_000n)
  const parts = deposits.flatMap(({ id }) => ['--part', `${id}=12500`])
  const words = ['--why', 'one transfer, two orders', '--as', 'ayse.yilmaz']
  const proposed = await cli(
    'journal',
    'propose',
    'deposit_payment',
    '--second',
    '--line',
    line,
    ...parts,
    '--rest',
    '5000',
    ...words,
  )
  assert.match(proposed, /rest: 50,00 TL stays in suspense/)
  const first = approvalIn(proposed)
  await cli(...first.args)
  const [, next = ''] = /50,00 TL +vezne (.*)/.exec(await cli('journal', 'rests')) ?? []
  assert.match(
    await cli('books', 'day', istanbul(app.clock.now()).day),
    /Rests of entries in suspense now: 1 \(50,00 TL\)/,
  )
  assert.match(await cli(...next.trim().split(' '), ...words), new RegExp(`uses the rest of entry ${first.id}`))
})

test('a payment before is found if its line was read within 14 days; one that is read later only by its IBAN', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 6_543n)
  const senderIban = makeIban('0046', '6543')
  const paid = await payDeposit(app, deposit ?? assert.fail(), { senderIban })
  const found = async (days: number, iban: string | null) => {
    const [from, to] = [daysAgo(days + 2), daysAgo(days - 1)]
    await app.db.query(
      sql`update bank_lines set booked_at = ${daysAgo(days)} where id in (select line_id from line_parts where subject = ${paid.id})`,
    )
    const money = { amount: 6_543n, currency: 'TRY', collectingAccountId: paid.collectingAccountId ?? '' }
    const lines = await matchedCredits(app.db, { ...money, senderIban: iban, from, to }, 10)
    return new Set(lines.map(({ id }) => id)).size
  }
  assert.deepEqual([await found(1, null), await found(14, null), await found(16, null)], [1, 1, 0])
  assert.equal(await found(16, senderIban), 1)
})

test('all of it is found by index', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const plan = (send: Parameters<typeof planOf>[1]['send']) => planOf(client, { inTransaction: false, send })
  const near = { from: daysAgo(2), to: daysAgo(0), amount: 1n, currency: 'TRY' }
  const deposits = await plan((tx) => depositsOfAmount(tx, { ...near, accountIds: ['a'] }, 10))
  assert.match(deposits, /deposits_open_by_amount/)
  assert.match(deposits, /deposits_by_amount/)
  assert.match(await plan((tx) => payoutsOfAmount(tx, 1n, near.from, near.to, 10)), /payouts_by_amount/)
  assert.match(await plan((tx) => oppositeLines(tx, { ...near, direction: 'debit' }, 10)), /bank_lines_by_amount/)
  const sender = { ...near, collectingAccountId: 'a', senderIban: here.iban }
  const credits = await plan((tx) => matchedCredits(tx, sender, 10))
  assert.match(credits, /bank_lines_by_amount[^]*bank_lines_by_iban/)
  assert.match(credits, /amount = [^\n]*id < [^\n]*id >= |amount = [^\n]*id >= [^\n]*id < /, 'both bounds')
  const own = { ...near, collectingAccountId: 'a', ownIban: here.iban, otherAccountId: 'b', maxCharge: 1n }
  assert.match(await plan((tx) => otherSides(tx, { ...own, direction: 'debit' }, 10)), /bank_lines_in_suspense/)
  assert.match(await plan((tx) => otherSides(tx, { ...own, direction: 'credit' }, 10)), /bank_lines_to_review/)
  assert.match(
    await withWaitingLines(client, () => plan((tx) => selectUnexplained(tx, near.from, 10))),
    /bank_lines_in_suspense[^]*bank_lines_to_review/,
  )
  const to = { ...near, iban: here.iban }
  assert.match(await plan((tx) => withdrawalsTo(tx, to, 10)), /withdrawals_by_iban/)
  const back = { ...near, collectingAccountId: 'a', direction: 'credit' as const }
  assert.match(await plan((tx) => unexplainedOpposites(tx, back, 10)), /bank_lines_open_by_amount/)
  assert.match(await plan((tx) => claimDebitsToBook(tx, 10)), /bank_lines_debits_to_book/)
  assert.match(await plan((tx) => linesOfJournal(tx, 'a')), /line_parts_by_journal/)
  await client.end()
})
