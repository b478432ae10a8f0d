import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listWithoutDebit } from '../../packages/server/src/domain/matching/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { checkHistory } from '../harness/history.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { startPayoutParts } from '../harness/payout-parts.ts'

// A payout comes back in several credits: two people say that together they are its return.

const { service, app, journal, available, lineAbout, sent } = await startPayoutParts()
const { approve, post, propose, stateOf } = journal
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

const back = async (id: string, amount: bigint) =>
  journal.arrives('credit', 0n, await lineAbout(id, { direction: 'credit', amount }))

/** A payout with its debit, and two credits that name it. */
async function inTwo(first = 6000n, second = 4000n) {
  const id = await sent()
  await journal.arrives('debit', 0n, await lineAbout(id, {}))
  return { id, lines: [await back(id, first), await back(id, second)] as [string, string] }
}

async function assertReturned(id: string, lines: string[]): Promise<void> {
  for (const line of lines) {
    assert.deepEqual((await stateOf(line)).slice(0, 3), ['matched', 'payout_returned', null])
    assert.equal((await findLine(app.db, line))?.withdrawalId, id)
  }
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
}

test('two credits that are the payout together are its return: the merchant gets it once', async () => {
  const { id, lines } = await inTwo()
  const before = await available()
  const [first, second] = lines
  const { output } = await run(['line', 'candidates', first])
  assert.match(output, new RegExp(`payout_return --line ${first} --line ${second} --withdrawal ${id}`))
  await post('payout_return', { lineIds: lines, withdrawalId: id })
  assert.equal(await available(), before + BigInt(AMOUNT))
  await assertReturned(id, lines)
  await assert.rejects(propose('payout_return', { lineIds: lines, withdrawalId: id }), { why: 'line_not_open' })
})

test('less than the payout is refused with what is missing; a credit too many is refused', async () => {
  const { id, lines } = await inTwo()
  const [first] = lines
  await assert.rejects(propose('payout_return', { lineIds: [first], withdrawalId: id }), {
    said: {
      why: 'return_below_payouts',
      facts: {
        withdrawals: [id],
        lines: [first],
        rest: null,
        total: money(BigInt(AMOUNT) - 4_000n),
        ordered: money(BigInt(AMOUNT)),
        missing: money(4_000n),
      },
    },
  })
  const more = await back(id, 500n)
  await assert.rejects(propose('payout_return', { lineIds: [...lines, more], withdrawalId: id }), {
    why: 'return_above_payout',
  })
  await post('payout_return', { lineIds: lines, withdrawalId: id })
  await assert.rejects(propose('payout_return', { lineIds: [more], withdrawalId: id, costsBy: 'merchant' }), {
    why: 'return_has_line',
  })
})

test('a credit is in one open proposal, which is approved once', async () => {
  const { id, lines } = await inTwo()
  const before = await available()
  const whole = await propose('payout_return', { lineIds: lines, withdrawalId: id })
  const costs = propose('payout_return', { lineIds: [lines[0]], withdrawalId: id, costsBy: 'operator' })
  await assert.rejects(costs, { why: 'proposal_open' })
  const done = await Promise.allSettled([approve(whole.id), approve(whole.id)])
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await available(), before + BigInt(AMOUNT))
})

for (const costsBy of ['merchant', 'operator'] as const)
  test(`several credits less costs, then the rest: the ${costsBy} who bore them gets it`, async () => {
    const { id, lines } = await inTwo(5000n, 3000n)
    const account = { ...journal.here, id: (await findPayout(app.db, id))?.sourceAccountId ?? '' }
    const balances = async () => [await available(), await journal.of('bank_charges', account)] as const
    const before = await balances()
    await post('payout_return', { lineIds: lines, withdrawalId: id, costsBy })
    const missing = 2000n
    const [merchant, charges] = await balances()
    assert.equal(merchant, before[0] + BigInt(AMOUNT) - (costsBy === 'merchant' ? missing : 0n))
    const rest = await back(id, missing)
    const { output } = await run(['line', 'candidates', rest])
    assert.match(output, new RegExp(`payout_return --line ${rest} --withdrawal ${id}`))
    const terms = { lineIds: [rest], withdrawalId: id }
    const other = costsBy === 'merchant' ? 'operator' : 'merchant'
    await assert.rejects(propose('payout_return', { ...terms, costsBy: other }), {
      said: { why: 'return_costs_of_other', facts: { bearer: costsBy } },
    })
    await assert.rejects(propose('payout_return', terms), {
      said: { why: 'return_had_costs', facts: { withdrawal: id, lines: [rest] } },
    })
    await post('payout_return', { ...terms, costsBy })
    const later = await balances()
    assert.deepEqual(later, [before[0] + BigInt(AMOUNT), before[1]])
    assert.ok(costsBy === 'merchant' || charges !== before[1])
    await assertReturned(id, [...lines, rest])
  })

test('the database refuses returns of more than the payout', async () => {
  const { id, lines } = await inTwo()
  await post('payout_return', { lineIds: lines, withdrawalId: id })
  const more = await back(id, 100n)
  const write = app.db.query(sql`
    insert into line_parts (line_id, kind, subject, merchant_id, amount, explained_at)
    select ${more}, 'payout_return', subject, merchant_id, 100, explained_at from line_parts where line_id = ${lines[0]}`)
  await assert.rejects(write, /has 3 returns/)
  assert.deepEqual(await listWithoutDebit(app, 10), [])
})
