import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { findPayout, queryPayoutStatus } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine, linesOfPayout } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'
import { approvalIn } from '../harness/journal.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { mustFind } from '../harness/history.ts'
import { AMOUNT, matchAsDebits } from '../harness/payout-lines.ts'
import { startPayoutParts } from '../harness/payout-parts.ts'

// The bank debits a payout in several lines: two people say that together they are its debit.

const { service, app, journal, ...parts } = await startPayoutParts()
const { available, dayOf, differencesOn, part, halves, sent, unknown, assertIts } = parts
const { arrives, approve, post, propose, stateOf } = journal
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

test('two halves of a completed payout are its debit, whichever is named or came first', async () => {
  for (const turned of [false, true]) {
    const id = await sent()
    const lines = await halves(id)
    const lineIds = turned ? lines.toReversed() : lines
    const cash = await journal.of('bank_cash', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })
    await post('payout_debit', { lineIds, withdrawalId: id })
    await assertIts(id, lines)
    const after = await journal.of('bank_cash', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })
    assert.equal(after, cash - BigInt(AMOUNT), 'what was taken from cash twice is there again')
  }
})

test('three parts on two days complete a payout whose outcome is not known, each day for itself, the fee once', async () => {
  const id = await unknown()
  const before = await available()
  const [now, day, dayBefore] = [app.clock.now(), dayOf(0), dayOf(1)]
  const today = { bookedAt: now, valueDate: day }
  const yesterday = { bookedAt: new Date(now.getTime() - DAY_MS), valueDate: dayBefore }
  const lineIds = [await part(id, 5000n, today), await part(id, 3000n, yesterday), await part(id, 2000n, yesterday)]
  assert.equal((await mustFind(app, id)).state, 'unknown')
  await post('payout_debit', { lineIds, withdrawalId: id })
  await assertIts(id, lineIds)
  const { state, bankReference } = await mustFind(app, id)
  assert.equal(state, 'sent')
  assert.equal(bankReference, (await findLine(app.db, lineIds[0] ?? ''))?.bankReference, 'of the last of them')
  assert.deepEqual([await differencesOn(dayBefore), await available()], [[], before])
  const entries = await app.db.query<{ amount: bigint; day: string }>(sql`
    select amount, to_char(effective_on, 'YYYY-MM-DD') as day from transfers
    where subject_id = ${id} and kind = 'withdrawal_settlement' order by amount`)
  assert.deepEqual(
    entries.map((one) => [one.amount, one.day]),
    [
      [100n, day],
      [2000n, dayBefore],
      [3000n, dayBefore],
      [5000n, day],
    ],
  )
  await queryPayoutStatus(app)
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
})

test('less than the payout is refused with what is missing, and waits; more, or a line too many, is refused too', async () => {
  const id = await sent()
  const first = await part(id, 6000n)
  const terms = (...lineIds: string[]) => ({ lineIds, withdrawalId: id })
  await assert.rejects(propose('payout_debit', terms(first)), {
    said: {
      why: 'debit_below_payouts',
      facts: {
        ...{ lines: [first], withdrawals: [id] },
        ...{ total: money(6_000n), ordered: money(BigInt(AMOUNT)), missing: money(4_000n) },
      },
    },
  })
  assert.equal((await stateOf(first))[0], 'needs_review')
  const [second, third] = [await part(id, 4000n), await part(id, 500n)]
  await assert.rejects(propose('payout_debit', terms(first, second, third)), {
    said: {
      why: 'line_not_needed',
      facts: { line: third, total: money(10_500n), ordered: money(BigInt(AMOUNT)) },
    },
  })
  await assert.rejects(propose('receivable', terms(first, second)), (error: Refusal) => {
    assert.equal(error.why, 'debit_has_no_rest')
    const command = `  vezne journal propose payout_debit --line ${first} --line ${second} --withdrawal ${id}`
    assert.deepEqual(refusalForTerminal(error).slice(1), [command])
    return true
  })
  const elsewhere = await arrives('debit', 4000n, { accountIban: journal.there.iban })
  const [here, there] = [(await findPayout(app.db, id))?.sourceAccountId, journal.there.id]
  if (here !== there)
    await assert.rejects(propose('payout_debit', terms(first, elsewhere)), {
      said: { why: 'line_not_on_payouts_account', facts: { line: elsewhere, withdrawal: id, isOwed: false } },
    })
  await post('payout_debit', terms(first, second))
  await assert.rejects(propose('payout_debit', terms(third)), { why: 'payout_has_debit' })
  for (const line of [third, elsewhere]) await post('receivable', { lineIds: [line] })
})

