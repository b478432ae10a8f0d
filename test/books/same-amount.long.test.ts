import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { someDeposits } from '../harness/payments.ts'
import { travelTo } from '../harness/until.ts'
import { AYSE } from '../harness/journal.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import { AMOUNT } from '../harness/payout-lines.ts'

// Lines that fit something of their amount, without any id: the advice leads to it.

const { app, shop, journal, sent, available, candidatesOf, follow, take, arrives } = await openBooksOfPayouts()
const { here, there } = journal
const A = BigInt(AMOUNT)
const nameless = { senderName: '', accountIban: here.iban }
const statusOf = async (id: string) => (await findDepositById(app.db, id))?.status

test('our transfer failed and came back on its account; a charge is given back the next day: both pairs cancel out', async () => {
  const earlier = new Date(app.clock.now().getTime() - 20 * 3_600_000)
  const pairs = [
    [{ senderIban: there.iban, narrative: 'VIRMAN' }, { narrative: 'VIRMAN IADE' }, 150_000n],
    [{ narrative: 'EFT MASRAFI' }, { narrative: 'MASRAF IADESI' }, 525n],
  ] as const
  for (const [out, back, amount] of pairs) {
    const debit = await journal.arrives('debit', amount, { ...nameless, ...out, bookedAt: earlier })
    const credit = await journal.arrives('credit', amount, { ...nameless, ...back })
    for (const line of [debit, credit]) assert.match((await candidatesOf(line))[0]?.next ?? '', /propose storno/)
    await follow(credit)
  }
})

// Before the deposits below: of what they leave on an account the bank knows nothing, and it would refuse a payout from there.
test("a return less a charge without the id: the recipient's IBAN leads to it", async () => {
  const iban = makeIban('0062', '12345678')
  const id = await sent({ iban })
  await arrives(id)
  const before = await available()
  const credit = await arrives(id, { direction: 'credit', amount: A - 100n, narrative: 'IADE', senderIban: iban })
  await follow(credit, { WHO: 'operator' })
  assert.deepEqual([(await findPayout(app.db, id))?.state, await available()], ['returned', before + A])
})

test('a payment that was taken back comes again without its code: its deposit is completed', async () => {
  const [deposit = assert.fail('no deposit')] = await someDeposits(app, shop.merchantId, 1, 33_003n)
  const { iban: accountIban = '' } = (await app.banks.account(deposit.collectingAccountId ?? '')) ?? {}
  const sender = { accountIban, senderName: deposit.customer.name }
  await journal.arrives('credit', 33_003n, { ...sender, narrative: `ODEME ${deposit.referenceCode}` })
  await follow(await journal.arrives('debit', 33_003n, { ...sender, narrative: `STORNO ${deposit.referenceCode}` }))
  assert.equal(await statusOf(deposit.id), 'failed')
  await follow(await journal.arrives('credit', 33_003n, { ...sender, narrative: 'HAVALE' }))
  assert.equal(await statusOf(deposit.id), 'completed')
})

test('a storno with a code is of the deposit of that code, days later too, and not of an equal payment beside it', async () => {
  const [deposit = assert.fail('no deposit'), other = assert.fail('no other')] = await someDeposits(
    app,
    shop.merchantId,
    2,
    35_005n,
  )
  const { iban: accountIban = '' } = (await app.banks.account(deposit.collectingAccountId ?? '')) ?? {}
  const bookedAt = new Date(app.clock.now().getTime() - 5 * 86_400_000)
  await journal.arrives('credit', 35_005n, {
    ...{ accountIban, bookedAt, senderName: deposit.customer.name },
    narrative: `ODEME ${deposit.referenceCode}`,
  })
  const beside = await journal.arrives('credit', 35_005n, { accountIban, senderName: other.customer.name })
  await matchByHand(app, AYSE, beside, other.id)
  await follow(
    await journal.arrives('debit', 35_005n, {
      accountIban,
      senderName: '',
      narrative: `IPTAL ${deposit.referenceCode}`,
    }),
  )
  assert.deepEqual([await statusOf(deposit.id), await statusOf(other.id)], ['failed', 'completed'])
})

test('a credit with the codes of several deposits is split over them, and the rest is left', async () => {
  for (const rest of [0n, 77n]) {
    const deposits = await someDeposits(app, shop.merchantId, 3, 4_400n)
    const { iban: accountIban = '' } = (await app.banks.account(deposits[0]?.collectingAccountId ?? '')) ?? {}
    const codes = deposits.map(({ referenceCode }) => referenceCode).join(' ')
    const line = await journal.arrives('credit', 13_200n + rest, { accountIban, narrative: `ODEME ${codes}` })
    await follow(line)
    assert.deepEqual(await Promise.all(deposits.map(({ id }) => statusOf(id))), ['completed', 'completed', 'completed'])
    if (rest === 0n) continue
    const entry = (await journal.stateOf(line))[2] as string
    const debit = await journal.arrives('debit', rest, { accountIban, narrative: 'DUZELTME' })
    const owed = await take(`vezne journal propose receivable --line ${debit}`)
    await take(`vezne journal propose receivable --rest-of ${entry} --settles ${owed}`)
  }
})

// The last one: it moves the clock.
test('a return less a charge comes four days later, without the id: still not a stranger’s money', async () => {
  // At a bank where none of our accounts is: the deposits above may have left money on any, of which the bank knows nothing.
  const iban = makeIban('0115', '22345678')
  const id = await sent({ iban })
  await arrives(id)
  await travelTo(app, 4 * 86_400)
  const back = { direction: 'credit', amount: A - 100n, narrative: 'IADE', senderIban: iban } as const
  await follow(await arrives(id, back), { WHO: 'operator' })
  assert.equal((await findPayout(app.db, id))?.state, 'returned')
})
