import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openBooksOfPayouts } from '../harness/books-of-payouts.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT } from '../harness/payout-lines.ts'
import { refusal, refusalSaying } from '../harness/refusals.ts'

// A debit to our other account waits for its credit. Other credits on that account are not its other side.

const { app, shop, journal, sent, available, candidatesOf, follow, arrives } = await openBooksOfPayouts()
const { post, propose, here, there } = journal
const A = BigInt(AMOUNT)
const STRANGER = makeIban('0062', '12345678')

/** A payout that was debited, the account it left from, and a larger transfer of ours to that account. */
async function withTransfer(amount: bigint) {
  const id = await sent()
  await arrives(id)
  const account = (await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')) ?? assert.fail()
  const from = account.id === here.id ? there : here
  const debit = await journal.arrives('debit', amount, {
    accountIban: from.iban,
    senderIban: account.iban,
    narrative: 'VIRMAN',
  })
  const credit = (one: object, its = amount) =>
    journal.arrives('credit', its, { accountIban: account.iban, narrative: 'HAVALE', senderName: '', ...one })
  return { id, account, from, debit, credit }
}

const pairs = async (line: string) => (await candidatesOf(line)).filter(({ what }) => what === 'own_transfer')

test('the return of a payout is not the other side, also of its amount: its merchant gets it, and the real credit is paired', async () => {
  for (const more of [0n, 400n, A]) {
    const { id, from, debit, credit } = await withTransfer(A + more)
    const before = await available()
    const back = await credit(
      { narrative: `FAST IADE ${id}`, senderName: 'ALICI BANKA GECICI', senderIban: STRANGER },
      A,
    )
    assert.deepEqual([await pairs(back), await pairs(debit)], [[], []])
    const refused =
      more === A
        ? refusalSaying('transfer_less_arrived', /less arrived than left.*receivable/)
        : refusalSaying('transfer_line_names_withdrawal', /refers to withdrawal.*vezne line candidates/)
    await assert.rejects(propose('own_transfer', { lineIds: [back, debit] }), refused)
    await follow(back)
    assert.deepEqual([(await findPayout(app.db, id))?.state, await available()], ['returned', before + A])
    const real = await credit({ senderIban: from.iban })
    await follow(real)
    assert.equal((await journal.stateOf(debit))[1], 'own_transfer')
  }
})

test("a stranger's credit, or one with the code of a deposit, is not the other side", async () => {
  const { from, debit, credit } = await withTransfer(70_000n)
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 70_001n)
  const others = [
    [
      { senderIban: STRANGER },
      refusalSaying('transfer_line_other_iban', /not that of our account.*vezne line candidates.*receivable/),
    ],
    [
      { narrative: `TALEP ${deposit?.referenceCode}` },
      refusal('transfer_line_has_code', { deposit: deposit?.id ?? '' }),
    ],
  ] as const
  for (const [one, refused] of others) {
    const line = await credit(one)
    assert.deepEqual(await pairs(line), [])
    await assert.rejects(propose('own_transfer', { lineIds: [line, debit] }), refused)
    await post('interest', { lineIds: [line] })
  }
  const unnamed = await credit({})
  assert.equal((await pairs(debit))[0]?.id, unnamed)
  await post('interest', { lineIds: [unnamed] })
  await follow(await credit({ senderIban: from.iban }, 69_500n))
})

test('more is missing than a bank charges: the refusal has the way', async () => {
  const { from, debit, credit } = await withTransfer(70_000n)
  const less = await credit({ senderIban: from.iban }, 55_000n)
  assert.deepEqual([await pairs(less), await pairs(debit)], [[], []])
  await assert.rejects(
    propose('own_transfer', { lineIds: [less, debit] }),
    refusalSaying('transfer_less_arrived', /150,00 TL less arrived/),
  )
  const settles = await post('receivable', { lineIds: [debit] })
  await post('receivable', { lineIds: [less], settles })
  await post('bank_charge', { settles })
})
