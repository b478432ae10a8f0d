import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readPaymentRows } from '@vezne/bank-formats'
import { changeRole, disableLogin, lockEntitledUser } from '../../packages/server/src/domain/identity/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { freezeMerchant, unfreezeMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import {
  expireProposals,
  findProposal,
  openAsProposed,
  showProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { createInstruction, readInstruction, readLines } from '../../packages/server/src/domain/withdrawals/index.ts'
import { merchantUserActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { withdrawBody } from '../harness/examples.ts'
import { approveInstruction, proposeInstruction, rejectInstruction } from '../harness/instructions.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { later, usersOf } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const IBAN = 'TR620006200029500006291296'
const read = (text: string) => readPaymentRows(Readable.from([Buffer.from(text)]))

async function shopWith(funds: bigint) {
  const shop = await service.merchant({ funds })
  const logins = await usersOf(app, shop.merchantId, ['a', 'b'])
  const user = (name: 'a' | 'b', role = 'finance') => merchantUserActor(shop.merchantId, logins[name], role)
  async function propose(text: string, id = app.ids.next()) {
    return proposeInstruction(app, user('a'), shop.merchantId, {
      ...{ id, source: 'a.csv', currency: 'TRY' },
      rows: await read(text),
    })
  }
  const count = async () => {
    const { data } = (await shop.get('/v1/transactions?type=withdrawal')).body as { data?: { transactions: unknown[] } }
    return data?.transactions.length ?? -1
  }
  return { ...shop, user, propose, count, logins }
}

const decided = (why: string) => ({ why })

test('a second person creates all withdrawals at once; lines are then gone', async () => {
  const { merchantId, user, propose, count } = await shopWith(1_000_000n)
  const given = await propose(`A1;Ayşe Çetin;${IBAN};1.250,00\nA2;Veli Aslan;${IBAN};840.50`)
  assert.equal(await count(), 0)
  await assert.rejects(approveInstruction(app, user('a'), given), { why: 'proposal_own' })
  await assert.rejects(approveInstruction(app, user('b', 'developer'), given), {
    why: 'user_without_right',
  })
  await assert.rejects(approveInstruction(app, user('b'), { ...given, seen: 'f'.repeat(64) }), {
    why: 'proposal_outdated',
  })
  const twice = await Promise.allSettled([1, 2].map(() => approveInstruction(app, user('b'), given)))
  assert.equal(twice.filter((one) => one.status === 'fulfilled').length, 1)
  assert.equal(await count(), 2)
  const { held } = await balanceOf(app.db, merchantId, 'TRY')
  assert.equal(held, 125_000n + 84_050n)
  const { state, payload, rows } = (await findProposal(app.db, given.id)) ?? assert.fail()
  assert.deepEqual([state, payload], ['applied', 'null'])
  const kept = Object.fromEntries(rows.map(({ field, after }) => [field, after]))
  assert.deepEqual({ ...kept, sha256: '' }, { file: 'a.csv', lineCount: 2, total: '2.090,50 TL', sha256: '' })
  const audited = JSON.stringify(await listAudit(app.db, {}, 10), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  for (const text of ['Ayşe Çetin', IBAN]) assert.doesNotMatch(audited, new RegExp(text), 'no personal data for ever')
})

test('the proposal of a user who has lost the right, or the login, cannot be approved', async () => {
  const { user, propose, count, logins } = await shopWith(100_000n)
  const [one, other] = [await propose(`R1;Ayşe Çetin;${IBAN};1,00`), await propose(`R2;Ayşe Çetin;${IBAN};1,00`)]
  const gone = { code: 'INVALID_STATE', why: 'proposer_without_right' }
  await changeRole(app, UNATTRIBUTED, logins.a, 'support')
  await assert.rejects(approveInstruction(app, user('b'), one), gone)
  await changeRole(app, UNATTRIBUTED, logins.a, 'finance')
  await approveInstruction(app, user('b'), one)
  await disableLogin(app, UNATTRIBUTED, logins.a)
  await assert.rejects(approveInstruction(app, user('b'), other), gone)
  await rejectInstruction(app, user('b'), other)
  assert.equal(await count(), 1)
})

test('a change of the role waits for the approval that counts on it', async () => {
  const { merchantId, logins } = await shopWith(100_000n)
  const person = `merchant:${merchantId}:${logins.a}`
  let changed: Promise<void> = Promise.resolve()
  await app.db.transaction(async (tx) => {
    assert.equal(await lockEntitledUser(app, tx, person, 'instruction.propose'), true)
    changed = changeRole(app, UNATTRIBUTED, logins.a, 'support')
    await untilOneWaits(app.db)
  })
  await changed
  await app.db.transaction(async (tx) => {
    assert.equal(await lockEntitledUser(app, tx, person, 'instruction.propose'), false)
    assert.equal(await lockEntitledUser(app, tx, 'merchant:other:a', 'instruction.propose'), false)
  })
})

test('all or none: too little money, a processId used meanwhile, a frozen merchant', async () => {
  const { merchantId, user, propose, count, post } = await shopWith(100_000n)
  const tooMuch = await propose(`A1;Ayşe Çetin;${IBAN};900,00\nA2;Veli Aslan;${IBAN};900,00`)
  await assert.rejects(approveInstruction(app, user('b'), tooMuch), {
    about: 'A2',
    why: 'withdrawal_above_balance',
  })
  assert.equal(await count(), 0)
  const used = await propose(`B1;Ayşe Çetin;${IBAN};1,00\nB2;Veli Aslan;${IBAN};1,00`)
  await post('/v1/withdraw', withdrawBody({ processId: 'B2', amount: 100 }))
  await assert.rejects(approveInstruction(app, user('b'), used), { about: 'B2', why: 'transaction_exists' })
  assert.equal(await count(), 1)
  const frozen = await propose(`C1;Ayşe Çetin;${IBAN};1,00`)
  await freezeMerchant(app, UNATTRIBUTED, merchantId, 'a test')
  await assert.rejects(approveInstruction(app, user('b'), frozen), /suspended/)
  await unfreezeMerchant(app, UNATTRIBUTED, merchantId, 'a test')
  await rejectInstruction(app, user('a'), frozen)
  await assert.rejects(approveInstruction(app, user('b'), frozen), decided('proposal_decided'))
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
  await assert.rejects(proposeInstruction(app, user('a'), merchantId, proposal), {
    said: { why: 'instruction_line_wrong', facts: { line: 1, field: 'processId', problem: 'used', iban: null } },
  })
  const many = Array.from({ length: 1001 }, (_, at) => `P${at};Veli Aslan;${IBAN};1,00`).join('\n')
  const tooMany = { ...proposal, rows: await read(many) }
  await assert.rejects(proposeInstruction(app, user('a'), merchantId, tooMany), {
    fields: ['lines'],
    said: { why: 'instruction_lines_too_many', facts: { most: 1000 } },
  })
})

test('a form that is sent twice counts once; after a week no one can approve, and the lines are gone', async () => {
  const { user, propose, count } = await shopWith(100_000n)
  const [form, text] = [app.ids.next(), `A1;Ayşe Çetin;${IBAN};1,00`]
  const given = await propose(text, form)
  assert.deepEqual(await propose(text, form), given)
  const aWeekLater = later(app, 8 * 86_400)
  await assert.rejects(approveInstruction(aWeekLater, user('b'), given), { why: 'proposal_expired' })
  assert.ok((await expireProposals(aWeekLater)) >= 1)
  await assert.rejects(approveInstruction(app, user('b'), given), decided('proposal_decided'))
  assert.doesNotMatch(JSON.stringify(await findProposal(app.db, given.id)), /Ayşe/)
  await assert.rejects(propose(text, form), { why: 'instruction_sent_before' })
  assert.equal(await count(), 0)
})

test('no one creates withdrawals alone, in a sandbox either; at most fifty instructions wait; staff does not decide', async () => {
  const { merchantId, user, propose } = await shopWith(100_000n)
  const proposal = { id: app.ids.next(), source: null, currency: 'TRY', rows: await read(`Z;Ayşe Çetin;${IBAN};1,00`) }
  const instruction = await readInstruction(app, { ...proposal, merchantId })
  await assert.rejects(createInstruction(app, user('b'), instruction), { why: 'two_people_needed' })
  const given = await propose(`P0;Ayşe Çetin;${IBAN};1,00`)
  for (let at = 1; at < 50; at++) await propose(`P${at};Ayşe Çetin;${IBAN};1,00`)
  await assert.rejects(propose(`P50;Ayşe Çetin;${IBAN};1,00`), { why: 'instructions_full' })
  await rejectInstruction(app, user('a'), given)
  await propose(`P50;Ayşe Çetin;${IBAN};1,00`)
  assert.equal((await openAsProposed(app, 100)).length, 0, 'the staff is not shown them')
  await assert.rejects(showProposal(app, given.id), { why: 'proposal_unknown' })
})
