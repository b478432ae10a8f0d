import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideEnded, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { debitByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { linesOfPayout } from '../../packages/server/src/domain/statements/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { startPayoutParts } from '../harness/payout-parts.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'

// The bank debits several payouts in one line: two people say that the line is the debit of all of them.

const { app, journal, ...parts } = await startPayoutParts()
const { available, sent, unknown, lineAbout } = parts
const { arrives, approve, post, propose, stateOf } = journal

const SUM = BigInt(AMOUNT)
async function shared(ids: string[], changes: object = {}) {
  const narrative = `TOPLU ${ids.join(' ')}`
  return arrives(
    'debit',
    0n,
    await lineAbout(ids[0] ?? '', { amount: SUM * BigInt(ids.length), narrative, ...changes }),
  )
}

async function assertShared(line: string, ids: string[], state = 'sent') {
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['matched', 'payout_sent'])
  for (const id of ids) {
    assert.equal((await findPayout(app.db, id))?.state, state)
    assert.deepEqual(
      (await linesOfPayout(app.db, id)).filter((one) => one.direction === 'debit').map((one) => one.id),
      [line],
    )
  }
}

test('one debit of two and of three payouts, named or not: each has its debit, and cash is even', async () => {
  for (const [count, isNamed] of [
    [2, true],
    [3, true],
    [2, false],
  ] as const) {
    const ids = []
    for (let i = 0; i < count; i++) ids.push(await sent())
    const line = await shared(ids, isNamed ? {} : { narrative: 'TOPLU ODEME' })
    assert.equal((await stateOf(line))[1], isNamed ? 'payout_ambiguous' : 'outgoing')
    const before = await available()
    await post('payout_debit', { lineIds: [line], withdrawalIds: ids })
    await assertShared(line, ids)
    assert.equal(await available(), before)
    await assert.rejects(propose('payout_debit', { lineIds: [line], withdrawalIds: ids }), { why: 'payout_has_debit' })
  }
})

test('open payouts are completed by it, with a charge of the bank in it', async () => {
  const ids = [await unknown(), await sent()]
  const line = await shared(ids, { amount: SUM * 2n + 850n })
  const terms = { lineIds: [line], withdrawalIds: ids }
  await assert.rejects(propose('payout_debit', terms), {
    said: {
      why: 'debit_above_payouts',
      facts: {
        ...{ lines: [line], withdrawals: ids.toSorted() },
        ...{ total: money(SUM * 2n + 850n), ordered: money(SUM * 2n), more: money(850n) },
      },
    },
  })
  const before = await charges(ids[0] ?? '')
  await post('payout_debit', { ...terms, charge: { amount: 850n } })
  await assertShared(line, ids)
  assert.equal(await charges(ids[0] ?? ''), before - 850n)
})

const charges = async (id: string) =>
  journal.of('bank_charges', { id: (await findPayout(app.db, id))?.sourceAccountId ?? '' })

test('refused: less or more, one payout, one twice, another named one, one that was not sent', async () => {
  const ids = [await sent(), await sent()]
  const [a = '', b = ''] = ids
  const line = await shared(ids)
  const third = await sent()
  const refused = (withdrawalIds: string[], why: object, more: object = {}) =>
    assert.rejects(propose('payout_debit', { lineIds: [line], withdrawalIds, ...more }), why)
  await refused([a], { why: 'withdrawals_not_several' })
  await refused([a, a], { why: 'withdrawals_not_several' })
  await refused([a, third], {
    said: { why: 'line_names_waiting_payouts', facts: { line, withdrawals: [a, b], other: b } },
  })
  await refused([a, b, third], {
    said: {
      why: 'debit_below_payouts',
      facts: {
        ...{ lines: [line], withdrawals: [a, b, third].toSorted() },
        ...{ total: money(SUM * 2n), ordered: money(30_000n), missing: money(30_000n - SUM * 2n) },
      },
    },
  })
  for (const [kind, terms] of [
    ['receivable', { withdrawalId: a }],
    ['bank_charge', { withdrawalId: a }],
    ['receivable', {}],
    ['bank_charge', {}],
  ] as const)
    await assert.rejects(propose(kind, { lineIds: [line], ...terms }), { why: 'line_names_waiting_payouts' })
  await post('payout_debit', { lineIds: [line], withdrawalIds: ids })
  const last = await shared([third, third])
  await assert.rejects(propose('payout_debit', { lineIds: [last], withdrawalIds: [third, b] }), {
    why: 'payout_has_debit',
  })
  await post('receivable', { lineIds: [last], withdrawalId: third })
})

