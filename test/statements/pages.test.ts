import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { listStatements, previewFile, readCursor } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

const { app } = await startService()
const DAY = '2026-03-10'
let exchanges = 0

/** An account that alone has its connection. */
async function openPaged() {
  const account = await openFileAccount(app)
  const name = `sayfa-${++exchanges}`
  const connections = [{ kind: 'file_exchange', name } as (typeof app.connections)[number]]
  await setSourceOfRecord({ ...app, connections }, UNATTRIBUTED, [account.iban], name)
  /** Every page has the balances of the day, 0 and 300, as some banks write them. */
  const page = (number: number, last: number) =>
    camt('053', { iban: account.iban, day: DAY, opening: 0, closing: 300, bookings: [{ number: `N${number}`, amount: 100 }] }).replace('<Acct>', `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${number === last}</LastPgInd></StmtPgntn><Acct>`) // prettier-ignore
  const facts = async () => {
    const [day] = await listStatements(app, { account: account.iban, limit: 1 })
    const readAt = (await readCursor(app.db, name))?.readAt?.toISOString() ?? null
    return [day?.lines, day?.openingBalance, day?.closingBalance, readAt]
  }
  return { ...account, page, facts }
}

const END_OF_DAY = '2026-03-10T21:00:00.000Z'
const problems = async (text: string) =>
  (await previewFile(app, contentOf('sayfa.xml', text), PLAIN)).findings.filter(({ severity }) => severity !== 'note')

test('the day counts as read, with its balances, once all pages of its statement came', async () => {
  const { page, take, facts } = await openPaged()
  const first = await take(page(1, 3))
  const waits = (page: number, missing: number[]) => note('finding_page_waits', { statement: 'S1', page, missing })
  assert.ok(first.file.checks.some(({ what }) => isDeepStrictEqual(what, waits(1, []))))
  assert.deepEqual(await facts(), [1, null, null, null])
  await take(page(2, 3))
  assert.deepEqual(await facts(), [2, null, null, null])
  const last = await take(page(3, 3))
  assert.deepEqual(await facts(), [3, 0n, 300n, END_OF_DAY])
  await undoFile(app, UNATTRIBUTED, last.file.id, 'a wrong page')
  assert.deepEqual(await facts(), [2, null, null, null])
})

test('a page that comes before another is a note; it counts with the page that comes later', async () => {
  const { page, take, facts } = await openPaged()
  assert.deepEqual(await problems(page(3, 3)), [])
  const { file } = await take(page(3, 3))
  const what = note('finding_page_waits', { statement: 'S1', page: 3, missing: [1, 2] })
  assert.ok(file.checks.some((one) => isDeepStrictEqual(one.what, what)))
  await take(page(1, 3))
  assert.deepEqual(await facts(), [2, null, null, null])
  await take(page(2, 3))
  assert.deepEqual(await facts(), [3, 0n, 300n, END_OF_DAY])
})

test('all pages in one file', async () => {
  const { page, take, facts } = await openPaged()
  const [, ...others] = [1, 2, 3].map((number) => /<Stmt>.*<\/Stmt>/s.exec(page(number, 3))?.[0] ?? '')
  await take(page(1, 3).replace('</Stmt>', `</Stmt>${others.join('')}`))
  assert.deepEqual(await facts(), [3, 0n, 300n, END_OF_DAY])
})
