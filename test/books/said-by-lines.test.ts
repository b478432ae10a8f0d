import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookSaid, entriesBefore } from '../../packages/server/src/domain/books/index.ts'
import { findDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { listAside } from '../../packages/server/src/domain/set-aside/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

// Lines that say themselves what they are for are booked without a person, as if the bank had written a line for each.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
// A line that the bank does not know of may make any account the one that pays.
await service.fundAccounts(200_000)
const journal = await openJournal(app)
const { sent, lineAbout } = openPayoutLines(service, shop)
const { arrives, here, there, post, stateOf } = journal
const SUM = BigInt(AMOUNT)
const STRANGER = makeIban('0062', '12345678')

const about = async (id: string, changes: Partial<BankLine> = {}) => arrives('debit', 0n, await lineAbout(id, changes))
const debitOf = (ids: string[], changes: Partial<BankLine> = {}) =>
  about(ids[0] ?? '', { amount: SUM * BigInt(ids.length), narrative: `TOPLU ${ids.join(' ')}`, ...changes })
const creditOf = (ids: string[], changes: Partial<BankLine> = {}) =>
  debitOf(ids, { direction: 'credit', narrative: `IADE ${ids.join(' ')}`, ...changes })

async function debited(count: number): Promise<string[]> {
  const ids = []
  for (let place = 0; place < count; place++) {
    const id = await sent()
    await about(id)
    ids.push(id)
  }
  return ids
}

/** Two deposits that wait on one account, and a credit with both codes. */
async function forTwo(changes: Partial<BankLine> = {}, more = '') {
  const all = await someDeposits(app, shop.merchantId, 70, 30_000n)
  const [first = [], ...others] = Map.groupBy(all, ({ collectingAccountId }) => collectingAccountId).values()
  const [one, two] = [first, ...others].find(({ length }) => length > 1) ?? assert.fail('no account has two')
  const account = await app.banks.account(one?.collectingAccountId ?? '')
  const its = { accountIban: account?.iban ?? '', senderName: one?.customer.name ?? '' }
  const narrative = `${one?.referenceCode} ${two?.referenceCode} ${more}`
  const line = await arrives('credit', 60_000n, { ...its, narrative, ...changes })
  return { ids: [one?.id ?? '', two?.id ?? ''], line }
}

const statesOf = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => ((await findDeposit(app.db, shop.merchantId, id)) ?? assert.fail()).status))
const payoutsOf = async (ids: string[]) => Promise.all(ids.map(async (id) => (await findPayout(app.db, id))?.state))

test('one debit of several payouts, several debits of one, and a credit that gives several back', async () => {
  const together = [await sent(), await sent(), await sent()]
  const debit = await debitOf(together)
  const apart = await sent()
  const parts = [await about(apart, { amount: 6000n }), await about(apart, { amount: 4000n })]
  const back = await debited(2)
  const credit = await creditOf(back)
  assert.equal(await bookSaid(app), 3)
  for (const line of [debit, ...parts]) assert.deepEqual((await stateOf(line)).slice(0, 2), ['matched', 'payout_sent'])
  assert.deepEqual((await stateOf(credit)).slice(0, 2), ['matched', 'payout_returned'])
  assert.deepEqual(await payoutsOf(back), ['returned', 'returned'])
  const entries = (await entriesBefore(app.db, null, 3)).map(({ kind, proposedBy, approvedBy }) => [
    kind,
    proposedBy,
    approvedBy,
  ])
  assert.deepEqual(
    entries.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      ['payout_debit', null, null],
      ['payout_debit', null, null],
      ['payout_return', null, null],
    ],
  )
  await journal.assertSound()
})

test('a payment with the codes of several deposits, of the customer and to the kuruş', async () => {
  const { ids, line } = await forTwo()
  assert.equal(await bookSaid(app), 1)
  assert.deepEqual(await statesOf(ids), ['completed', 'completed'])
  assert.deepEqual((await stateOf(line)).slice(0, 2), ['matched', 'deposit_payment'])
  await journal.assertSound()
})