test('a debit that names several is no other payout’s, and is dismissed only by two who say of each that it is not its debit', async () => {
  const ids = [await sent(), await sent()]
  const line = await shared(ids, { amount: SUM })
  const other = await sent()
  const named = async (refused: Promise<unknown>, shown: RegExp) =>
    assert.rejects(refused, (error: Refusal) => {
      assert.match(refusalForTerminal(error).join('\n'), shown)
      return true
    })
  await named(debitByHand(app, AYSE, line, other), new RegExp(`several payouts.*${other}.*payout_debit`, 's'))
  const dismiss = (actor: Actor, notPayouts: string[]) => dismissLine(app, actor, line, 'not counted', notPayouts)
  await named(dismiss(AYSE, []), new RegExp(`several payouts.*payout_debit.*--not-payout ${ids[0]}`, 's'))
  await assert.rejects(dismiss(AYSE, ids.slice(1)), { why: 'debit_names_several' })
  assert.equal((await dismiss(AYSE, ids)).state, 'needs_review')
  await assert.rejects(dismiss(MEHMET, []), { why: 'debit_names_several' })
  assert.equal((await stateOf(line))[0], 'needs_review')
  await debitByHand(app, AYSE, line, ids[0] ?? '')
  for (const id of [ids[1] ?? '', other]) await arrives('debit', 0n, await lineAbout(id, {}))
})

test('no decision about one of them while the debit names it among others', async () => {
  const ids = [await sent(), await sent()]
  await app.db.query(
    sql`update payouts set updated_at = updated_at - interval '10 days' where withdrawal_id = any(${ids}::text[])`,
  )
  const line = await shared(ids)
  for (const id of ids)
    for (const verdict of ['never_paid', 'paid'] as const)
      await assert.rejects(decideEnded(app, AYSE, id, { verdict, evidence: 'the bank says so' }), {
        said: { why: 'payout_line_unexplained', facts: { line, isUnread: false, withdrawal: id } },
      })
  await post('payout_debit', { lineIds: [line], withdrawalIds: ids })
  for (const id of ids)
    await assert.rejects(decideEnded(app, MEHMET, id, { verdict: 'never_paid', evidence: 'the bank says so' }), {
      said: { why: 'payout_debit_known', facts: { line } },
    })
})

test('two approvals at once, and two shared debits for one payout: each payout has one debit', async () => {
  const [a, b, c] = [await sent(), await sent(), await sent()]
  const lines = [await shared([a, b]), await shared([b, c])]
  const proposals = []
  for (const [line, ids] of [
    [lines[0], [a, b]],
    [lines[1], [b, c]],
  ] as const)
    proposals.push(await propose('payout_debit', { lineIds: [line ?? ''], withdrawalIds: [...ids] }))
  await assert.rejects(propose('payout_debit', { lineIds: [lines[0] ?? ''], withdrawalIds: [b, a] }), {
    why: 'proposal_open',
  })
  const done = await Promise.allSettled(proposals.flatMap((one) => [approve(one.id), approve(one.id)]))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  const won = (await stateOf(lines[0] ?? ''))[0] === 'matched' ? 0 : 1
  await post('receivable', { lineIds: [lines[1 - won] ?? ''], withdrawalId: won === 0 ? c : a })
})

test('taken back, the line is unexplained and the payouts have no debit; it can be proposed again', async () => {
  const ids = [await sent(), await sent()]
  const line = await shared(ids, { amount: SUM * 2n + 99n })
  const terms = { lineIds: [line], withdrawalIds: ids, charge: { amount: 99n } }
  const before = await charges(ids[0] ?? '')
  const entry = await post('payout_debit', terms)
  await post('reversal', {}, entry)
  assert.deepEqual(await stateOf(line), ['needs_review', 'journal_reversal', null, null, true])
  assert.equal(await charges(ids[0] ?? ''), before)
  for (const id of ids) assert.deepEqual(await linesOfPayout(app.db, id), [])
  await post('payout_debit', terms)
  await assertShared(line, ids)
})

test('returns: one that waited is booked with the debit, a later one finds it, a second debit is shown', async () => {
  const ids = [await sent(), await sent()]
  const [a = '', b = ''] = ids
  const early = await arrives('credit', 0n, await lineAbout(b, { direction: 'credit' }))
  assert.equal((await stateOf(early))[1], 'payout_no_debit')
  const before = await available()
  const line = await shared(ids)
  await post('payout_debit', { lineIds: [line], withdrawalIds: ids })
  assert.equal(await available(), before + SUM)
  const twice = await arrives('debit', 0n, await lineAbout(b, {}))
  assert.equal((await stateOf(twice))[1], 'payout_line_twice')
  await post('receivable', { lineIds: [twice] })
  const late = await arrives('credit', 0n, await lineAbout(a, { direction: 'credit' }))
  assert.equal((await stateOf(late))[1], 'payout_returned')
  assert.equal(await available(), before + SUM * 2n)
  await assertShared(line, ids, 'returned')
})
