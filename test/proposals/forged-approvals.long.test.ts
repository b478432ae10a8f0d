import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { forgedProposals, rejectProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  decideDoubt,
  findPayout,
  forgedOpinions,
  withdrawOpinion,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approve, endApproval, openApproval } from '../harness/approvals.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { mustFind } from '../harness/history.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// Someone writes to the database, without the master key.
const service = await startWithBank()
const { app } = service
const [AYSE, MEHMET, CAN] = ['ayse.yilmaz', 'mehmet.kaya', 'can.ay'] as const
for (const name of [AYSE, MEHMET, CAN]) await addPerson(service, name)
const shop = await service.merchantWithMoney(9_000_000n)
const { merchantId } = shop
await setPayoutRules(app, UNATTRIBUTED, merchantId, { approvalThreshold: 50_000n })
const { ask, sent, faults } = openPayoutLines(service, shop)
const commands = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => commands.stop())

async function waiting(): Promise<string> {
  const id = await ask({ amount: 50_000 })
  await service.work()
  assert.equal(await stateOf(id), 'awaiting_approval')
  return id
}

const stateOf = async (id: string) => (await mustFind(app, id)).state

/** An approval in another name, with the state that it shall have. */
async function plant(own: string, operator: string, state: 'open' | 'applied' = 'open'): Promise<string> {
  const id = app.ids.next()
  const [by, at] = state === 'open' ? [null, null] : [CAN, app.clock.now()]
  await app.db.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason,
      proposed_by, proposed_at, state, decided_by, decided_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, 'checked by phone',
      ${operator}, proposed_at, ${state}, ${by}, ${at}
    from proposals where id = ${own}`)
  return id
}

const plantMark = (name: string) => app.db.query(sql`insert into word_marks (name, mark) values (${name}, 'x')`)

async function pageOf(id: string): Promise<string> {
  const person = visitor(service)
  await person.logIn(CAN)
  return visibleText((await person.request(`/transactions/${id}`)).text)
}

test('a forged approval is not shown as one, neither the first nor the second', async () => {
  const id = await waiting()
  await approve(app, operatorActor(AYSE), id)
  const own = await openApproval(app, id)
  await plant(own.id, MEHMET, 'applied')
  const page = await pageOf(id)
  assert.match(page, /Onayladı ayse\.yilmaz/)
  assert.doesNotMatch(page, /Onayladı (mehmet|can)|checked by phone/)
  for (const name of ['mehmet\\.kaya', 'can\\.ay'])
    assert.match(page, new RegExp(`${name} adına yazılmış, ama Vezne’nin işareti yok`))
  await app.db.query(sql`
    update proposals set state = 'applied', decided_by = ${MEHMET}, decided_at = now() where id = ${own.id}`)
  assert.doesNotMatch(await pageOf(id), /Onayladı mehmet/, 'Ayşe’s own, which someone has marked as approved')
  const { output } = await commands.run(['withdrawal', 'show', id])
  assert.match(output, /approve +ayse\.yilmaz/)
  assert.doesNotMatch(output, /approve +(mehmet|can)|checked by phone/)
  assert.match(output, /no mark +mehmet\.kaya: Vezne did not record this/)
  const { output: json } = await commands.run(['withdrawal', 'show', id, '--json'])
  assert.doesNotMatch(json, /checked by phone/)
  assert.equal(await stateOf(id), 'awaiting_approval')
})

test('a forged approval beside a real one is rejected on the card; then the real one counts', async () => {
  const id = await waiting()
  await approve(app, operatorActor(AYSE), id)
  const own = await openApproval(app, id)
  const planted = await plant(own.id, MEHMET)
  const person = visitor(service)
  await person.logIn(CAN)
  const card = async () => {
    const { text } = await person.request('/approvals')
    return text.split('<article').find((one) => one.includes(`data-item="${id}"`)) ?? assert.fail('no card')
  }
  const before = await card()
  assert.match(visibleText(`<body ${before}`), /ayse\.yilmaz (?!Vezne)[^]*mehmet\.kaya Vezne’de kaydı yok/)
  assert.match(before, new RegExp(`/proposals/${planted}/reject"`))
  assert.doesNotMatch(before, new RegExp(`/withdrawals/${id}/approve"|/proposals/${own.id}/reject"`))
  const fields = { csrf: await person.csrf(), why: 'kimse vermedi' }
  assert.match((await person.request(`/proposals/${planted}/reject`, fields)).location ?? '', /said=proposalRejected/)
  assert.match(await card(), new RegExp(`/withdrawals/${id}/approve"`))
  await approve(app, operatorActor(MEHMET), id)
  assert.deepEqual((await mustFind(app, id)).approvedBy, [AYSE, MEHMET])
})

