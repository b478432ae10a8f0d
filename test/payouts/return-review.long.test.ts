import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { queryPayoutStatus, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { lineFor, matchAll, someDeposits, reloadDeposit, ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { ask, sent, lineAbout, faults, available, sendBack } = openPayoutLines(service, shop)
const STRANGER = makeIban('0046', '77777777')
const REFUSED = { iban: makeIban('0062', '90000001') }

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

const back = (id: string, changes: Partial<BankLine> = {}) =>
  lineAbout(id, { direction: 'credit', narrative: `IADE ${id}`, ...changes })

async function arrive(...lines: BankLine[]): Promise<void> {
  await ingest(app, lines)
  await matchAll(app)
}

const suspense = async () =>
  (
    await app.db.query<{ total: bigint }>(sql`
    select coalesce(sum(balance), 0)::bigint as total from accounts where kind = 'suspense'`)
  )[0]?.total ?? 0n

/** What the books say lies on the account that the payout was sent from. */
async function cashOf(id: string): Promise<bigint> {
  const source = (await findPayout(app.db, id))?.sourceAccountId
  return (await bankCash(app.db)).find(({ collectingAccountId }) => collectingAccountId === source)?.amount ?? 0n
}

/** Direction, state, reason and candidate of the lines about a payout, as a person sees them; sorted. */
async function shown(id: string): Promise<string[]> {
  const lines = (await listLines(app.db, undefined, 1000)).filter(
    ({ candidateWithdrawalId }) => candidateWithdrawalId === id,
  )
  return lines
    .map(
      ({ direction, state, reason, withdrawalId }) =>
        `${direction} ${state} ${reason}${withdrawalId === id ? ' its' : ''}`,
    )
    .sort()
}

// First: later tests book money that the simulated bank does not hold, and it would refuse to send it.
test("a fee that the bank books under the payout's number does not hide its debit", async () => {
  const id = await sent()
  const debit = await lineAbout(id, { bankReference: 'DEKONT-4711' })
  await ingest(app, [{ ...debit, amount: 639n, narrative: 'EFT MASRAFI' }, debit])
  await matchAll(app)
  const lines = (await listLines(app.db, undefined, 1000)).filter(
    ({ bankReference }) => bankReference === 'DEKONT-4711',
  )
  assert.deepEqual(lines.map(({ state, reason }) => `${state} ${reason}`).toSorted(), [
    'matched payout_sent',
    'needs_review outgoing',
  ])
})

const WAYS_TO_WRITE = {
  'in capitals': (id: string) => `REF:${id.toUpperCase()}`,
  'with words around it': (id: string) => `FAST IADE PARA CEKME ${id.toUpperCase()}`,
  'without punctuation': (id: string) => `GÖNDERİLEN FAST İADESİ REF${id.toUpperCase()} SORGU NO 12345`,
}

for (const [how, write] of Object.entries(WAYS_TO_WRITE)) {
  test(`the reference ${how}: the debit settles, the credit returns`, async () => {
    await faults('error_before', 'find_error')
    const before = await available()
    const id = await sent()
    await arrive(await lineAbout(id, { narrative: write(id) }))
    assert.equal((await mustFind(app, id)).state, 'sent')
    await arrive(await back(id, { narrative: write(id) }))
    assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
    assert.deepEqual(await shown(id), ['credit matched payout_returned its', 'debit matched payout_sent its'])
    assert.equal(await available(), before)
  })
}

test("a stranger's transfer with our text is no return: it is in suspense, with the payout as candidate", async () => {
  const id = await ask()
  await service.work()
  const [before, held] = [await available(), await suspense()]
  await arrive(await back(id, { senderIban: STRANGER, senderName: 'Bir Başkası' }))
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
  assert.deepEqual(await shown(id), ['credit suspense payout_other_sender', 'debit matched payout_sent its'])
  assert.deepEqual([await available(), await suspense()], [before, held + BigInt(AMOUNT)])
  await sendBack(id)
  await service.readStatement()
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.equal(await available(), before + BigInt(AMOUNT))
})

test("a return from one of our own accounts, or with the recipient's IBAN written with spaces, is a return", async () => {
  const [ours] = await app.banks.accounts()
  for (const senderIban of [ours?.iban, (await payoutTo()).iban]) {
    const id = await ask()
    await service.work()
    await arrive(await back(id, { senderIban: senderIban?.replace(/(.{4})/g, '$1 ').toLowerCase() ?? null }))
    assert.equal((await mustFind(app, id)).state, 'returned')
  }
})

async function payoutTo() {
  const id = await ask()
  await service.work()
  return mustFind(app, id)
}

test('completed, and its return is read before its debit: held in suspense, released by the debit, told once', async () => {
  const before = await available()
  const id = await sent()
  await sendBack(id)
  const held = await suspense()
  await arrive(await back(id, { bankReference: 'early' }))
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed'])
  assert.deepEqual(await shown(id), ['credit suspense payout_no_debit'])
  assert.equal(await suspense(), held + BigInt(AMOUNT))
  // The second credit of the same payout is not taken for the first.
  await arrive(await back(id, { bankReference: 'second' }))
  await arrive(await lineAbout(id, {}))
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.deepEqual(await shown(id), [
    'credit matched payout_returned its',
    'credit suspense payout_line_twice',
    'debit matched payout_sent its',
  ])
  assert.deepEqual([await available(), await suspense()], [before, held + BigInt(AMOUNT)])
})

test('in doubt, its return in suspense, and then the bank says returned: booked once, out of suspense', async () => {
  await faults('error_after')
  const before = await available()
  const id = await sent()
  await sendBack(id)
  const held = await suspense()
  const cash = await cashOf(id)
  await arrive(await back(id))
  assert.deepEqual([await suspense(), await cashOf(id)], [held + BigInt(AMOUNT), cash + BigInt(AMOUNT)])
  await travelTo(app, 90)
  assert.equal(await queryPayoutStatus(app), 1)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.deepEqual([await available(), await suspense(), await cashOf(id)], [before, held, cash])
  await arrive(await lineAbout(id, {}))
  assert.deepEqual(await shown(id), ['credit matched payout_returned its', 'debit matched payout_sent its'])
  assert.deepEqual([await available(), await suspense(), await cashOf(id)], [before, held, cash])
})

for (const order of ['debit first', 'credit first'] as const) {
  test(`refused by the bank, yet sent and taken back, ${order}: the two lines cancel each other`, async () => {
    const id = await sent(REFUSED)
    const [before, held, cash] = [await available(), await suspense(), await cashOf(id)]
    const lines = [await lineAbout(id, {}), await back(id)]
    const [first, second] = order === 'debit first' ? lines : lines.toReversed()
    await arrive(first as BankLine)
    if (order === 'debit first') {
      // Nothing to book it from: it needs review, and the books are ahead of the bank by it.
      assert.deepEqual(await shown(id), ['debit needs_review payout_taken_back'])
      assert.deepEqual([await suspense(), await cashOf(id)], [held, cash])
    } else {
      assert.deepEqual(await shown(id), ['credit suspense payout_taken_back'])
      assert.deepEqual([await suspense(), await cashOf(id)], [held + BigInt(AMOUNT), cash + BigInt(AMOUNT)])
    }
    await arrive(second as BankLine)
    for (const line of await shown(id)) assert.match(line, /matched payout_taken_back its/)
    assert.deepEqual([await available(), await suspense(), await cashOf(id)], [before, held, cash])
    assert.deepEqual(await checkHistory(app, id), ['processing', 'failed'])
    await arrive(await lineAbout(id, {}), await back(id))
    assert.deepEqual(await shown(id), [
      'credit matched payout_taken_back its',
      'credit suspense payout_line_twice',
      'debit matched payout_taken_back its',
      'debit needs_review payout_line_twice',
    ])
  })
}

test('a stranger does not cancel the debit of a refused payout', async () => {
  const id = await sent(REFUSED)
  await arrive(await lineAbout(id, {}))
  await arrive(await back(id, { senderIban: STRANGER }))
  assert.deepEqual(await shown(id), ['credit suspense payout_other_sender', 'debit needs_review payout_taken_back'])
})

test('a text that names two payouts decides nothing', async () => {
  const [one, other] = [await ask(), await ask()]
  await service.work()
  await arrive(await back(one, { narrative: `IADE ${one} ${other}` }))
  const ambiguous = [...(await shown(one)), ...(await shown(other))].filter((line) => line.startsWith('credit'))
  assert.deepEqual(ambiguous, ['credit suspense payout_ambiguous'])
  assert.deepEqual([(await mustFind(app, one)).state, (await mustFind(app, other)).state], ['sent', 'sent'])
})

test('a payment whose text has an IBAN, or 24 characters that name no payout, still finds its deposit', async () => {
  const texts = [STRANGER, app.ids.next(), `FAST ${app.ids.next().toUpperCase()}`]
  const deposits = await someDeposits(app, shop.merchantId, texts.length)
  for (const [index, deposit] of deposits.entries()) {
    await ingest(app, [await lineFor(app, deposit, { narrative: `${texts[index]} ${deposit.referenceCode}` })])
    await service.readStatement()
    await service.readStatement()
    assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  }
})
