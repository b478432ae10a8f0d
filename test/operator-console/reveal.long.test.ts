import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { mayTake, ROLES, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
for (const role of ROLES) await addPerson(service, `only.${role}`, [role], 'ayse.yilmaz')

const IBAN = 'TR620006200029500006291296'
const SECRETS = ['Zehra', 'Uğurlugil', IBAN, 'TR62 0006 2000 2950 0006 2912 96', 'Nazmiye', '12345678901']
const shop = await service.merchantWithMoney(9_000_000n, { name: 'Mürekkep' })
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 100n })
const customer = { ...depositBody().customer, name: 'Zehra Uğurlugil' }
const deposit = String(accepted(await shop.post('/v1/deposit', depositBody({ customer })), 201).transactionId)
const withdrawal = String(
  accepted(await shop.post('/v1/withdraw', withdrawBody({ accountName: 'Zehra Uğurlugil', iban: IBAN })), 201)
    .transactionId,
)
await dispatchWithdrawals(app)
const [paid] = await someDeposits(app, shop.merchantId, 1, 84_000n)
if (!paid) assert.fail('no deposit')
await ingest(app, [
  await lineFor(app, paid, {
    narrative: `FAST GELEN ZEHRA UGURLUGIL 12345678901 ${IBAN} Nazmiye icin kira`,
    senderName: 'Zehra Uğurlugil',
    senderIban: IBAN,
  }),
])
await matchAll(app)
const [line] = await listLines(app.db, 'suspense', 1)
const LINE = line?.id ?? assert.fail('no line')

const PAGES = [
  ...['/transactions', '/transactions?kind=withdrawal', `/transactions/${deposit}`, `/transactions/${withdrawal}`],
  ...['/matching', `/matching/${LINE}`, '/approvals', '/payouts', '/search?q=840', '/search?q=1296'],
]
const FOUND = ['/search?q=zehra']

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return person
}
type Person = Awaited<ReturnType<typeof enter>>

const seen = (text: string) =>
  SECRETS.filter((secret) => text.toLocaleUpperCase('tr').includes(secret.toLocaleUpperCase('tr')))
const GIVEN = { reason: 'customer_asks', note: 'talep 20417' }
const reveal = async (person: Person, path: string, fields: Record<string, string> = GIVEN) =>
  person.request(`${path}/reveal`, { ...fields, csrf: await person.csrf() })

test('no role sees personal data without a reason, on no page; of the text of a line deciders read what names no sender', async () => {
  for (const role of ROLES) {
    const person = await enter(`only.${role}`)
    for (const path of PAGES) {
      const { status, text } = await person.request(path)
      assert.equal(status, 200, path)
      const decides = mayTake([role], 'line.match')
      assert.deepEqual(seen(text), path.startsWith('/matching') && decides ? ['Nazmiye'] : [], `${role} ${path}`)
    }
    for (const path of FOUND) {
      const { text } = await person.request(path)
      assert.match(text, /müşteri Zehra U•••/, 'what was typed, and no more')
    }
    assert.match((await person.request(`/matching/${LINE}`)).text, /FAST GELEN Z••• U••• •••8901 TR62…1296/)
  }
})

test('with a reason one transaction is shown to one person for ten minutes, and the audit says who, what and why', async () => {
  const [person, other] = [await enter('only.support'), await enter('ayse.yilmaz')]
  const path = `/transactions/${withdrawal}`
  assert.equal((await reveal(person, path)).location, `/operator${path}?said=revealed`)
  const { text } = await person.request(path)
  assert.match(text, /Zehra Uğurlugil/)
  assert.match(text, /TR62 0006 2000 2950 0006 2912 96/)
  assert.match((await person.request('/approvals')).text, /Zehra Uğurlugil/, 'on every page that is about it')
  assert.deepEqual(seen((await person.request(`/transactions/${deposit}`)).text), [], 'no other transaction')
  assert.deepEqual(seen((await other.request(path)).text), [], 'no other person')
  const [entry] = await listAudit(app.db, { action: 'data.reveal' }, 1)
  assert.deepEqual(
    [entry?.actor, entry?.subject, entry?.after, entry?.reason, entry?.origin['edge'], entry?.origin['address']],
    ['only.support', `withdrawal:${withdrawal}`, { reason: 'customer_asks' }, 'talep 20417', 'console', '127.0.0.1'],
  )
  await travelTo(app, 601)
  assert.deepEqual(seen((await person.request(path)).text), [], 'after ten minutes')
  await travelTo(app, 0)
})

test('a line is shown with its candidates, which the entry names', async () => {
  const person = await enter('only.cashier')
  const before = await person.request(`/matching/${LINE}`)
  assert.deepEqual(seen(before.text), ['Nazmiye'])
  const { location } = await reveal(person, `/matching/${LINE}`)
  assert.equal(location, `/operator/matching/${LINE}?said=revealed`)
  const { text } = await person.request(`/matching/${LINE}`)
  assert.match(text, /FAST GELEN ZEHRA UGURLUGIL 12345678901/)
  assert.match(text, new RegExp(paid.customer.name), 'the customer of the candidate')
  const [entry] = await listAudit(app.db, { action: 'data.reveal' }, 1)
  assert.equal(entry?.subject, `line:${LINE}`)
  const { beside } = (entry?.after ?? {}) as { beside?: string[] }
  assert.ok(beside?.includes(`deposit:${paid.id}`))
  assert.deepEqual(seen(JSON.stringify(entry)), [], 'the entry has none of the data')
})

test('refused: no reason, an unknown one, nothing with this id, or no right', async () => {
  const person = await enter('only.auditor')
  const path = `/transactions/${deposit}`
  for (const fields of [{}, { reason: 'customer_asks', note: 'x' }, { reason: 'curious', note: 'talep 20417' }])
    assert.equal((await reveal(person, path, fields as Record<string, string>)).status, 409, JSON.stringify(fields))
  for (const one of ['transactions', 'matching', 'withdrawals', 'payouts'])
    assert.equal((await reveal(person, `/${one}/${'f'.repeat(24)}`)).status, 404, one)
  assert.equal((await reveal(await enter('only.viewer'), path)).status, 403)
  assert.deepEqual(seen((await person.request(path)).text), [])
})

test('who loses the role sees it masked at once', async () => {
  const person = await enter('only.approver')
  await reveal(person, `/transactions/${deposit}`)
  assert.deepEqual(seen((await person.request(`/transactions/${deposit}`)).text), ['Zehra', 'Uğurlugil'])
  await setRoles(app, operatorActor('ayse.yilmaz'), 'only.approver', ['viewer'])
  assert.deepEqual(seen((await person.request(`/transactions/${deposit}`)).text), [])
})
