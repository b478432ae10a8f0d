import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { cancelDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openJournal } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// What a person is shown first about a line.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, here, there } = journal
const { sent } = openPayoutLines(service, shop)
const REFUSED = makeIban('0062', '90000001')

async function candidatesOf(lineId: string) {
  return candidatesInWords(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
}

async function firstOf(lineId: string) {
  const [first] = await candidatesOf(lineId)
  return [first?.what, first?.id]
}

const ibanOf = async (accountId: string | null) => (await app.banks.account(accountId ?? ''))?.iban ?? ''

test('a line without a time is compared by day: a payout of the same day was created before it', async () => {
  const id = await sent()
  const accountIban = await ibanOf((await findPayout(app.db, id))?.sourceAccountId ?? null)
  const bookedAt = startOfDay(istanbul(app.clock.now()).day)
  const line = await arrives('debit', BigInt(AMOUNT), { accountIban, bookedAt, wholeDay: true })
  const found = (await candidatesOf(line)).find((one) => one.id === id)
  assert.ok(found?.reasons.includes('created before the line'), String(found?.reasons))
})

test('a transfer to our own IBAN: the line on our other account comes before any payout, also less the costs', async () => {
  await sent({ amount: 100_000 })
  const debit = await arrives('debit', 100_000n, { senderIban: there.iban, narrative: 'VIRMAN' })
  const less = await arrives('credit', 99_500n, { accountIban: there.iban, senderIban: null, narrative: 'VIRMAN' })
  assert.deepEqual(await firstOf(debit), ['own_transfer', less])
  assert.deepEqual(await firstOf(less), ['own_transfer', debit])
  const [first] = await candidatesOf(debit)
  assert.ok(first?.reasons.includes('5,00 TL more than the other side'), String(first?.reasons))
  assert.equal(first?.next, `vezne journal propose own_transfer --line ${debit} --line ${less}`)
  await journal.post('own_transfer', { lineIds: [debit, less] })
  const back = await arrives('debit', 77_700n, { accountIban: there.iban })
  const whole = await arrives('credit', 77_700n, { senderIban: there.iban })
  assert.deepEqual(await firstOf(back), ['own_transfer', whole])
  assert.deepEqual(await firstOf(whole), ['own_transfer', back])
})

test('a debit with the code of a deposit: its storno comes first', async () => {
  const [paid = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1, 70_000n)
  await service.pay(paid)
  const refused = await sent({ amount: 70_000, iban: REFUSED })
  const payout = (await findPayout(app.db, refused)) ?? assert.fail('no payout')
  const storno = await arrives('debit', 70_000n, {
    accountIban: await ibanOf(paid.collectingAccountId),
    senderIban: payout.iban,
    senderName: payout.accountName,
    narrative: `IPTAL ${paid.referenceCode}`,
  })
  const [first] = await candidatesOf(storno)
  assert.equal(first?.what, 'storno')
  assert.ok(first?.reasons.includes('both have the code of one deposit'), String(first?.reasons))
})

test('a credit that may give back a part of what is owed offers it', async () => {
  const id = await journal.post('receivable', { lineIds: [await arrives('debit', 60_000n)] })
  const part = await arrives('credit', 20_000n, { narrative: 'yanlis odeme iadesi' })
  const found = (await candidatesOf(part)).find((one) => one.id === id)
  assert.equal(found?.next, `vezne journal propose receivable --line ${part} --settles ${id}`)
  assert.ok(found?.reasons.includes('400,00 TL less than the receivable'), String(found?.reasons))
  const more = await arrives('credit', 60_001n)
  assert.ok((await candidatesOf(more)).every((one) => one.id !== id))
})

test('a refund that would be refused is not offered: the debit that may have paid it is explained first', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 6_100n)
  await cancelDeposit(app, merchantActor(shop.merchantId), deposit?.id ?? '')
  const line = await arrives('credit', 6_100n, { accountIban: here.iban, senderIban: REFUSED })
  const commandOf = async () => (await candidatesOf(line)).find((one) => one.id === deposit?.id)?.next
  assert.equal(await commandOf(), `vezne journal propose refund_unexplained --line ${line}`)
  await journal.post('refund_unexplained', { lineIds: [line] })
  await service.work()
  await returnRefunds(app)
  assert.equal(
    await commandOf(),
    `vezne journal propose refund_unexplained --line ${line}`,
    'nothing speaks against it',
  )
  const [withdrawal] = await app.db.query<{ id: string; source: string }>(
    sql`select withdrawal_id as id, source_account_id as source from payouts order by withdrawal_id desc limit 1`,
  )
  const debit = await arrives('debit', 6_100n, {
    accountIban: await ibanOf(withdrawal?.source ?? null),
    narrative: `Para cekme ${withdrawal?.id}`,
  })
  assert.match((await commandOf()) ?? '', new RegExp(`^explain first: bank line ${debit} .*vezne line show ${debit}`))
})

test('what is owed is offered only for a credit that fits it, not for every smaller one', async () => {
  const bankReference = 'KRD-20931'
  const written = { senderName: 'Hatali Alici', narrative: 'HATALI ISLEM', bankReference, accountIban: here.iban }
  const id = await journal.post('receivable', {
    lineIds: [await arrives('debit', 61_234n, { ...written, senderIban: makeIban('0062', '55550001') })],
  })
  const offered = async (amount: bigint, changes: object = {}) => {
    const credit = await arrives('credit', amount, { senderName: 'Baska Biri', narrative: 'odeme', ...changes })
    return (await candidatesOf(credit)).some((one) => one.id === id)
  }
  assert.equal(await offered(1_000n), false)
  assert.equal(await offered(1_000n, { accountIban: there.iban, senderName: 'Hatali Alici' }), false)
  assert.equal(await offered(61_234n, { accountIban: there.iban }), false)
  assert.equal(await offered(61_235n, { senderName: 'Hatali Alici' }), false)
  assert.equal(await offered(61_234n), true)
  assert.equal(await offered(1_000n, { senderName: 'HATALI ALICI' }), true)
  assert.equal(await offered(1_000n, { senderIban: makeIban('0062', '55550001') }), true)
  assert.equal(await offered(1_000n, { narrative: 'krd-20931 duzeltme' }), true)
  assert.equal(await offered(1_000n, { narrative: 'hatali islem' }), true)
})
