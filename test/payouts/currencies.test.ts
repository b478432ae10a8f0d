import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { openCollectingAccount, setAccountState } from '../../packages/server/src/domain/banks/index.ts'
import { createDeposits } from '../../packages/server/src/domain/deposits/index.ts'
import { cancelWithdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted, refused, refusedFields } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { until } from '../harness/until.ts'

const service = await startWithBank({ currencies: ['TRY', 'EUR'] })
const { app } = service
const [GARANTI, AKBANK] = ['0062', '0046']
const recipient = (bank: string) => makeIban(bank, '77001')
const shop = await service.merchantWithMoney(1_000_000n)
const open = (iban: string, currency: string) =>
  openCollectingAccount(app, UNATTRIBUTED, { iban, title: 'Vezne Deneme', currency })
const euroAccount = await open(makeIban(GARANTI, '4711'), 'EUR')
await fundInEuros(500_000n)

/** A deposit in EUR, paid into the EUR account by the world of the simulated bank. */
async function fundInEuros(amount: bigint): Promise<void> {
  await app.db.query(sql`
    insert into bank_limits (bank_id, currency, min_amount, max_amount)
    values (${euroAccount.bankId}, 'EUR', 1, 1000000)`)
  const customer = { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' }
  const order = { actor: merchantActor(shop.merchantId), processId: 'euros', amount, currency: 'EUR', customer }
  const [deposit] = await until(
    async () => notRefused(await createDeposits(app, [{ ...order, bankId: euroAccount.bankId }])),
    ({ length }) => length === 1,
  )
  const words = { description: deposit?.referenceCode, senderName: customer.name, currency: 'EUR' }
  await service.call('POST', `accounts/${euroAccount.iban}/fund`, { amount: Number(amount), ...words })
  await service.readStatement()
}

const ask = (changes: Record<string, unknown>) => shop.post('/v1/withdraw', withdrawBody(changes))

async function asked(changes: Record<string, unknown>): Promise<string> {
  return accepted(await ask(changes), 201).transactionId as string
}

async function where(id: string) {
  const { state, stateReason, rail, sourceAccountId } = await mustFind(app, id)
  return { state, stateReason, rail, sourceAccountId }
}

test('EUR leaves as havale from the EUR account at the same bank, and the order to the bank says EUR', async () => {
  const id = await asked({ currency: 'EUR', iban: recipient(GARANTI) })
  await service.work()
  const sent = { state: 'sent', stateReason: null, rail: 'havale', sourceAccountId: euroAccount.id }
  assert.deepEqual(await where(id), sent)
  const order = (await service.witness()).find(({ reference }) => reference === id)
  assert.equal(order?.currency, 'EUR')
})

test('EUR to a bank where we have no EUR account: refused at creation, and the reason is given', async () => {
  const answer = await ask({ currency: 'EUR', iban: recipient(AKBANK) })
  assert.deepEqual(refusedFields(answer), ['currency'])
  assert.match(answer.body.error.message, /EUR.*same bank/)
})

test('EUR whose account at that bank was blocked meanwhile waits for a rail; it never goes by FAST', async () => {
  await open(makeIban(AKBANK, '4712'), 'EUR')
  const id = await asked({ currency: 'EUR', iban: recipient(GARANTI) })
  await app.db.transaction((tx) => setAccountState(app, tx, euroAccount.id, 'blocked'))
  await until(
    () => app.banks.accounts(),
    (accounts) => accounts.some(({ state }) => state === 'blocked'),
  )
  await service.work()
  assert.deepEqual(await where(id), { state: 'queued', stateReason: 'no_rail', rail: null, sourceAccountId: null })
  await cancelWithdrawal(app, merchantActor(shop.merchantId), id)
})

test('a withdrawal to a collecting account of ours is refused, however written and whatever its state', async () => {
  const [first] = await app.banks.accounts()
  const own = [first?.iban ?? '', (first?.iban ?? '').toLowerCase().replaceAll(/(.{4})/g, '$1 '), euroAccount.iban]
  for (const iban of own) assert.deepEqual(refusedFields(await ask({ iban })), ['iban'])
})

test('an account that became ours after the withdrawal was created: nothing is sent, and it waits with a reason', async () => {
  const iban = makeIban(GARANTI, '99007')
  const id = await asked({ iban })
  await open(iban, 'TRY')
  await until(
    () => app.banks.accounts(),
    (accounts) => accounts.some((account) => account.iban === iban),
  )
  await service.work()
  const waiting = { state: 'queued', stateReason: 'own_account', rail: null, sourceAccountId: null }
  assert.deepEqual(await where(id), waiting)
  assert.ok((await service.witness()).every(({ reference }) => reference !== id))
})

test('a deposit in EUR cannot be paid by FAST, and the answer says why', async () => {
  const answer = await shop.post('/v1/deposit', depositBody({ amount: 1000, currency: 'EUR', bankCode: 'FAST' }))
  refused(answer, 400, 'VALIDATION_ERROR')
  assert.match(answer.body.error.message, /FAST works in TRY only/)
})
