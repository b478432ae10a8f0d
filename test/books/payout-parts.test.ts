import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openReceivables, reportDay } from '../../packages/server/src/domain/books/index.ts'
import { listWithoutDebit } from '../../packages/server/src/domain/matching/index.ts'
import { decideDoubt, findPayout, queryPayoutStatus } from '../../packages/server/src/domain/payouts/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { mustFind } from '../harness/history.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// The bank debits a payout in several lines: two people say that together they are its debit.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, approve, post, propose, stateOf } = journal
const { sent, lineAbout, available, faults } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

const DAY_MS = 86_400_000
const dayOf = (daysAgo: number) => istanbul(new Date(app.clock.now().getTime() - daysAgo * DAY_MS)).day

async function differencesOn(day: string) {
  const { accounts } = await reportDay(app, day)
  return accounts.flatMap(({ differences }) => differences.map(({ kind, amount }) => [kind, amount]))
}

/** After each test bank and ledger are even, today and the day before, and every payout has its debit. */
afterEach(async () => {
  await journal.assertSound()
  assert.deepEqual(await differencesOn(dayOf(0)), [])
  assert.deepEqual(await listWithoutDebit({ ...app, clock: { ...app.clock, now: inTenDays } }, 10), [])
})
const inTenDays = () => new Date(app.clock.now().getTime() + 10 * DAY_MS)

async function part(id: string, amount: bigint, changes: Partial<BankLine> = {}): Promise<string> {
  return arrives('debit', 0n, await lineAbout(id, { amount, ...changes }))
}

async function halves(id: string): Promise<string[]> {
  return [await part(id, 6000n), await part(id, 4000n)]
}

/** A payout whose outcome is not known. */
async function unknown(): Promise<string> {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  assert.equal((await findPayout(app.db, id))?.state, 'unknown')
  return id
}

async function assertIts(id: string, lineIds: string[]): Promise<void> {
  for (const lineId of lineIds) {
    assert.deepEqual((await stateOf(lineId)).slice(0, 3), ['matched', 'payout_sent', null])
    assert.equal((await findLine(app.db, lineId))?.withdrawalId, id)
  }
  assert.equal((await findPayout(app.db, id))?.state, 'accepted')
}

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

test('three parts on two days complete a payout whose outcome is not known, each day for itself', async () => {
  const id = await unknown()
  const before = await available()
  const yesterday = { bookedAt: new Date(app.clock.now().getTime() - DAY_MS), valueDate: dayOf(1) }
  const lineIds = [await part(id, 5000n), await part(id, 3000n, yesterday), await part(id, 2000n, yesterday)]
  assert.equal((await mustFind(app, id)).stage, 'in_doubt')
  await post('payout_debit', { lineIds, withdrawalId: id })
  await assertIts(id, lineIds)
  const { stage, bankReference } = await mustFind(app, id)
  assert.equal(stage, 'settled')
  assert.equal(bankReference, (await findLine(app.db, lineIds[0] ?? ''))?.bankReference, 'of the last of them')
  assert.deepEqual([await differencesOn(dayOf(1)), await available()], [[], before])
  const entries = await app.db.query<{ amount: bigint; day: string }>(sql`
    select amount, to_char(effective_on, 'YYYY-MM-DD') as day from entry_transfers
    where subject_id = ${id} and kind = 'withdrawal_settlement' order by amount`)
  assert.deepEqual(
    entries.map(({ amount, day }) => [amount, day]),
    [
      [2000n, dayOf(1)],
      [3000n, dayOf(1)],
      [5000n, dayOf(0)],
    ],
  )
  await queryPayoutStatus(app)
  assert.equal((await findPayout(app.db, id))?.state, 'accepted')
})

test('less than the payout is refused with what is missing, and waits; more, or a line too many, is refused too', async () => {
  const id = await sent()
  const first = await part(id, 6000n)
  const terms = (...lineIds: string[]) => ({ lineIds, withdrawalId: id })
  await assert.rejects(propose('payout_debit', terms(first)), /40,00 TL is missing\. It may come in a later line/)
  assert.equal((await stateOf(first))[0], 'needs_review')
  const [second, third] = [await part(id, 4000n), await part(id, 500n)]
  await assert.rejects(propose('payout_debit', terms(first, second, third)), new RegExp(`line ${third} is not needed`))
  await assert.rejects(propose('receivable', terms(first, second)), /journal propose payout_debit/)
  const elsewhere = await arrives('debit', 4000n, { accountIban: journal.there.iban })
  const [here, there] = [(await findPayout(app.db, id))?.sourceAccountId, journal.there.id]
  if (here !== there) await assert.rejects(propose('payout_debit', terms(first, elsewhere)), /another account/)
  await post('payout_debit', terms(first, second))
  await assert.rejects(propose('payout_debit', terms(third)), /has its debit already/)
  for (const line of [third, elsewhere]) await post('receivable', { lineIds: [line] })
})

test('more than the payout, of which each line is needed: the rest is owed to us, or a charge', async () => {
  const id = await sent()
  const lineIds = [await part(id, 6000n), await part(id, 4100n)]
  await assert.rejects(
    propose('payout_debit', { lineIds, withdrawalId: id }),
    /1,00 TL too much.*vezne journal propose receivable --line/,
  )
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
  await assert.rejects(propose('reversal', {}, charge), /debit of payout/)
})

const charges = async (id: string) =>
  journal.of('bank_charges', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })

