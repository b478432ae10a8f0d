import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readPaymentRows } from '@vezne/bank-formats'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import {
  approveInstruction,
  expireInstructions,
  findInstruction,
  proposeInstruction,
  readLines,
  rejectInstruction,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { merchantUserActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { withdrawBody } from '../harness/examples.ts'
import { later } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const IBAN = 'TR620006200029500006291296'
const read = (text: string) => readPaymentRows(Readable.from([Buffer.from(text)]))

async function shopWith(funds: bigint) {
  const shop = await service.merchant({ funds })
  const user = (login: string, role = 'finance') => merchantUserActor(shop.merchantId, login.repeat(24), role)
  async function propose(text: string, id = app.ids.next()) {
    await proposeInstruction(app, user('a'), shop.merchantId, {
      ...{ id, source: 'a.csv', currency: 'TRY' },
      rows: await read(text),
    })
    return { id, seen: (await findInstruction(app.db, shop.merchantId, id))?.linesHash ?? '' }
  }
  const count = async () => {
    const { data } = (await shop.get('/v1/transactions?type=withdrawal')).body as { data?: { transactions: unknown[] } }
    return data?.transactions.length ?? -1
  }
  return { ...shop, user, propose, count }
}

test('a second person creates all withdrawals at once; lines are then gone', async () => {
  const { merchantId, user, propose, count } = await shopWith(1_000_000n)
  const given = await propose(`A1;Ayşe Çetin;${IBAN};1.250,00\nA2;Veli Aslan;${IBAN};840.50`)
  assert.equal(await count(), 0)
  await assert.rejects(approveInstruction(app, user('a'), merchantId, given), /Another person/)
  await assert.rejects(approveInstruction(app, user('b', 'developer'), merchantId, given), /may not do this/)
  await assert.rejects(
    approveInstruction(app, user('b'), merchantId, { ...given, seen: 'x' }),
    /not those that you saw/,
  )
  const twice = await Promise.allSettled([1, 2].map(() => approveInstruction(app, user('b'), merchantId, given)))
  assert.equal(twice.filter((one) => one.status === 'fulfilled').length, 1)
  assert.equal(await count(), 2)
  const { held } = await balanceOf(app.db, merchantId, 'TRY')
  assert.equal(held, 125_000n + 84_050n)
  const { state, lines } = (await findInstruction(app.db, merchantId, given.id)) ?? assert.fail()
  assert.deepEqual([state, lines], ['approved', null])
})

test('all or none: too little money, a processId used meanwhile, a frozen merchant', async () => {
  const { merchantId, user, propose, count, post } = await shopWith(100_000n)
  const tooMuch = await propose(`A1;Ayşe Çetin;${IBAN};900,00\nA2;Veli Aslan;${IBAN};900,00`)
  await assert.rejects(
    approveInstruction(app, user('b'), merchantId, tooMuch),
    /^Refusal: A2: |A2: The withdrawal needs/,
  )
  assert.equal(await count(), 0)
  const used = await propose(`B1;Ayşe Çetin;${IBAN};1,00\nB2;Veli Aslan;${IBAN};1,00`)
  await post('/v1/withdraw', withdrawBody({ processId: 'B2', amount: 100 }))
  await assert.rejects(approveInstruction(app, user('b'), merchantId, used), /B2/)
  assert.equal(await count(), 1)
  const frozen = await propose(`C1;Ayşe Çetin;${IBAN};1,00`)
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test')
  await assert.rejects(approveInstruction(app, user('b'), merchantId, frozen), /suspended/)
  await unfreezeMerchant(app, UNATTRIBUTED, merchantId, 'a test')
  await rejectInstruction(app, user('a'), merchantId, frozen.id)
  await assert.rejects(approveInstruction(app, user('b'), merchantId, frozen), /is rejected/)
  assert.equal(await count(), 1)
})

test('every problem of every line is named, and nothing is proposed', async () => {
  const { merchantId, user, post } = await shopWith(100_000n)
  await post('/v1/withdraw', withdrawBody({ processId: 'used', amount: 100 }))
  const rows = await read(
    [
      `used;Ayşe Çetin;${IBAN};1,00`,
      `A1;Ay;TR620006200029500006291297;1250`,
      `A1;Veli Aslan;${IBAN};0,00`,
      `;Veli Aslan;${IBAN}`,
    ].join('\n'),
  )
  const { problems } = await readLines(app, merchantId, 'TRY', rows)
  assert.deepEqual(
    problems.map(({ line, field, problem }) => `${line} ${field ?? '-'} ${problem}`),
    [
      '1 processId used',
      '2 accountName too_short',
      '2 iban invalid',
      '2 amount invalid',
      '3 processId twice',
      '3 amount invalid',
      '4 - columns',
    ],
  )
  const proposal = { id: app.ids.next(), source: null, currency: 'TRY', rows }
  await assert.rejects(proposeInstruction(app, user('a'), merchantId, proposal), /Line 1: processId \(used\)/)
  const many = Array.from({ length: 1001 }, (_, at) => `P${at};Veli Aslan;${IBAN};1,00`).join('\n')
  const tooMany = { ...proposal, rows: await read(many) }
  await assert.rejects(proposeInstruction(app, user('a'), merchantId, tooMany), /at most 1000/)
})

test('a form that is sent twice counts once; after a week no one can approve', async () => {
  const { merchantId, user, propose } = await shopWith(100_000n)
  const given = await propose(`A1;Ayşe Çetin;${IBAN};1,00`)
  await assert.rejects(propose(`A1;Ayşe Çetin;${IBAN};1,00`, given.id), /sent already/)
  assert.equal(await expireInstructions(app), 0)
  assert.ok((await expireInstructions(later(app, 8 * 86_400))) >= 1)
  await assert.rejects(approveInstruction(app, user('b'), merchantId, given), /is expired/)
})
