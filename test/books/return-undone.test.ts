import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { reportDay } from '../../packages/server/src/domain/books/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { decideEnded, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

// A credit was booked as the return of a payout by mistake. Two people take that back.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { post, propose } = journal
const { sent, lineAbout, available } = openPayoutLines(service, shop)
const A = BigInt(AMOUNT)

async function assertProven(): Promise<void> {
  await journal.assertSound()
  const { accounts } = await reportDay(app, istanbul(app.clock.now()).day)
  assert.deepEqual(
    accounts.filter(({ unexplained }) => unexplained !== 0n),
    [],
  )
}
afterEach(assertProven)

const arrives = async (id: string, changes: Partial<BankLine> = {}) =>
  journal.arrives('debit', 0n, await lineAbout(id, changes))
const comesBack = (id: string, changes: Partial<BankLine> = {}) =>
  arrives(id, { direction: 'credit', narrative: `IADE ${id}`, ...changes })
const undo = (withdrawalId: string) => post('unmatch', { withdrawalId })
const stateOf = async (id: string) => (await findPayout(app.db, id))?.state

async function shown(id: string) {
  const { body } = await shop.get(`/v1/transactions/${id}`)
  const events = await app.db.query<{ type: string }>(
    sql`select type from events where transaction_id = ${id} order by sequence`,
  )
  return { status: body.data.status, returned: body.data.returned ?? false, last: events.at(-1)?.type }
}

async function dismiss(line: string): Promise<void> {
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, 'no money came')
}

async function returned() {
  const id = await sent()
  await arrives(id)
  const before = await available()
  return { id, before, credit: await comesBack(id) }
}

test('booked by itself: the merchant is charged, the payout is completed, the line waits, and can be dismissed', async () => {
  const { id, before, credit } = await returned()
  assert.deepEqual([await stateOf(id), await available()], ['returned', before + A])
  await undo(id)
  assert.deepEqual([await stateOf(id), await available()], ['sent', before])
  assert.deepEqual(await shown(id), { status: 'completed', returned: false, last: 'withdrawal.updated' })
  assert.equal((await journal.stateOf(credit))[0], 'suspense')
  await assertProven()
  await dismiss(credit)
  await assertProven()
  const real = await comesBack(id, { narrative: `FAST IADE ${id}` })
  assert.equal((await journal.stateOf(real))[1], 'payout_returned')
  assert.deepEqual(await shown(id), { status: 'completed', returned: true, last: 'withdrawal.returned' })
  await undo(id)
  await assertProven()
  assert.equal(await returnByHand(app, AYSE, real, id), 'credited')
  assert.equal(await available(), before + A)
})

test('by a person, out of suspense: the money is there again', async () => {
  const id = await sent()
  await arrives(id)
  const before = await available()
  const credit = await comesBack(id, { narrative: 'IADE' })
  await returnByHand(app, AYSE, credit, id)
  await undo(id)
  assert.equal(await available(), before)
  assert.equal((await journal.stateOf(credit))[0], 'suspense')
  await dismiss(credit)
})

for (const costsBy of ['operator', 'merchant'] as const)
  test(`less costs that the ${costsBy} bore: who bore them has them back`, async () => {
    const id = await sent()
    await arrives(id)
    const source = (await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')) ?? assert.fail()
    const [before, charges] = [await available(), await journal.of('bank_charges', source)]
    const credits = [await comesBack(id, { amount: 6_000n }), await comesBack(id, { amount: 3_000n })]
    await post('payout_return', { lineIds: credits, withdrawalId: id, costsBy })
    await assert.rejects(propose('reversal', {}, id), {
      fields: ['entry'],
      why: 'entry_to_reverse_missing',
    })
    await undo(id)
    assert.deepEqual([await available(), await journal.of('bank_charges', source)], [before, charges])
    for (const credit of credits) await dismiss(credit)
  })

test('refused: not returned, never sent, charged already; approved once', async () => {
  const id = await sent()
  await assert.rejects(undo(id), { said: { why: 'payout_not_back', facts: { withdrawal: id, state: 'sent' } } })
  await arrives(id)
  await comesBack(id)
  const one = await propose('unmatch', { withdrawalId: id })
  assert.equal((await propose('unmatch', { withdrawalId: id })).id, one.id, 'the same person again')
  await journal.approve(one.id)
  await assert.rejects(journal.approve(one.id), { why: 'proposal_decided' })
  const again = await returned()
  const owed = await post('receivable', { lineIds: [await arrives(again.id, { narrative: `IADE IPTAL ${again.id}` })] })
  const charge = await post('receivable', { settles: owed, withdrawalId: again.id })
  await assert.rejects(undo(again.id), {
    said: { why: 'merchant_charged', facts: { of: 'return', transaction: again.id, entry: charge } },
  })
  const never = await sent()
  await travelTo(app, 10 * 86_400)
  const decision = { verdict: 'never_paid' as const, evidence: 'asked the bank' }
  for (const actor of [AYSE, MEHMET]) await decideEnded(app, actor, never, decision)
  await assert.rejects(undo(never), { why: 'payout_never_left' })
})