test('more than the payout, of which each line is needed: the rest is owed to us, or a charge', async () => {
  const id = await sent()
  const lineIds = [await part(id, 6000n), await part(id, 4100n)]
  await assert.rejects(propose('payout_debit', { lineIds, withdrawalId: id }), {
    said: {
      why: 'debit_above_payouts',
      facts: {
        ...{ lines: lineIds, withdrawals: [id] },
        ...{ total: money(10_100n), ordered: money(BigInt(AMOUNT)), more: money(100n) },
      },
    },
  })
  const entry = await post('receivable', { lineIds, withdrawalId: id })
  await assertIts(id, lineIds)
  const owed = (await openReceivables(app.db)).find(({ entryId }) => entryId === entry)
  assert.equal(owed?.open, 100n)
  const next = await sent()
  const charged = [await part(next, 6000n), await part(next, 4150n)]
  const before = await charges(next)
  const charge = await post('bank_charge', { lineIds: charged, withdrawalId: next })
  await assertIts(next, charged)
  assert.equal(await charges(next), before - 150n)
  await post('reversal', {}, charge)
  assert.equal(await charges(next), before)
  for (const line of charged) assert.equal((await stateOf(line))[0], 'needs_review')
  assert.deepEqual([(await findPayout(app.db, next))?.state, await linesOfPayout(app.db, next)], ['sent', []])
  await post('bank_charge', { lineIds: charged, withdrawalId: next })
  await assertIts(next, charged)
})

const charges = async (id: string) =>
  journal.of('bank_charges', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })

test('approved by two at once, and two sets of lines for one payout: it has its debit once', async () => {
  const id = await sent()
  const [a = '', b = ''] = await halves(id)
  const [c = '', d = ''] = await halves(id)
  const of = (...lineIds: string[]) => propose('payout_debit', { lineIds, withdrawalId: id })
  const proposals = [await of(a, b), await of(c, d)]
  for (const again of [() => of(b, a), () => of(a, d)]) await assert.rejects(again(), { why: 'proposal_open' })
  const done = await Promise.allSettled(proposals.flatMap((one) => [approve(one.id), approve(one.id)]))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  const free = []
  for (const line of [a, b, c, d]) if ((await stateOf(line))[0] === 'needs_review') free.push(line)
  assert.equal(free.length, 2)
  for (const line of free) await post('receivable', { lineIds: [line] })
})

test('whoever writes it: of two debits at once one becomes that of the payout, and no part without the others', async () => {
  const id = await sent()
  const lines = [await part(id, 6000n), await part(id, 4000n), await part(id, 12_000n)]
  const match = (...ids: string[]) => matchAsDebits(app, id, ...ids)
  const [a = '', b = '', whole = ''] = lines
  await assert.rejects(match(a, b, whole), { constraint: 'line_parts_one_debit' })
  const c = await part(id, 3000n)
  await assert.rejects(match(a, c), { constraint: 'line_parts_one_debit' })
  await post('payout_debit', { lineIds: [a, b], withdrawalId: id })
  await assert.rejects(match(whole), { constraint: 'line_parts_one_debit' })
  for (const line of [whole, c]) await post('receivable', { lineIds: [line] })
  const next = await sent()
  const two = [await part(next, 10_500n), await part(next, 10_500n)]
  const entries = await Promise.all(two.map((line) => propose('receivable', { lineIds: [line], withdrawalId: next })))
  const done = await Promise.allSettled(entries.map((one) => approve(one.id)))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const line of two) if ((await stateOf(line))[0] !== 'matched') await post('receivable', { lineIds: [line] })
})

test('the commands: proposed, shown with what it completes, approved, and taken back', async () => {
  const cli = async (...args: string[]) => {
    const { code, output, errors } = await run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
    return output
  }
  const id = await unknown()
  const lines = (await halves(id)).flatMap((line) => ['--line', line])
  const words = ['--why', 'the bank debited it twice over', '--as', 'ayse.yilmaz']
  const proposed = await cli('journal', 'propose', 'payout_debit', '--second', '--withdrawal', id, ...lines, ...words)
  assert.match(proposed, /the payout is open: the lines complete it/)
  assert.match(proposed, new RegExp(`payout ${id}: has its debit`))
  const first = approvalIn(proposed)
  await cli(...first.args)
  await assertIts(id, [])
  const back = await cli('journal', 'reverse', first.id, '--second', ...words)
  assert.match(back, /has no debit any more; it stays as it ended/)
  const second = approvalIn(back)
  await cli('proposal', 'reject', second.id, '--why', 'it was right', '--as', 'mehmet.kaya')
})
