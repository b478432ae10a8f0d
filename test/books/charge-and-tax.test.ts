import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, linesNumbered } from '../../packages/server/src/domain/statements/index.ts'
import { addDays, istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { candidatesInWords } from '../harness/candidates.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const { app } = await startService()
const journal = await openJournal(app)
const { arrives } = journal
const bookedAt = app.clock.now()

test('a charge and its tax are found on a busy account: by B.S.M.V. in the text, and by their number first', async () => {
  const texts = { senderName: '', senderIban: null, accountIban: journal.there.iban, direction: 'debit' as const }
  const at = (time: Date) => ({ ...texts, bookedAt: time, valueDate: istanbul(time).day })
  const debits = (count: number, line: Pick<BankLine, 'amount' | 'narrative' | 'bookedAt' | 'valueDate'>) =>
    Array.from({ length: count }, () => ({ ...texts, ...line, bankReference: app.ids.next() }))
  const dayBefore = { ...at(new Date(bookedAt.getTime() - 86_000_000)), valueDate: addDays(istanbul(bookedAt).day, -1) }
  await ingest(app, debits(201, { ...dayBefore, amount: 2100n, narrative: 'EFT MASRAFI' }))
  const found = async (id: string) =>
    (await candidatesInWords(app, (await findLine(app.db, id)) ?? assert.fail()))
      .filter(({ what }) => what === 'charge_and_tax')
      .map((one) => one.id)
  const charge = await arrives('debit', 2000n, { ...at(bookedAt), narrative: 'EFT MASRAFI' })
  const tax = await arrives('debit', 100n, { ...at(bookedAt), narrative: 'B.S.M.V.' })
  assert.deepEqual([await found(charge), await found(tax)], [[tax], [charge]])
  await ingest(app, debits(201, { ...at(bookedAt), amount: 2000n, narrative: 'EFT MASRAFI' }))
  const number = { ...at(bookedAt), bankReference: 'CH4-0001' }
  await ingest(app, [
    { ...number, amount: 2000n, narrative: 'EFT MASRAFI' },
    { ...number, amount: 100n, narrative: 'BSMV EFT' },
  ])
  await matchAll(app)
  const numbered = await linesNumbered(app.db, [{ collectingAccountId: journal.there.id, number: 'CH4-0001' }], 2)
  const idOf = (amount: bigint) => numbered.find((line) => line.amount === amount)?.id ?? assert.fail()
  assert.equal((await found(idOf(100n)))[0], idOf(2000n))
})
