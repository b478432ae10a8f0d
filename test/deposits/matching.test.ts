import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { findCandidates } from '../../packages/server/src/domain/books/index.ts'
import { decisionsOf, matchByHand, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { linesOfDeposit, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { reloadDeposit, payDeposit, lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const { app, merchant } = await startService()

async function suspense(): Promise<bigint> {
  const [row] = await app.db.query<{ sum: bigint }>(
    sql`select coalesce(sum(balance), 0)::bigint as sum from accounts where kind = 'suspense'`,
  )
  return row?.sum ?? 0n
}

async function one(options: Parameters<typeof merchant>[0] = {}) {
  const shop = await merchant(options)
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) throw new Error('no deposit')
  return { shop, deposit, before: await suspense() }
}

test('code, amount and account: completed, the fee is taken at settlement, the decision and its reasons are kept', async () => {
  const { shop, deposit } = await one({ depositFee: { bps: 150 } })
  const { status, receivedAmount, fee, flags } = await payDeposit(app, deposit)
  assert.deepEqual(
    { status, receivedAmount, fee, flags },
    { status: 'completed', receivedAmount: 125_000n, fee: 1875n, flags: [] },
  )
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 123_125n)
  const [line] = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  const [decision] = await decisionsOf(app.db, [line?.id ?? ''])
  assert.equal(decision?.verdict, 'complete')
  assert.deepEqual(((decision?.reasons ?? []) as { field: string }[]).map(({ field }) => field).toSorted(), [
    'account',
    'amount',
    'name',
    'reference',
    'time',
  ])
  const shown = (await shop.get(`/v1/transactions/${deposit.id}`)).body.data
  assert.deepEqual([shown.receivedAmount, shown.fee, shown.netAmount], [125_000, 1875, 123_125])
  assert.deepEqual(await findDrift(app.db), [])
})

test('short: processing with what is missing; the rest with the same code completes it, and all of it is credited', async () => {
  const { shop, deposit, before } = await one()
  const short = await payDeposit(app, deposit, { amount: 100_000n })
  assert.deepEqual([short.status, short.reason, short.flags], ['processing', 'short', ['underpaid']])
  assert.equal((await suspense()) - before, 100_000n)
  const done = await payDeposit(app, deposit, { amount: 25_000n })
  assert.deepEqual([done.status, done.receivedAmount, done.flags], ['completed', 125_000n, []])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
  assert.equal(await suspense(), before)
  assert.deepEqual(
    (await linesOfDeposit(app.db, shop.merchantId, deposit.id)).map(({ state }) => state),
    ['matched', 'matched'],
  )
})

test('over: held; a person accepts it and everything is credited', async () => {
  const { shop, deposit } = await one()
  const over = await payDeposit(app, deposit, { amount: 130_000n })
  assert.deepEqual([over.status, over.reason, over.flags], ['processing', 'over', ['overpaid']])
  const [line] = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  const match = (received?: bigint) => matchByHand(app, UNATTRIBUTED, line?.id ?? '', deposit.id, null, received)
  for (const named of [undefined, 125_000n, 130_001n])
    await assert.rejects(match(named), (error: Refusal) => {
      assert.equal(error.code, 'VALIDATION_ERROR')
      assert.match(refusalForTerminal(error).join('\n'), /1\.250,00.*1\.300,00.*\n {2}--received 130000$/)
      return true
    })
  const done = await match(130_000n)
  assert.deepEqual([done.status, done.receivedAmount], ['completed', 130_000n])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 130_000n)
  const decisions = await decisionsOf(app.db, [line?.id ?? ''])
  assert.deepEqual(
    decisions.map(({ decidedBy }) => decidedBy),
    ['matcher', 'operator'],
  )
})

test('a person says no: the money stays in suspense and the deposit has failed', async () => {
  const { shop, deposit, before } = await one()
  await payDeposit(app, deposit, { amount: 130_000n })
  const [line] = await linesOfDeposit(app.db, shop.merchantId, deposit.id)
  await suspendByHand(app, UNATTRIBUTED, line?.id ?? '')
  const failed = await reloadDeposit(app, deposit)
  assert.deepEqual([failed.status, failed.reason], ['failed', 'payment_rejected'])
  assert.equal((await suspense()) - before, 130_000n)
})

