import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection, fetchLines, rereadLine } from '../../packages/server/src/domain/connections/index.ts'
import { listLines, listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// Numbers in JSON that JavaScript would round: two lines must not become one, and what is kept is what the bank wrote.
const { app } = await startService()
const bank = await startPlainBank()
const connection = bankApiConnection(bank.connection)
const [ours] = await app.banks.accounts()
const now = app.clock.now().toISOString()
let cursor = 0

const wire = (changes: Record<string, string>) => {
  const text = {
    account: ours?.iban,
    direction: 'credit',
    valueDate: istanbul(new Date(now)).day,
    bookedAt: now,
    senderName: 'A',
  }
  const fields = {
    ...Object.fromEntries(Object.entries(text).map(([name, value]) => [name, JSON.stringify(value)])),
    amount: '5500',
    ...changes,
  }
  return `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`
}

async function reads(...lines: string[]): Promise<void> {
  const body = `{"lines":[${lines.join(',')}],"cursor":"${++cursor}","more":false}`
  bank.behave({ statement: () => ({ status: 200, body }) })
  await fetchLines(app, connection)
}

const numbers = async () =>
  (await listLines(app.db, undefined, 100)).map(({ bankReference }) => bankReference ?? '').toSorted()

test('a number of the line beyond 2^53 is taken as it is written: two lines stay two, on one page or on two', async () => {
  const [one, two, three] = ['90071992547409931', '90071992547409932', '90071992547409933'].map((reference) =>
    wire({ reference }),
  )
  await reads(one as string, two as string)
  await reads(three as string)
  await reads(one as string)
  assert.deepEqual(await numbers(), ['90071992547409931', '90071992547409932', '90071992547409933'])
  assert.deepEqual(await listUnread(app.db), [])
})

test('a small number is the same as its text', async () => {
  await reads(wire({ reference: '4711' }))
  await reads(wire({ reference: '"4711"' }))
  assert.equal((await numbers()).filter((number) => number === '4711').length, 1)
})

for (const [name, changes, why] of [
  ['an amount beyond 2^53', { amount: '90071992547409931' }, note('unread_amount_wrong')],
  ['an amount that is whole only when rounded', { amount: '5500.00000000000000001' }, note('unread_amount_wrong')],
  ['a number with a point', { reference: '4711.5' }, note('unread_reference_odd')],
  ['a number with an exponent', { reference: '1e400' }, note('unread_reference_odd')],
  ['a negative number', { reference: '-4711' }, note('unread_reference_odd')],
  [
    'a sender that is a number',
    { senderName: '90071992547409931' },
    note('unread_field_missing', { field: 'senderName' }),
  ],
] as const) {
  test(`${name} makes the line unread, kept as the bank wrote it`, async () => {
    const line = wire({ reference: '"N1"', narrative: JSON.stringify(name), ...changes })
    await reads(
      line,
      line.replace('}', ',"extra":90071992547409931}'),
      line.replace('}', ',"extra":90071992547409933}'),
    )
    const kept = (await listUnread(app.db)).filter(({ raw }) => raw.includes(name))
    assert.ok(kept.length > 0)
    for (const one of kept) assert.deepEqual(one.why, why)
    assert.deepEqual(kept.map(({ raw }) => raw.replace(/.*,"extra"/, '').replace(/^\{.*/, '')).toSorted(), [
      '',
      ':90071992547409931}',
      ':90071992547409933}',
    ])
    for (const value of Object.values(changes))
      assert.ok(
        kept.every(({ raw }) => raw.includes(value)),
        value,
      )
  })
}

test('a line that was kept is read again with its number as written', () => {
  for (const reference of ['90071992547409931', '90071992547409940'])
    assert.equal(rereadLine(wire({ reference }))?.bankReference, reference)
})
