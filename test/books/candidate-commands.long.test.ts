import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openJournal } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// Every command that a candidate suggests is run, and accepted.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives } = journal
const { ask, sent, lineAbout, faults } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
afterEach(() => journal.bookAll())

async function candidatesOf(lineId: string) {
  return candidatesInWords(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
}

/** The candidate with this id, whose command is accepted. */
async function accepted(lineId: string, id: string, more: string[] = []) {
  const found = (await candidatesOf(lineId)).find((one) => one.id === id) ?? assert.fail('not offered')
  const [first = ''] = found.next.split(', or ')
  const command = first.replace('vezne ', '').replace('WHO', 'operator').split(' ')
  const why = command[0] === 'journal' ? ['--why', 'as the bank says', '--second'] : []
  const { code, errors } = await run([...command, ...why, ...more, '--as', 'ayse.yilmaz'])
  assert.equal(code, 0, `${found.next}: ${errors}`)
  return found
}

test('a debit that names a payout and has more: shown with the difference, and the rest is owed', async () => {
  const id = await sent()
  const line = await arrives('debit', 0n, await lineAbout(id, { amount: BigInt(AMOUNT) + 250n }))
  const { reasons, next } = await accepted(line, id)
  assert.ok(reasons.includes('2,50 TL more than the payout') && reasons.includes('the line names it'))
  assert.equal(next, `vezne journal propose receivable --line ${line} --withdrawal ${id}`)
})

test('a debit of a refused payout, and a second one: owed as a whole', async () => {
  const id = await sent()
  await arrives('debit', 0n, await lineAbout(id, {}))
  const twice = await arrives('debit', 0n, await lineAbout(id, {}))
  const refused = await sent({ iban: makeIban('0062', '90000001') })
  assert.equal((await findPayout(app.db, refused))?.state, 'failed')
  const late = await arrives('debit', 0n, await lineAbout(refused, {}))
  for (const [line, about] of [
    [twice, id],
    [late, refused],
  ] as const)
    assert.equal((await accepted(line, about)).next, `vezne journal propose receivable --line ${line}`)
})

test('a debit that names a payout and has less: a part of its debit, with the lines that make the rest', async () => {
  for (const isOpen of [false, true]) {
    if (isOpen) await faults('error_after')
    const id = await sent()
    await service.call('DELETE', 'faults')
    const first = await arrives('debit', 0n, await lineAbout(id, { amount: 6_003n }))
    const alone = (await candidatesOf(first)).find((one) => one.id === id)
    assert.ok(alone?.reasons.includes('39,97 TL less than the payout'), alone?.reasons.join())
    assert.ok(alone?.reasons.includes('the rest may come in a later line'))
    assert.equal(alone?.next, `vezne journal propose payout_debit --line ${first} --line REST --withdrawal ${id}`)
    const cut = { narrative: 'GIDEN EFT' }
    await arrives('debit', 0n, await lineAbout(id, { amount: 998n, ...cut, senderName: 'Baska Biri' }))
    const second = await arrives('debit', 0n, await lineAbout(id, { amount: 2_999n }))
    const third = await arrives('debit', 0n, await lineAbout(id, { amount: 998n, ...cut }))
    const { reasons, next } = await accepted(first, id)
    assert.ok(reasons.includes(`makes its amount with ${second}, ${third}`), reasons.join())
    assert.match(next, new RegExp(`payout_debit --line ${first} --line ${second} --line ${third} --withdrawal ${id}$`))
    await journal.post('payout_debit', { lineIds: [first, second, third], withdrawalId: id })
  }
})

test('a debit to the recipient of a larger payout that names none: a part of it, with the other one', async () => {
  const iban = makeIban('0062', '71234567')
  const id = await sent({ iban })
  const cut = { narrative: 'GIDEN FAST', senderIban: iban }
  const first = await arrives('debit', 0n, await lineAbout(id, { amount: 7_001n, ...cut }))
  const second = await arrives('debit', 0n, await lineAbout(id, { amount: 2_999n, ...cut }))
  const { reasons } = await accepted(second, id)
  assert.ok(reasons.includes(`makes its amount with ${first}`) && reasons.includes('same IBAN'))
})

test('a debit about a payout whose outcome is not known: that is ended first', async () => {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  const line = await arrives('debit', 0n, await lineAbout(id, { amount: BigInt(AMOUNT) + 1n }))
  const { next } = await accepted(line, id)
  const resolve = `vezne withdrawal resolve ${id}`
  assert.equal(next, `${resolve} --found REFERENCE, or ${resolve} --not-found EVIDENCE`)
})

test('credits about a payout: its return, one less costs, and none for a payout that has come back', async () => {
  const id = await ask()
  await service.work()
  const less = await arrives('credit', 0n, await lineAbout(id, { direction: 'credit', amount: BigInt(AMOUNT) - 100n }))
  assert.match((await accepted(less, id)).next, /payout_return .* --costs WHO$/)
  const line = await arrives('credit', BigInt(AMOUNT))
  assert.equal((await accepted(line, id)).next, `vezne line return ${line} --withdrawal ${id}`)
  assert.deepEqual(await candidatesOf(line), [], 'it is explained')
  const another = await arrives('credit', BigInt(AMOUNT))
  assert.ok((await candidatesOf(another)).every((one) => one.id !== id))
})

test('a credit of the amount that is owed to us settles it', async () => {
  const id = await journal.post('receivable', { lineIds: [await arrives('debit', 4567n)] })
  const credit = await arrives('credit', 4567n)
  const { what, next } = await accepted(credit, id)
  assert.deepEqual([what, next], ['receivable', `vezne journal propose receivable --line ${credit} --settles ${id}`])
})

test('a line that may repeat another: that is decided first', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 7654n)
  const bankReference = app.ids.next()
  await arrives('credit', 7653n, { bankReference })
  const changed = { bankReference, senderName: 'Veli Can' }
  await arrives('credit', 7654n, changed)
  const rows = (await run(['line', 'list', '--state', 'needs_review', '--json'])).output
  const lines = (JSON.parse(rows) as { lines: { id: string; correctsLineId: string | null }[] }).lines
  const line = lines.find(({ correctsLineId }) => correctsLineId !== null)?.id ?? assert.fail('no suspected correction')
  const { next } = await accepted(line, deposit?.id ?? '', ['--new-money'])
  assert.ok(
    next?.startsWith(`vezne line correction ${line} --new-money, or vezne line correction ${line} --same-money`),
  )
})

test('a debit with a small charge, without the id: the payout to its recipient, and the charge', async () => {
  const iban = makeIban('0062', '12345678')
  const id = await sent({ iban })
  const to = async (amount: bigint, changes: object) =>
    arrives('debit', 0n, await lineAbout(id, { amount: BigInt(AMOUNT) + amount, narrative: 'GIDEN FAST', ...changes }))
  const [none, tooMuch] = [await to(50n, {}), await to(501n, { senderIban: iban })]
  for (const line of [none, tooMuch]) assert.ok((await candidatesOf(line)).every((one) => one.id !== id))
  const { accountName } = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  const named = await to(500n, { senderName: accountName })
  assert.ok((await candidatesOf(named)).some((one) => one.id === id))
  const line = await to(50n, { senderIban: iban })
  const { next, reasons } = await accepted(line, id)
  assert.equal(next, `vezne journal propose bank_charge --line ${line} --withdrawal ${id}`)
  assert.ok(reasons.includes('0,50 TL more than the payout'), String(reasons))
})