test("the merchant's policies: tolerance, accept received, name required", async () => {
  const { shop, deposit } = await one()
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { amount: 'tolerance', tolerance: 100n })
  assert.equal((await payDeposit(app, deposit, { amount: 124_900n })).status, 'completed')
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { amount: 'accept_received' })
  const [second] = await someDeposits(app, shop.merchantId, 1)
  const accepted = await payDeposit(app, second as typeof deposit, { amount: 90_000n })
  assert.deepEqual([accepted.status, accepted.receivedAmount, accepted.flags], ['completed', 90_000n, ['underpaid']])
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { nameCheck: 'require' })
  const [third] = await someDeposits(app, shop.merchantId, 1)
  const held = await payDeposit(app, third as typeof deposit, { senderName: 'Mehmet Demir' })
  assert.deepEqual([held.status, held.reason, held.flags], ['processing', 'third_party_sender', ['name_mismatch']])
})

test('a second payment of a completed deposit: suspense, flag duplicate, status and balance untouched', async () => {
  const { shop, deposit, before } = await one()
  await payDeposit(app, deposit)
  const twice = await payDeposit(app, deposit)
  assert.deepEqual([twice.status, twice.flags, twice.sequence], ['completed', ['duplicate'], 2])
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
  assert.equal((await suspense()) - before, 125_000n)
})

test('both payments in one statement: one completes, the other is the duplicate', async () => {
  const { shop, deposit, before } = await one()
  await ingest(app, [await lineFor(app, deposit), await lineFor(app, deposit)])
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 125_000n)
  assert.equal((await suspense()) - before, 125_000n)
})

test('no code: never credited by itself; a person confirms a candidate', async () => {
  const { deposit } = await one()
  const waiting = await payDeposit(app, deposit, { narrative: 'sipariş ödemesi yarım' })
  assert.equal(waiting.status, 'pending')
  const found = (await listLines(app.db, 'suspense', 100)).find(
    ({ narrative }) => narrative === 'sipariş ödemesi yarım',
  )
  const line = found ?? assert.fail('no line')
  const [decision] = await decisionsOf(app.db, [line.id])
  assert.equal(decision?.why, 'no_reference')
  const candidates = (await findCandidates(app, line)).map(({ id }) => id)
  assert.ok(candidates.includes(deposit.id))
  assert.equal((await matchByHand(app, UNATTRIBUTED, line.id, deposit.id)).status, 'completed')
})

test('the money of a cancelled deposit is in suspense, and the deposit stays cancelled', async () => {
  const { shop, deposit, before } = await one()
  await shop.post(`/v1/transactions/${deposit.id}/cancel`, undefined)
  assert.equal((await payDeposit(app, deposit)).status, 'cancelled')
  assert.equal((await suspense()) - before, 125_000n)
})

test('a debit line is not incoming money: it needs review and moves nothing', async () => {
  const { deposit, before } = await one()
  assert.equal((await payDeposit(app, deposit, { direction: 'debit' })).status, 'pending')
  assert.equal(await suspense(), before)
  assert.equal((await listLines(app.db, 'needs_review', 1))[0]?.reason, 'outgoing')
})

test('every line is in exactly one place, and the books agree', async () => {
  const [row] = await app.db.query<{ cash: bigint; lines: bigint }>(sql`
    select (select -sum(balance) from accounts where kind = 'bank_cash')::bigint as cash,
      (select sum(amount) from bank_lines where direction = 'credit' and state in ('matched', 'suspense'))::bigint as lines`)
  assert.equal(row?.cash, row?.lines)
  assert.deepEqual(await listLines(app.db, 'new', 1), [])
  assert.deepEqual(await findDrift(app.db), [])
})

test('money of a third party is matched by hand with a reason, which the audit and the decision have', async () => {
  const { deposit } = await one()
  await payDeposit(app, deposit, { narrative: 'kira', senderName: 'Hasan Kaya' })
  const line = (await listLines(app.db, 'suspense', 100)).find(({ senderName }) => senderName === 'Hasan Kaya')
  const match = (why?: string) => matchByHand(app, UNATTRIBUTED, line?.id ?? '', deposit.id, why)
  await assert.rejects(match(), {
    code: 'VALIDATION_ERROR',
    fields: ['why'],
    why: 'sender_not_customer',
  })
  await assert.rejects(match('ok'), { code: 'VALIDATION_ERROR' })
  assert.equal((await match('the husband of the customer')).status, 'completed')
  const last = (await decisionsOf(app.db, [line?.id ?? ''])).at(-1)
  assert.deepEqual(last?.reasons, [{ field: 'why', verdict: 'the husband of the customer' }])
  const [audited] = await listAudit(app.db, { subject: `line:${line?.id}` }, 1)
  assert.equal((audited?.after as { thirdParty?: boolean } | undefined)?.thirdParty, true)
})