test('our own transfer, also above the limit of one person, and a credit that the bank takes back by its number', async () => {
  const [sum, narrative] = [1_100_000n, 'VIRMAN']
  const lines = [
    await arrives('debit', sum, { accountIban: here.iban, senderIban: there.iban, narrative, senderName: '' }),
    await arrives('credit', sum, { accountIban: there.iban, senderIban: here.iban, narrative, senderName: '' }),
  ]
  const credit = await arrives('credit', 41_000n, { bankReference: 'DK7700012345' })
  const storno = await arrives('debit', 41_000n, { narrative: 'IPTAL DK7700012345', senderName: '' })
  assert.equal(await bookSaid({ ...app, sandbox: false }), 2)
  for (const line of lines) assert.equal((await stateOf(line))[1], 'own_transfer')
  for (const line of [credit, storno]) assert.equal((await stateOf(line))[1], 'storno')
  await journal.assertSound()
})

test('a charge and its tax with the number of a payout, also before its debit', async () => {
  const id = await sent()
  const charge = await about(id, { amount: 640n, narrative: `FAST MASRAFI ${id}` })
  const tax = await about(id, { amount: 32n, narrative: `BSMV FAST MASRAFI ${id}` })
  assert.equal(await bookSaid(app), 0)
  await about(id)
  assert.equal(await bookSaid(app), 2)
  assert.deepEqual([(await stateOf(charge))[1], (await stateOf(tax))[1]], ['bank_charge', 'bank_tax'])
  await journal.assertSound()
})

type Case = [what: string, make: () => Promise<unknown>]

const WAIT: Case[] = [
  ['less than the payouts', async () => debitOf([await sent(), await sent()], { amount: SUM * 2n - 1n })],
  ['more, by a charge', async () => debitOf([await sent(), await sent()], { amount: SUM * 2n + 640n })],
  ['paid to someone else', async () => debitOf([await sent(), await sent()], { senderIban: STRANGER })],
  ['given back by someone else', async () => creditOf(await debited(2), { senderIban: STRANGER })],
  ['given back without a debit', async () => creditOf([await sent(), await sent()])],
  [
    'a part of a payout that is not named',
    async () => {
      const id = await sent()
      await about(id, { amount: 6000n, narrative: `Para cekme ${id}` })
      await about(id, { amount: 4000n, narrative: 'PARA CEKME' })
    },
  ],
  ['two deposits, a kuruş too much', () => forTwo({ amount: 60_001n })],
  [
    'two deposits, and the code of one that is paid',
    async () => {
      const [paid] = (await forTwo()).ids
      assert.equal(await bookSaid(app), 1)
      const code = (await findDeposit(app.db, shop.merchantId, paid ?? ''))?.referenceCode
      await forTwo({}, code ?? '')
    },
  ],
  ['two deposits, from an account of ours', () => forTwo({ senderIban: there.iban })],
  [
    'two deposits of a merchant that requires the name, from another person',
    async () => {
      await setMatching(app, UNATTRIBUTED, shop.merchantId, { nameCheck: 'require' })
      await forTwo({ senderName: 'Hasan Demir' })
    },
  ],
  [
    'our own transfer, less a charge',
    async () => {
      const narrative = 'VIRMAN'
      await arrives('debit', 70_000n, { accountIban: here.iban, senderIban: there.iban, narrative, senderName: '' })
      await arrives('credit', 69_000n, { accountIban: there.iban, senderIban: here.iban, narrative, senderName: '' })
    },
  ],
  [
    'equal amounts on two of our accounts that show no IBAN',
    async () => {
      await arrives('debit', 81_000n, { accountIban: here.iban, senderName: '' })
      await arrives('credit', 81_000n, { accountIban: there.iban, senderName: '' })
    },
  ],
  [
    "our debit to an account, and a customer's credit of that amount there",
    async () => {
      await arrives('credit', 82_000n, { accountIban: there.iban, narrative: 'KIRA' })
      await arrives('debit', 82_000n, { accountIban: here.iban, senderIban: there.iban, senderName: '' })
    },
  ],
  [
    'our credit from an account, and a debit of that amount there to someone',
    async () => {
      await arrives('debit', 83_000n, { accountIban: here.iban, senderName: 'Tedarik AS', narrative: 'FATURA' })
      await arrives('credit', 83_000n, { accountIban: there.iban, senderIban: here.iban, senderName: '' })
    },
  ],
  [
    'a debit to a stranger whose text has the number of a credit',
    async () => {
      await arrives('credit', 84_000n, { bankReference: 'DK7700067890' })
      await arrives('debit', 84_000n, { narrative: 'DK7700067890', senderName: 'Ali Kaya', senderIban: STRANGER })
    },
  ],
  [
    'a debit whose text has the numbers of two credits',
    async () => {
      for (const bankReference of ['DK7700067891', 'DK7700067892']) await arrives('credit', 85_000n, { bankReference })
      await arrives('debit', 85_000n, { narrative: 'IPTAL DK7700067891 DK7700067892', senderName: '' })
    },
  ],
  [
    'more charges of a payout than a charge can be',
    async () => {
      const [id = ''] = await debited(1)
      const charge = () => about(id, { amount: 4_900n, narrative: `MASRAF ${id}` })
      await charge()
      assert.equal(await bookSaid(app), 1)
      await charge()
    },
  ],
  [
    'a credit of a deposit that the bank takes back',
    async () => {
      const [deposit] = await someDeposits(app, shop.merchantId, 1, 52_000n)
      const accountIban = (await app.banks.account(deposit?.collectingAccountId ?? ''))?.iban ?? ''
      const narrative = deposit?.referenceCode ?? ''
      await arrives('credit', 52_000n, { accountIban, narrative, bankReference: 'DK7700054321' })
      await arrives('debit', 52_000n, { accountIban, narrative: 'IPTAL DK7700054321', senderName: '' })
    },
  ],
  [
    'a large debit with the number of a payout, called a charge',
    async () => {
      const [id = ''] = await debited(1)
      await about(id, { amount: SUM - 1n, narrative: `MASRAF ${id}` })
    },
  ],
  ['a second debit of a payout', async () => about((await debited(1))[0] ?? '')],
]

