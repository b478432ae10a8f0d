import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { rejectChange, requestChange } from '../../packages/server/src/domain/changes/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  decideDoubt,
  findPayout,
  forgedOpinions,
  withdrawOpinion,
} from '../../packages/server/src/domain/payouts/index.ts'
import {
  approveWithdrawal,
  forgedApprovals,
  rejectWithdrawal,
  withdrawApproval,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
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
  assert.equal(await stageOf(id), 'awaiting_approval')
  return id
}

const stageOf = async (id: string) => (await mustFind(app, id)).stage
const approve = (name: string, id: string) => approveWithdrawal(app, operatorActor(name), id, null)
const planted = (id: string, operator: string, decision: string, number = 1) => sql`
  insert into withdrawal_approvals (merchant_id, withdrawal_id, operator, decision, note, decided_at, number)
  values (${merchantId}, ${id}, ${operator}, ${decision}, 'checked by phone', now(), ${number})`
const plantMark = (name: string) => app.db.query(sql`insert into word_marks (name, mark) values (${name}, 'x')`)
const audited = async (id: string) =>
  (await listAudit(app.db, { subject: `withdrawal:${id}`, action: 'withdrawal.approve' }, 10)).length

async function pageOf(id: string): Promise<string> {
  const person = visitor(service)
  await person.logIn(CAN)
  return visibleText((await person.request(`/transactions/${id}`)).text)
}

test('a row that was written in the place of an approval does not swallow it', async () => {
  const id = await waiting()
  await app.db.query(planted(id, AYSE, 'reject'))
  await approve(AYSE, id)
  await assert.rejects(approve(AYSE, id), { why: 'approval_decided_before' })
  await approve(MEHMET, id)
  assert.equal(await stageOf(id), 'queued')
  assert.equal(await audited(id), 2)
})

test('a row that is written in its place meanwhile: refused, and not audited', async () => {
  const id = await waiting()
  let settle = () => {}
  const written = new Promise<void>((resolve) => (settle = resolve))
  const writer = app.db.transaction(async (tx) => {
    await tx.query(planted(id, AYSE, 'reject'))
    settle()
    // The approval reads before this ends, and its insert waits for it.
    await untilOneWaits(app.db)
  })
  await written
  const given = approve(AYSE, id)
  await assert.rejects(given, { code: 'INVALID_STATE', why: 'row_in_place' })
  await writer
  assert.equal(await audited(id), 0)
  await approve(AYSE, id)
  assert.equal(await audited(id), 1)
})

test('a forged approval is not shown as one', async () => {
  const id = await waiting()
  await app.db.query(planted(id, MEHMET, 'approve'))
  await approve(AYSE, id)
  const page = await pageOf(id)
  assert.match(page, /Onayladı ayse\.yilmaz/)
  assert.doesNotMatch(page, /Onayladı mehmet|checked by phone/)
  assert.match(page, /mehmet\.kaya adına yazılmış, ama Vezne’nin işareti yok/)
  const { output } = await commands.run(['withdrawal', 'show', id])
  assert.match(output, /approve +ayse\.yilmaz/)
  assert.doesNotMatch(output, /approve +mehmet|checked by phone/)
  assert.match(output, /no mark +mehmet\.kaya: Vezne did not record this/)
  const { output: json } = await commands.run(['withdrawal', 'show', id, '--json'])
  assert.doesNotMatch(json, /checked by phone/)
})

test('a planted mark takes the approval of its person away, who may take it back or reject; the doctor names it', async () => {
  const [taken, rejected] = [await waiting(), await waiting()]
  for (const id of [taken, rejected]) {
    await approve(AYSE, id)
    await plantMark(`withdrawal_approvals/${merchantId}/${id}/${AYSE}/2`)
    assert.ok((await forgedApprovals(app, 100)).includes(id))
    await approve(MEHMET, id)
    assert.equal(await stageOf(id), 'awaiting_approval')
    await assert.rejects(approve(AYSE, id), { why: 'mark_in_place' })
  }
  await withdrawApproval(app, operatorActor(AYSE), taken, 'wrong customer')
  await rejectWithdrawal(app, operatorActor(AYSE), rejected, 'wrong customer')
  assert.equal(await stageOf(rejected), 'failed')
  await approve(CAN, taken)
  assert.equal(await stageOf(taken), 'queued', 'two others')
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
  assert.equal(await found(CAN), 'settled')
  await service.call('DELETE', 'faults')
})

test('a card of a proposal that no one made says so', async () => {
  const live = { ...app, sandbox: false }
  const asked = await requestChange(live, operatorActor(AYSE), 'merchant.open_deposits', { merchantId, max: 1001 })
  const own = asked.state === 'open' ? asked.request : assert.fail(asked.state)
  const person = visitor(service)
  await person.logIn(CAN)
  const card = async (id: string) => {
    const { text } = await person.request('/approvals')
    return visibleText(`<body ${text.split('<article').find((one) => one.includes(`data-item="${id}"`)) ?? ''}`)
  }
  assert.match(await card(own.id), /Öneren ayse\.yilmaz(?! Vezne)/)
  await rejectChange(live, operatorActor(AYSE), own.id, 'to begin again')
  const id = app.ids.next()
  await app.db.query(sql`
    insert into change_requests (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, ${MEHMET}, proposed_at
    from change_requests where id = ${own.id}`)
  assert.match(await card(id), /Öneren mehmet\.kaya Vezne’de kaydı yok/)
})
