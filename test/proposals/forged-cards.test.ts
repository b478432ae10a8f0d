import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rejectProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { merchantUserActor, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { proposeInstruction, rejectInstruction } from '../harness/instructions.ts'
import { cheap, merchantUser, PASSWORD, usersOf } from '../harness/logins.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

// Someone writes to the database without the master key: copies of proposals in the name of others.
const service = await startService()
const { app } = service
const { merchantId } = await service.merchant({ funds: 1_000_000n })
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addPerson(service, name)
await merchantUser(cheap(app), merchantId, 'sahip@dukkan.example')
const logins = await usersOf(app, merchantId, ['a', 'b'])
const staff = visitor(service)
await staff.logIn('ayse.yilmaz')
const owner = visitor(service, 'merchant')
await owner.logIn('sahip@dukkan.example', PASSWORD)

test('a proposal that was copied in SQL can only be rejected, on every page that shows it', async () => {
  const live = { ...app, sandbox: false }
  const ayse = operatorActor('ayse.yilmaz')
  const asked = await makeProposal(live, ayse, 'merchant.networks', { merchantId, add: ['203.0.113.7'] })
  const own = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  await rejectProposal(live, ayse, own.id, 'to begin again')
  const id = app.ids.next()
  await app.db.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, 'mehmet.kaya', proposed_at
    from proposals where id = ${own.id}`)
  const pages = [
    (await staff.request('/approvals')).text,
    (await staff.request(`/merchants/${merchantId}`)).text,
    (await owner.request('/developer')).text,
  ]
  for (const text of pages) {
    assert.match(visibleText(text), /Vezne’de (?:bu önerinin )?kaydı yok/)
    assert.match(text, new RegExp(`proposals/${id}/reject"`))
    assert.doesNotMatch(text, new RegExp(`proposals/${id}/approve"`))
  }
})

test('so can an instruction of a merchant', async () => {
  const cells = { processId: 'p-1', accountName: 'Ali Can', iban: makeIban('0010', '123'), amount: '100,00' }
  const user = merchantUserActor(merchantId, logins.a, 'finance')
  const proposal = { id: app.ids.next(), source: null, currency: 'TRY', rows: [{ line: 1, cells }] }
  const first = await proposeInstruction(app, user, merchantId, proposal)
  assert.match((await owner.request(`/instructions/${first.id}`)).text, /\/approve"/)
  const id = app.ids.next()
  const by = `merchant:${merchantId}:${logins.b}`
  await app.db.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, ${by}, proposed_at
    from proposals where id = ${first.id}`)
  await rejectInstruction(app, user, first)
  const { text } = await owner.request(`/instructions/${id}`)
  assert.match(visibleText(text), /Vezne’de bu önerinin kaydı yok/)
  assert.match(text, /\/reject"/)
  assert.doesNotMatch(text, /\/approve"/)
})

test('a refusal shows what was typed without control and direction characters', async () => {
  const csrf = await owner.csrf('/developer')
  const network = '10.0.0.\u001B[31m\u202E\u009B1'
  const { text } = await owner.request('/developer/addresses/allow', { csrf, network })
  assert.match(text, /10\.0\.0\./)
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(visibleText(text), /[\u001B\u202E\u009B]/)
})
