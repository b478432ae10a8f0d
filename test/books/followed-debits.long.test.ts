import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import { findLine, linesOfDeposit } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openJournal } from '../harness/journal.ts'
import { someDeposits } from '../harness/payments.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { refundBody, refundPath } from '../harness/refunds.ts'

// What the candidates of a debit print is followed word by word, and the books are even.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, post, propose, approve } = journal
const { sent, lineAbout } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
afterEach(() => journal.assertSound())

const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
const candidatesOf = async (id: string) =>
  candidatesInWords(app, (await findLine(app.db, id)) ?? assert.fail('no line'))

async function cli(command: string, who: string) {
  const words = command.replace('vezne ', '').split(' ')
  const { code, output, errors } = await run([...words, '--why', 'as the bank says', '--as', who, '--json'])
  assert.equal(code, 0, `${command}: ${errors}`)
  return JSON.parse(output) as { id: string; state?: string }
}

/** The first candidate's command, by as many people as it takes; then what it says to do afterwards. */
async function follow(lineId: string): Promise<string> {
  const [first] = await candidatesOf(lineId)
  const said = (first?.next ?? assert.fail('nothing is offered')).replace(/^[^:]*: (?=vezne)/, '')
  let entry = ''
  for (const command of said.split(', then ')) {
    const filled = command.replace('ENTRY', entry)
    const { id, state } = await cli(filled, 'ayse.yilmaz')
    if (state === 'open') await cli(filled, 'mehmet.kaya')
    entry = id
  }
  return entry
}

async function completed(amount: bigint, changes: object = {}) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  const { id, referenceCode, collectingAccountId } = deposit ?? assert.fail('no deposit')
  const accountIban = (await app.banks.account(collectingAccountId ?? ''))?.iban ?? ''
  await arrives('credit', amount, { accountIban, narrative: referenceCode, ...changes })
  assert.equal((await findDepositById(app.db, id))?.status, 'completed')
  return { id, referenceCode, accountIban }
}

test('a part of a payment is taken back, named by code, id or IBAN: from the merchant, the deposit stays', async () => {
  const senderIban = makeIban('0062', '55554444')
  const { id, referenceCode, accountIban } = await completed(90_009n, { senderIban })
  const before = await available()
  const debits = [
    { narrative: `KISMI STORNO ${referenceCode}`, amount: 40_009n },
    { narrative: `KISMI IPTAL ${id}`, amount: 20_001n },
    { narrative: 'KISMI IADE', senderIban, amount: 20_000n },
  ]
  let taken = 0n
  for (const { amount, ...text } of debits) {
    const line = await arrives('debit', amount, { accountIban, ...text })
    await follow(line)
    taken += amount
    assert.equal(await available(), before - taken)
  }
  const deposit = await findDepositById(app.db, id)
  assert.deepEqual([deposit?.status, deposit?.takenBackAmount], ['completed', taken])
  assert.deepEqual(await openReceivables(app.db), [])
  const refused = await shop.post(refundPath(id), refundBody({ amount: 10_000 }))
  assert.match(JSON.stringify(refused), /the bank took 800,10 TL back; 99,99 TL is left to refund/)
  const more = await arrives('debit', 9_999n + 1n, { accountIban, narrative: `KISMI STORNO ${referenceCode}` })
  const owed = await post('receivable', { lineIds: [more] })
  await assert.rejects(propose('receivable', { settles: owed, depositId: id }), { why: 'merchant_charged_in_full' })
  await post('bank_charge', { settles: owed })
})

test('approved by two at once it is charged once; taken back, the merchant has it again', async () => {
  const { id, referenceCode, accountIban } = await completed(50_000n)
  const line = await arrives('debit', 30_000n, { accountIban, narrative: `STORNO ${referenceCode}` })
  const settles = await post('receivable', { lineIds: [line] })
  const before = await available()
  const entries = [
    await propose('receivable', { settles, depositId: id }),
    await propose('receivable', { settles, depositId: id }),
  ]
  const done = await Promise.allSettled(entries.flatMap((one) => [approve(one.id), approve(one.id)]))
  assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal(await available(), before - 30_000n)
  const [payment] = await linesOfDeposit(app.db, shop.merchantId, id)
  const whole = await arrives('debit', 50_000n, { accountIban })
  await assert.rejects(propose('storno', { lineIds: [whole, payment?.id ?? ''] }), { why: 'merchant_charged' })
  for (const { id: entry } of entries) await post('reversal', {}, entry).catch(() => undefined)
  assert.equal(await available(), before)
  assert.equal((await findDepositById(app.db, id))?.takenBackAmount, 0n)
  await post('storno', { lineIds: [whole, payment?.id ?? ''] })
  await post('reversal', {}, settles)
  await post('bank_charge', { lineIds: [line] })
})

test('one debit of several payouts: the candidate names them, and its command ends right', async () => {
  const [a, b, c, d, e] = [
    await sent({ amount: 9_301 }),
    await sent({ amount: 9_402 }),
    await sent({ amount: 7_003 }),
    await sent({ amount: 7_104 }),
    await sent({ amount: 1_205 }),
  ]
  const cases = [
    { ids: [a, b], text: `TOPLU ${a} ${b}`, amount: 18_703n + 850n },
    { ids: [c, d], text: `TOPLU ODEME`, amount: 14_107n },
  ]
  for (const { ids, text, amount } of cases) {
    const line = await arrives('debit', 0n, await lineAbout(ids[0] ?? '', { amount, narrative: text }))
    const all = await candidatesOf(line)
    assert.ok(
      all.every(({ next }) => !/receivable .*--withdrawal/.test(next)),
      JSON.stringify(all),
    )
    await follow(line)
    assert.equal((await findLine(app.db, line))?.state, 'matched')
  }
  // The bank cut the second id off.
  await sent({ amount: 2_206 })
  const cut = await arrives('debit', 0n, await lineAbout(e, { amount: 3_411n }))
  await follow(cut)
  assert.deepEqual((await findLine(app.db, cut))?.reason, 'payout_sent')
  assert.deepEqual(await openReceivables(app.db), [])
})
