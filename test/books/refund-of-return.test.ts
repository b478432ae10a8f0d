import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openReceivables } from '../../packages/server/src/domain/books/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

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
    new RegExp(`names payout ${id}, and its debit, line ${debit}, is not explained.*receivable --line ${debit}`),
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
    new RegExp(`is owed to us.*--line ${credit} --settles ${owed}`),
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
  await assert.rejects(journal.approve(proposed), /is not explained.*If that stays so, reject it/)
})

test('more came than is owed: the receivable is ended first', async () => {
  const id = await refused()
  const owed = await post('receivable', { lineIds: [await line(id, 'debit', 3_000)] })
  const credit = await line(id, 'credit', 3_500)
  await assert.rejects(
    propose('refund_unexplained', { lineIds: [credit] }),
    new RegExp(`bank_charge --settles ${owed}`),
  )
  await post('bank_charge', { settles: owed })
  await post('refund_unexplained', { lineIds: [credit] })
})