test('approved by two at once, and two sets of lines for one payout: it has its debit once', async () => {
  const id = await sent()
  const [a = '', b = ''] = await halves(id)
  const [c = '', d = ''] = await halves(id)
  const sets = [
    [a, b],
    [b, a],
    [c, d],
    [a, d],
  ]
  const proposals = []
  for (const lineIds of sets) proposals.push(await propose('payout_debit', { lineIds, withdrawalId: id }))
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
  const match = (...ids: string[]) =>
    app.db.transaction(async (tx) => {
      for (const one of ids)
        await tx.query(sql`update bank_lines set state = 'matched', withdrawal_id = ${id} where id = ${one}`)
    })
  const [a = '', b = '', whole = ''] = lines
  await assert.rejects(match(a, b, whole), { constraint: 'line_allocations_one_debit' })
  const c = await part(id, 3000n)
  await assert.rejects(match(a, c), { constraint: 'line_allocations_one_debit' })
  await post('payout_debit', { lineIds: [a, b], withdrawalId: id })
  await assert.rejects(match(whole), { constraint: 'line_allocations_one_debit' })
  for (const line of [whole, c]) await post('receivable', { lineIds: [line] })
  const next = await sent()
  const two = [await part(next, 10_500n), await part(next, 10_500n)]
  const entries = await Promise.all(two.map((line) => propose('receivable', { lineIds: [line], withdrawalId: next })))
  const done = await Promise.allSettled(entries.map((one) => approve(one.id)))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const line of two) if ((await stateOf(line))[0] !== 'matched') await post('receivable', { lineIds: [line] })
})

test('the payout ended between proposal and approval: refused with the reason, and the way to go on', async () => {
  const id = await unknown()
  const lineIds = await halves(id)
  const { id: entry } = await propose('payout_debit', { lineIds, withdrawalId: id })
  for (const actor of [AYSE, MEHMET])
    await decideDoubt(app, actor, id, { verdict: 'not_found', evidence: 'not on the list' })
  await assert.rejects(approve(entry), /The payout is rejected: it was not sent\. Its merchant has the money back/)
  // Both parts are owed, and the merchant's balance settles both, never more than the payout.
  const before = await available()
  for (const line of lineIds) {
    const owed = await post('receivable', { lineIds: [line] })
    await post('receivable', { settles: owed, withdrawalId: id })
  }
  assert.equal(await available(), before - BigInt(AMOUNT))
  const more = await post('receivable', { lineIds: [await part(id, 100n)] })
  await assert.rejects(propose('receivable', { settles: more, withdrawalId: id }), /charged for it already/)
})

test('the payout was accepted or came back between proposal and approval: it is proposed again', async () => {
  const id = await unknown()
  const lineIds = await halves(id)
  const terms = { lineIds, withdrawalId: id }
  const first = await propose('payout_debit', terms)
  for (const actor of [AYSE, MEHMET]) await decideDoubt(app, actor, id, { verdict: 'found', evidence: 'EKSTRE-77' })
  await assert.rejects(approve(first.id), /payout \w+ was open and is accepted/)
  const second = await propose('payout_debit', terms)
  const back = await arrives('credit', 0n, await lineAbout(id, { direction: 'credit' }))
  assert.deepEqual((await stateOf(back)).slice(0, 2), ['suspense', 'payout_no_debit'])
  await assert.rejects(approve(second.id), /other bookings follow|line/)
  const before = await available()
  await post('payout_debit', terms)
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.deepEqual((await stateOf(back)).slice(0, 2), ['matched', 'payout_returned'])
  assert.equal(await available(), before + BigInt(AMOUNT))
})

test('taken back, the lines are unexplained and the payout has no debit; they can be its debit again', async () => {
  const id = await sent()
  const named = await part(id, 6000n)
  const cut = await part(id, 4000n, { narrative: 'GIDEN EFT' })
  const terms = { lineIds: [named, cut], withdrawalId: id }
  const entry = await post('payout_debit', terms)
  await post('reversal', {}, entry)
  for (const [line, candidate] of [
    [named, id],
    [cut, null],
  ] as const) {
    const found = await findLine(app.db, line)
    assert.deepEqual(
      [found?.state, found?.withdrawalId, found?.candidateWithdrawalId],
      ['needs_review', null, candidate],
    )
  }
  assert.deepEqual(await differencesOn(dayOf(0)), [['payout_without_debit', BigInt(AMOUNT)]])
  await assert.rejects(propose('reversal', {}, entry), /taken back already/)
  await post('payout_debit', terms)
})

test('lines that were booked as receivables come back, and are the debit of the payout', async () => {
  const id = await sent()
  const lineIds = await halves(id)
  const owed = []
  for (const line of lineIds) owed.push(await post('receivable', { lineIds: [line] }))
  await assert.rejects(
    propose('payout_debit', { lineIds, withdrawalId: id }),
    new RegExp(`is explained as receivable\\. Take that back first: vezne journal reverse ${owed[0]}`),
  )
  for (const entry of owed) await post('reversal', {}, entry)
  await post('payout_debit', { lineIds, withdrawalId: id })
  await assertIts(id, lineIds)
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
  const proposed = await cli('journal', 'propose', 'payout_debit', '--withdrawal', id, ...lines, ...words)
  assert.match(proposed, /the payout is open: the lines complete it/)
  assert.match(proposed, new RegExp(`payout ${id}: has its debit`))
  const [, entry = ''] = /journal approve (\w{24})/.exec(proposed) ?? []
  await cli('journal', 'approve', entry, '--as', 'mehmet.kaya')
  await assertIts(id, [])
  const back = await cli('journal', 'reverse', entry, ...words)
  assert.match(back, /has no debit any more; it stays as it ended/)
  const [, second = ''] = /journal approve (\w{24})/.exec(back) ?? []
  await cli('journal', 'reject', second, '--why', 'it was right', '--as', 'mehmet.kaya')
})