for (const [what, make] of WAIT)
  test(`waits for a person: ${what}`, async () => {
    await make()
    const before = (await entriesBefore(app.db, null, 1))[0]?.id
    assert.equal(await bookSaid(app), 0)
    assert.equal((await entriesBefore(app.db, null, 1))[0]?.id, before)
  })

test('what people have taken back, are deciding about, or that came long ago, is theirs', async () => {
  const ids = [await sent(), await sent()]
  const line = await debitOf(ids)
  assert.equal(await bookSaid(app), 1)
  const entry = (await findLine(app.db, line))?.journalId ?? assert.fail()
  await post('reversal', {}, entry)
  assert.equal(await bookSaid(app), 0)
  const others = [await sent(), await sent()]
  const asked = await debitOf(others)
  const { id } = await journal.propose('payout_debit', { lineIds: [asked], withdrawalIds: others })
  assert.equal(await bookSaid(app), 0)
  await journal.approve(id)
  await debitOf([await sent(), await sent()])
  const later = new Date(app.clock.now().getTime() + 3_600_000)
  assert.equal(await bookSaid({ ...app, clock: { ...app.clock, now: () => later } }), 0)
})

test('a line that the database refuses is set aside; the others are booked, and it is tried again', async () => {
  const charge = async (amount: bigint) => {
    const [id = ''] = await debited(1)
    return about(id, { amount, narrative: `FAST MASRAFI ${id}` })
  }
  const [bad, good] = [await charge(777n), await charge(640n)]
  await app.db.query(sql`alter table transfers add constraint no_777 check (amount <> 777) not valid`)
  await bookSaid(app)
  assert.deepEqual([(await stateOf(bad))[0], (await stateOf(good))[0]], ['needs_review', 'matched'])
  assert.ok((await listAside(app.db, 10)).some(({ what, id }) => what === 'line' && id === bad))
  await app.db.query(sql`alter table transfers drop constraint no_777`)
  await app.db.query(sql`update set_aside set retry_at = now() - interval '1 hour'`)
  assert.equal(await bookSaid(app), 1)
})
