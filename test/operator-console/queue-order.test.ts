import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
await giveLogin(service, 'ayse.yilmaz')
const person = visitor(service)
await person.logIn('ayse.yilmaz')

const hoursAgo = (hours: number) => ({ bookedAt: new Date(app.clock.now().getTime() - hours * 3_600_000) })

test('the list of the desk has what was booked first on top, and the tile says the age of that line', async () => {
  const arrives = async (direction: 'credit' | 'debit', hours: number) =>
    journal.arrives(direction, BigInt(1_000 + hours), hoursAgo(hours))
  const [a, b, c, d] = [
    await arrives('debit', 24),
    await arrives('credit', 36),
    await arrives('debit', 32),
    await arrives('credit', 2),
  ]
  const listed = async (path: string) =>
    [...(await person.request(path)).text.matchAll(/<li data-item="([0-9a-f]{24})"/g)].map(([, id]) => id)
  assert.deepEqual(await listed('/matching'), [b, c, a, d])
  assert.deepEqual(await listed('/matching?kind=debits'), [c, a])
  assert.deepEqual(await listed(`/matching?after=${c}`), [a, d], 'the next page')
  const home = visibleText((await person.request('')).text)
  assert.match(home, /Askıdaki para 2 [^A-Z]*TL en eskisi 36 sa/)
  const queue = visibleText((await person.request('/matching?kind=suspense')).text)
  assert.match(queue, /36 sa .* 2 sa/)
})
