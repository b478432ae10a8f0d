import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { openAdvice } from '../harness/follow-advice.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// The bank corrects debits, or pays someone else. The first advice leads to the right end.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { sent, lineAbout, available, faults } = openPayoutLines(service, shop)
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
const { candidatesOf, follow } = openAdvice(app, run)
const A = BigInt(AMOUNT)

afterEach(async () => {
  await journal.assertSound()
  const left = await listLines(app.db, undefined, 1000)
  assert.deepEqual(
    left.filter(({ state }) => state === 'suspense' || state === 'needs_review').map(({ narrative }) => narrative),
    [],
  )
})

/** Read one after the other. */
async function read(lines: BankLine[]): Promise<void> {
  for (const line of lines) await ingest(app, [line])
  await matchAll(app)
  await journal.bookAll()
}

async function openLine(id: string) {
  const lines = await listLines(app.db, undefined, 1000)
  const open = lines.filter(({ state }) => state === 'suspense' || state === 'needs_review')
  return open.find(({ narrative }) => narrative.includes(id)) ?? assert.fail('nothing is open')
}

test('the debit again under the same number, a day later: the same money comes before what is owed', async () => {
  const id = await sent()
  const debit = await lineAbout(id, {})
  const bookedAt = new Date(debit.bookedAt.getTime() + 86_400_000)
  await read([debit, { ...debit, bookedAt, valueDate: istanbul(bookedAt).day }])
  const line = await openLine(id)
  assert.deepEqual(await follow(line.id), [`vezne line correction ${line.id} --same-money`])
  assert.equal((await findPayout(app.db, id))?.state, 'sent')
})

test('a wrong amount, then the right one under the same number: the wrong line is dismissed', async () => {
  for (const wrong of [A - 9n, A + 9n]) {
    const id = await sent()
    const before = await available()
    const debit = await lineAbout(id, {})
    await read([{ ...debit, amount: wrong }, debit])
    const line = await openLine(id)
    assert.equal(line.amount, wrong)
    const [best] = await candidatesOf(line.id)
    assert.ok(
      best?.reasons.some((reason) => reason.includes('same number')),
      best?.reasons.join(),
    )
    assert.deepEqual(await follow(line.id), [`vezne line dismiss ${line.id}`])
    assert.equal(await available(), before)
  }
})

test('the id of a payout, and a complete IBAN of someone else: a person looks', async () => {
  const other = makeIban('0046', '66666')
  const id = await sent()
  await read([await lineAbout(id, { senderIban: other })])
  const line = await openLine(id)
  assert.deepEqual([line.state, line.reason], ['needs_review', 'payout_other_recipient'])
  const [best] = await candidatesOf(line.id)
  assert.equal(best?.id, id)
  assert.ok(best?.reasons.includes('another IBAN') && best.reasons.includes('the line names it'), best?.reasons.join())
  assert.deepEqual(await follow(line.id), [`vezne line sent ${line.id} --withdrawal ${id}`])
  const { iban } = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  for (const senderIban of [null, iban, 'TR12****', (await app.banks.accounts())[0]?.iban ?? '']) {
    const next = await sent()
    await read([await lineAbout(next, { senderIban })])
    const its = (await listLines(app.db, 'matched', 1000)).find((one) => one.withdrawalId === next)
    assert.equal(its?.reason, 'payout_sent', String(senderIban))
  }
})

test('an open payout and someone else: its outcome is said first, with the options', async () => {
  await faults('error_after')
  const id = await sent()
  await service.call('DELETE', 'faults')
  await read([await lineAbout(id, { senderIban: makeIban('0046', '66667') })])
  const line = await openLine(id)
  const [best] = await candidatesOf(line.id)
  const said = (option: string) => `vezne withdrawal resolve ${id} ${option}`
  assert.equal(best?.next, `${said('--found REFERENCE')}, or ${said('--not-found EVIDENCE')}`)
  for (const who of ['ayse.yilmaz', 'mehmet.kaya'])
    assert.equal((await run(['withdrawal', 'resolve', id, '--found', 'EKSTRE-1', '--as', who])).code, 0)
  assert.deepEqual(await follow(line.id), [`vezne line sent ${line.id} --withdrawal ${id}`])
})

test('a refund that was refused and then paid: the storno comes before any return', async () => {
  const { here } = journal
  const refused = makeIban('0062', '90000001')
  const credit = await journal.arrives('credit', 6_789n, { accountIban: here.iban, senderIban: refused })
  await journal.post('refund_unexplained', { lineIds: [credit] })
  await dispatchWithdrawals(app)
  await submitPayouts(app)
  await returnRefunds(app)
  const [refund] = await app.db.query<{ id: string; source: string }>(
    sql`select withdrawal_id as id, source_account_id as source from payouts order by withdrawal_id desc limit 1`,
  )
  const accountIban = (await app.banks.account(refund?.source ?? ''))?.iban ?? ''
  const debit = await journal.arrives('debit', 6_789n, { accountIban, narrative: `Para cekme ${refund?.id}` })
  const [best, ...others] = await candidatesOf(credit)
  const kind = accountIban === here.iban ? 'storno' : 'own_transfer'
  assert.equal(best?.next, `vezne journal propose ${kind} --line ${credit} --line ${debit}`)
  assert.ok(others.every(({ next }) => !next.includes('line return')))
  await follow(credit)
})

test('what a line may be that fits nothing is said, and no name is not another name', async () => {
  const nameless = { senderName: '', senderIban: null, narrative: 'MASRAF' }
  for (const direction of ['debit', 'credit'] as const) {
    const line = await journal.arrives(direction, 123n, nameless)
    const { output } = await run(['line', 'candidates', line])
    for (const kind of ['bank_charge', 'bank_tax', 'interest']) assert.ok(output.includes(kind), output)
    assert.ok(output.includes(direction === 'debit' ? 'receivable' : 'refund_unexplained'), output)
    await journal.post('bank_charge', { lineIds: [line] })
  }
  const id = await sent({ amount: 4_321 })
  await journal.arrives('debit', 0n, await lineAbout(id, { amount: 4_321n, narrative: 'GIDEN' }))
  const line = await openLine('GIDEN')
  const reasons = (await candidatesOf(line.id)).flatMap((one) => one.reasons)
  assert.ok(!reasons.includes('another name'), reasons.join())
  await follow(line.id)
})