test('an approval whose mark was replaced counts no more: it is rejected and given again', async () => {
  const id = await waiting()
  await approve(app, operatorActor(AYSE), id)
  const { id: change } = await openApproval(app, id)
  await app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`update word_marks set mark = 'x' where name = ${`proposals/${change}`}`)
  })
  assert.ok((await forgedProposals(app, 100)).includes(change))
  await assert.rejects(approve(app, operatorActor(MEHMET), id), { why: 'word_not_recorded' })
  assert.equal(await stateOf(id), 'awaiting_approval')
  await endApproval(app, operatorActor(MEHMET), id, 'not recorded')
  await approve(app, operatorActor(MEHMET), id)
  await approve(app, operatorActor(CAN), id)
  assert.equal(await stateOf(id), 'queued')
})

test('a row in the place of a finding that is written meanwhile: refused, and not counted', async () => {
  await faults('error_after')
  const id = await sent()
  const payout = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  let settle = () => {}
  const written = new Promise<void>((resolve) => (settle = resolve))
  const writer = app.db.transaction(async (tx) => {
    await tx.query(sql`
      insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at, number)
      values (${merchantId}, ${id}, ${payout.submits}, ${AYSE}, 'found', 'FT-1', now(), 1)`)
    settle()
    // The finding reads before this ends, and its insert waits for it.
    await untilOneWaits(app.db)
  })
  await written
  const said = { verdict: 'found', evidence: 'FT-1' } as const
  await assert.rejects(decideDoubt(app, operatorActor(AYSE), id, said), { why: 'row_in_place' })
  await writer
  assert.equal(await decideDoubt(app, operatorActor(AYSE), id, said), 'waiting for a second person')
  assert.equal(await decideDoubt(app, operatorActor(MEHMET), id, said), 'sent')
  await service.call('DELETE', 'faults')
})

test('a planted mark or row about a payout in doubt: the finding does not count, and can be taken back', async () => {
  await faults('error_after')
  const id = await sent()
  const payout = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  const said = { verdict: 'found', evidence: 'FT-1' } as const
  const found = (name: string) => decideDoubt(app, operatorActor(name), id, said)
  await app.db.query(sql`
    insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at, number)
    values (${merchantId}, ${id}, ${payout.submits}, ${AYSE}, 'found', 'FT-OTHER', now(), 2)`)
  assert.equal(await found(AYSE), 'waiting for a second person')
  const page = await pageOf(id)
  assert.doesNotMatch(page, /FT-OTHER/)
  const { output } = await commands.run(['withdrawal', 'show', id])
  assert.doesNotMatch(output, /FT-OTHER/)
  assert.match(output, /no mark +ayse\.yilmaz/)
  await plantMark(`doubt_decisions/${merchantId}/${id}/${payout.submits}/${AYSE}/withdrawn/3`)
  assert.deepEqual(await forgedOpinions(app, [payout]), [id])
  await withdrawOpinion(app, operatorActor(AYSE), id, 'another payout')
  await assert.rejects(found(AYSE), { why: 'mark_in_place' })
  assert.equal(await found(MEHMET), 'waiting for a second person')
  assert.equal(await found(CAN), 'sent')
  await service.call('DELETE', 'faults')
})

test('a card of a proposal that no one made says so', async () => {
  const live = { ...app, sandbox: false }
  const asked = await makeProposal(live, operatorActor(AYSE), 'merchant.open_deposits', { merchantId, max: 1001 })
  const own = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  const person = visitor(service)
  await person.logIn(CAN)
  const card = async (id: string) => {
    const { text } = await person.request('/approvals')
    return visibleText(`<body ${text.split('<article').find((one) => one.includes(`data-item="${id}"`)) ?? ''}`)
  }
  assert.match(await card(own.id), /Öneren ayse\.yilmaz(?! Vezne)/)
  await rejectProposal(live, operatorActor(AYSE), own.id, 'to begin again')
  const id = app.ids.next()
  await app.db.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, ${MEHMET}, proposed_at
    from proposals where id = ${own.id}`)
  assert.match(await card(id), /Öneren mehmet\.kaya Vezne’de kaydı yok/)
})
