import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
await addPerson(service, 'zeynep.kasa')
const person = visitor(service)
await person.logIn('zeynep.kasa')

test('to block an account takes a reason, which is in the audit, and the card says what it does; to pause takes one click', async () => {
  const [account = assert.fail()] = await listAccounts(app.db)
  const stateNow = async () => (await listAccounts(app.db)).find(({ id }) => id === account.id)?.state
  const { text } = await person.request('/accounts')
  const card = text.split(`data-item="${account.id}"`)[1]?.split('</article>')[0] ?? ''
  assert.match(visibleText(`<body>${card}`), /Bloke et .*yeni yatırım alınmaz ve buradan çekim gönderilmez/)
  const csrf = await person.csrf('/accounts')
  const send = (state: string, fields: Record<string, string>) =>
    person.request(`/accounts/${account.id}/${state}`, { csrf, ...fields })
  for (const why of ['', 'kısa'])
    assert.match((await send('blocked', { state: 'active', why })).text, /Neden: en az beş karakter yazın/)
  assert.equal(await stateNow(), 'active')
  assert.equal((await send('paused', { state: 'active' })).status, 303)
  assert.equal((await send('blocked', { state: 'paused', why: 'banka hesabı dondurdu' })).status, 303)
  assert.equal(await stateNow(), 'blocked')
  const reasons = await app.db.query(sql`
    select e.reason from audit_entries e where e.subject = ${`account:${account.id}`} order by e.number`)
  assert.deepEqual(reasons, [{ reason: null }, { reason: 'banka hesabı dondurdu' }])
})
