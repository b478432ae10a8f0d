import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { AYSE, MEHMET, openJournal, rejectEntry } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'
import { refusal, refusalSaying } from '../harness/refusals.ts'

// A payout ends as refused, and then its debit and its return come, less costs or in part. A refund of the credit would pay the recipient.

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(app)
const { arrives, post, propose } = journal
const { sent, lineAbout } = openPayoutLines(service, shop)
const SENDER = makeIban('0062', '12345678')
afterEach(() => journal.assertSound())

const refused = () => sent({ iban: makeIban('0062', '90000001') })

async function line(id: string, direction: 'debit' | 'credit', amount: number): Promise<string> {
  const written = { senderName: 'Veli Can', senderIban: SENDER }
  return arrives(direction, 0n, { ...(await lineAbout(id, { amount: BigInt(amount), direction })), ...written })
}

async function commandsOf(lineId: string): Promise<string[]> {
  const found = await candidatesInWords(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
  return found.map(({ next }) => next)
}

test('less costs: the credit settles the debit, and is not refunded, while the debit needs review or is owed', async () => {
  const id = await refused()
  const debit = await line(id, 'debit', AMOUNT)
  const credit = await line(id, 'credit', AMOUNT - 500)
  const refund = { lineIds: [credit] }
  assert.equal((await commandsOf(credit))[0], `vezne journal propose receivable --line ${debit}`)
  await assert.rejects(
    propose('refund_unexplained', refund),
    refusalSaying(
      'line_returns_money',
      new RegExp(
        `refers to payout ${id}, whose debit \\(line ${debit}\\) is not explained.*receivable --line ${debit}`,
      ),
    ),
  )
  const owed = await post('receivable', { lineIds: [debit] })
  const commands = await commandsOf(credit)
  assert.equal(commands[0], `vezne journal propose receivable --line ${credit} --settles ${owed}`)
  assert.deepEqual(
    commands.filter((one) => one.includes('refund_unexplained')),
    [],
  )
  await assert.rejects(
    propose('refund_unexplained', refund),
    refusalSaying('line_returns_money', new RegExp(`owes us .* debit.*--line ${credit} --settles ${owed}`)),
  )
  await post('receivable', { lineIds: [credit], settles: owed })
  assert.equal((await openReceivables(app.db)).find(({ entryId }) => entryId === owed)?.open, 500n)
  await post('bank_charge', { settles: owed })
})

test('a part of the debit and its return: a storno, and no refund', async () => {
  const id = await refused()
  const debit = await line(id, 'debit', 4_000)
  const credit = await line(id, 'credit', 4_000)
  assert.equal((await commandsOf(credit))[0], `vezne journal propose storno --line ${credit} --line ${debit}`)
  await post('storno', { lineIds: [credit, debit] })
})

test('proposed before the debit was read: the approval is refused', async () => {
  const id = await refused()
  const credit = await line(id, 'credit', 3_000)
  const { id: proposed } = await propose('refund_unexplained', { lineIds: [credit] })
  await line(id, 'debit', AMOUNT)
  await assert.rejects(journal.approve(proposed), refusal('line_returns_money'))
})

let days = 0
const daysPass = (more: number) => travelTo(app, (days += more) * 86_400)

/** A payout that was debited, and who got it. */
async function paid(account: string) {
  const to = { iban: makeIban('0062', account), name: 'Veli Can' }
  const id = await sent({ iban: to.iban })
  await arrives('debit', 0n, await lineAbout(id, {}))
  return { id, ...to }
}

/** A credit without our reference, on the account of the payout. */
async function comesFrom(id: string, senderIban: string): Promise<string> {
  const written = { direction: 'credit' as const, narrative: 'GELEN EFT', senderName: 'Veli Can', senderIban }
  return arrives('credit', 0n, await lineAbout(id, written))
}

/** Two people may refund it, and do not. */
async function mayBeRefunded(terms: Parameters<typeof propose>[1]): Promise<void> {
  const { id } = await propose('refund_unexplained', terms)
  await rejectEntry(app, MEHMET, id, 'not now')
}

test('a return without our reference after a weekend: advised first, and not refunded to the recipient', async () => {
  const { id, iban } = await paid('40004712')
  await daysPass(4)
  const credit = await comesFrom(id, iban)
  assert.equal((await commandsOf(credit))[0], `vezne line return ${credit} --withdrawal ${id}`)
  const refund = { lineIds: [credit] }
  await assert.rejects(
    propose('refund_unexplained', refund),
    refusalSaying('line_maybe_return', new RegExp(`--withdrawal ${id}.*--not-payout ${id}`)),
  )
  await mayBeRefunded({ ...refund, notPayouts: [id] })
  assert.equal(await returnByHand(app, AYSE, credit, id), 'credited')
  const later = await comesFrom(id, iban)
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [later], notPayouts: [id] }),
    refusal('line_no_return', { line: later, payout: id }),
  )
  await mayBeRefunded({ lineIds: [later] })
})

