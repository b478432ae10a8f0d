import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { MEHMET } from '../harness/journal.ts'
import { reloadDeposit, someDeposits } from '../harness/payments.ts'
import { refundBody, refundPath } from '../harness/refunds.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
for (const name of ['ayse.yilmaz', 'mehmet.kaya', 'zeynep.ak']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const shop = await service.merchant()

const [TYPED, REAL] = ['TR330006200000007000021326', 'TR330006100519786457841326']

/** A deposit that was paid by a line which people entered with this IBAN. */
async function entered(amount: bigint, senderIban: string | null) {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1, amount)
  const outage = await openOutage(app)
  await app.db.query(sql`update deposits set collecting_account_id = ${outage.id} where id = ${deposit.id}`)
  const written = { amount, senderName: deposit.customer.name, narrative: `FAST ${deposit.referenceCode}` }
  await outage.enter({ ...written, senderIban })
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')

  const send = (changes = {}) => shop.post(refundPath(deposit.id), refundBody({ amount: 1000, ...changes }))

  /** Where a refund goes, and whether two people approve it. */
  async function refund(changes = {}) {
    const { transactionId } = accepted(await send(changes), 201)
    const { iban, approvalRequired } = (await findWithdrawalById(app.db, transactionId)) ?? assert.fail('no refund')
    return { iban, approvalRequired }
  }
  const bank = (senderIban: string | null, changes = {}) =>
    outage.gives(outage.real({ ...written, ...changes, senderIban }))
  const newest = async () => (await outage.lines()).at(-1)?.id ?? assert.fail('no line')
  return { refund, send, bank, newest }
}

test('no refund before the bank has shown the payment; then to the IBAN that both give', async () => {
  const { refund, send, bank } = await entered(61_001n, TYPED)
  for (const changes of [{}, { iban: REAL, accountName: 'Ayşe Yılmaz' }])
    refused(await send(changes), 409, 'INVALID_STATE')
  await bank(TYPED)
  assert.deepEqual(await refund(), { iban: TYPED, approvalRequired: false })
})

test('the bank’s line has no IBAN: the typed one is still a person’s word', async () => {
  const { refund, bank } = await entered(61_002n, TYPED)
  assert.equal((await bank(null))[0]?.[1], 'entered_by_hand')
  assert.deepEqual(await refund(), { iban: TYPED, approvalRequired: true })
})

test('no IBAN was typed: that of the bank’s line is taken', async () => {
  const { refund, send, bank } = await entered(61_003n, null)
  refused(await send(), 409, 'INVALID_STATE')
  await bank(REAL)
  assert.deepEqual(await refund(), { iban: REAL, approvalRequired: false })
})

test('a suspected line refers to the payment: no refund until a person has decided; then to the bank’s IBAN, approved', async () => {
  const { refund, send, bank, newest } = await entered(61_004n, TYPED)
  assert.equal((await bank(REAL))[0]?.[1], 'suspected_correction')
  refused(await send(), 409, 'INVALID_STATE')
  for (const actor of [MEHMET, operatorActor('zeynep.ak')])
    await makeProposal(app, actor, 'line.same_money', { lineId: await newest() })
  assert.deepEqual(await refund(), { iban: REAL, approvalRequired: true })
})
