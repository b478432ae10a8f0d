import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { UNATTRIBUTED, merchantActor, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { findDrift, findMixedEntries } from '../../packages/server/src/domain/ledger/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  decideDoubt,
  dispatchWithdrawals,
  cancelWithdrawal,
  rejectWithdrawal,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { aWeekLater } from '../harness/crash.ts'
import { entriesOf, longBefore } from '../harness/entries.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n, { withdrawFee: { bps: 100 } })
const { ask, sent, lineAbout, faults } = openPayoutLines(service, shop)
const [ADA, BORA] = ['ada.aksoy', 'bora.boz'] as const
for (const name of [ADA, BORA]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const bookedAt = longBefore(app)

afterEach(async () => {
  await service.call('DELETE', 'faults')
  assert.deepEqual(await findDrift(app.db), [])
  assert.deepEqual(await findMixedEntries(app.db), [])
})

const HOLD = ['withdrawal_hold', `merchant:${shop.merchantId}`, 'clock'] as const
const SUBMISSION = ['withdrawal_submission', 'system', 'clock'] as const

async function assertEntries(id: string, expected: readonly (readonly string[])[]): Promise<void> {
  // In alphabetical order of the kinds: entries of the same millisecond have no other.
  assert.deepEqual(
    await entriesOf(app, id, bookedAt),
    expected.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}

const back = (id: string, changes: object = {}) =>
  lineAbout(id, { direction: 'credit', narrative: `IADE ${id}`, bookedAt, ...changes })

test('who ends a withdrawal before it is sent is the author of its release', async () => {
  const [cancelled, stopped, rejected] = [await ask(), await ask(), await ask()]
  await cancelWithdrawal(app, merchantActor(shop.merchantId), cancelled)
  await assertEntries(cancelled, [HOLD, ['withdrawal_release', `merchant:${shop.merchantId}`, 'clock']])
  await stopWithdrawal(app, operatorActor(ADA), stopped, 'the customer called: wrong account')
  await assertEntries(stopped, [HOLD, ['withdrawal_release', `operator:${ADA}`, 'clock']])
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })
  await dispatchWithdrawals(app)
  await rejectWithdrawal(app, operatorActor(BORA), rejected, 'a test')
  await assertEntries(rejected, [HOLD, ['withdrawal_release', `operator:${BORA}`, 'clock']])
  await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: null })
})

test("the bank's answer settles or refuses on the day it is heard; amount and fee are one entry", async () => {
  await assertEntries(await sent(), [HOLD, SUBMISSION, ['withdrawal_settlement', 'system', 'clock']])
  const refused = await sent({ iban: makeIban('0062', '90000001') })
  await assertEntries(refused, [HOLD, SUBMISSION, ['withdrawal_refusal', 'system', 'clock']])
})

test('a line settles and returns on the day on which the bank booked it', async () => {
  await faults('error_after')
  const id = await sent()
  await ingest(app, [await lineAbout(id, { bookedAt })])
  await matchAll(app)
  const settled = [HOLD, SUBMISSION, ['withdrawal_settlement', 'system', 'bank']]
  await assertEntries(id, settled)
  await ingest(app, [await back(id)])
  await matchAll(app)
  await assertEntries(id, [...settled, ['withdrawal_return', 'system', 'bank']])
})

test('a return that a person finds: out of suspense, by that person, on the day of the decision', async () => {
  const id = await sent()
  await ingest(app, [await back(id, { senderIban: makeIban('0046', '77777777') })])
  await matchAll(app)
  const line = (await listLines(app.db, 'suspense', 1000)).find((one) => one.candidateWithdrawalId === id)
  await returnByHand(app, operatorActor(ADA), line?.id ?? '', id)
  await assertEntries(line?.id ?? '', [['suspense_receipt', 'system', 'bank']])
  const settlement = ['withdrawal_settlement', 'system', 'clock']
  await assertEntries(id, [HOLD, SUBMISSION, settlement, ['withdrawal_return', `operator:${ADA}`, 'clock']])
})

for (const [verdict, kind] of [
  ['found', 'withdrawal_settlement'],
  ['not_found', 'withdrawal_refusal'],
] as const) {
  test(`two people end a payout (${verdict}): the second of them is the author`, async () => {
    await faults('error_before', 'find_error')
    const id = await sent()
    for (const name of [ADA, BORA])
      await decideDoubt(aWeekLater(app), operatorActor(name), id, {
        verdict,
        evidence: 'statement page 7',
        unproven: true,
      })
    await assertEntries(id, [HOLD, SUBMISSION, [kind, `operator:${BORA}`, 'clock']])
  })
}