test('a refused payout that the bank debited all the same: what comes back is not refunded either', async () => {
  const id = await refused()
  await arrives('debit', 0n, await lineAbout(id, {}))
  await daysPass(4)
  const credit = await comesFrom(id, makeIban('0062', '90000001'))
  assert.equal((await commandsOf(credit))[0], `vezne line return ${credit} --withdrawal ${id}`)
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusal('line_maybe_return', { line: credit, payout: id }),
  )
  assert.equal(await returnByHand(app, AYSE, credit, id), 'cancelled')
})

test('from another IBAN under the same name, or after 30 days, it is no return', async () => {
  const { id, iban } = await paid('40004713')
  for (const [more, sender] of [
    [4, makeIban('0046', '40004713')],
    [27, iban],
  ] as const) {
    await daysPass(more)
    const credit = await comesFrom(id, sender)
    assert.deepEqual(await commandsOf(credit), [`vezne journal propose refund_unexplained --line ${credit}`])
    await mayBeRefunded({ lineIds: [credit] })
  }
})

test('a wrong debit given back after a weekend is a storno; not with the payment of another IBAN', async () => {
  const debit = await arrives('debit', 7_654n, { senderIban: SENDER, narrative: 'HATALI' })
  await daysPass(4)
  const stranger = await arrives('credit', 7_654n, { senderIban: makeIban('0046', '7654') })
  assert.deepEqual(await commandsOf(stranger), [`vezne journal propose refund_unexplained --line ${stranger}`])
  const credit = await arrives('credit', 7_654n, { narrative: 'DUZELTME' })
  assert.equal((await commandsOf(credit))[0], `vezne journal propose storno --line ${credit} --line ${debit}`)
  await post('storno', { lineIds: [credit, debit] })
})

test('a payment that nothing waits for is given back; what the bank calls interest is interest', async () => {
  const unknown = await arrives('credit', 8_765n)
  assert.deepEqual(await commandsOf(unknown), [
    `vezne journal propose refund_unexplained --line ${unknown} --iban IBAN`,
  ])
  const interest = await arrives('credit', 8_766n, { narrative: 'MEVDUAT FAIZI', senderName: '' })
  assert.deepEqual(await commandsOf(interest), [`vezne journal propose interest --line ${interest}`])
  await post('interest', { lineIds: [interest] })
})

test('more came than is owed: the receivable is ended first', async () => {
  const id = await refused()
  const owed = await post('receivable', { lineIds: [await line(id, 'debit', 3_000)] })
  const credit = await line(id, 'credit', 3_500)
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    refusalSaying('line_returns_money', new RegExp(`bank_charge --settles ${owed}`)),
  )
  await post('bank_charge', { settles: owed })
  await post('refund_unexplained', { lineIds: [credit] })
})
