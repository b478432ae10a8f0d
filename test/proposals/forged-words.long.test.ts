import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  approveProposal,
  forgedProposals,
  rejectProposal,
  makeProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import type { Check } from '../../packages/server/src/domain/doctor/index.ts'
import { examine } from '../../packages/server/src/domain/doctor/index.ts'
import { setPayoutRules, showMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { decideDoubt, findPayout, forgedOpinions } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { approve, endApproval, openApproval } from '../harness/approvals.ts'
import { aWeekLater } from '../harness/crash.ts'
import { mustFind } from '../harness/history.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// Ayşe may write to every table, and not have the master key: she must not say anything in Mehmet's name.
const service = await startWithBank()
const { app } = service
await openJournal(app)
const shop = await service.merchantWithMoney(5_000_000n)
const { merchantId } = shop
const { ask, sent, faults } = openPayoutLines(service, shop)
const NO_RECORD = { said: { why: 'word_not_recorded', facts: { person: 'mehmet.kaya' } } }
const live = { ...app, sandbox: false }
const LIMIT = 100

type Forged = { facts: { what: string; id: string } }

/** The rows that this check names, such as `proposal 1`. */
function namedIn(checks: Check[]): string[] {
  const found = checks.find(({ check }) => check === 'marks')
  const rows = (found?.found.facts['rows'] ?? []) as unknown as Forged[]
  return rows.map(({ facts: { what, id } }) => `${what} ${id}`)
}

async function doctorNames(): Promise<string[]> {
  const config = {
    ...app.config,
    databaseUrl: service.databaseUrl,
    baseUrl: null,
    isWorker: false,
    ops: null,
    auditHeads: null,
  }
  return namedIn(await examine(app, config))
}

/** The mark of her own word does not fit another row. */
async function copyMark(from: string, to: string): Promise<void> {
  await app.db.query(sql`insert into word_marks (name, mark) select ${to}, mark from word_marks where name = ${from}`)
}

/** The same proposal in Mehmet's name. */
async function copyOf(own: string): Promise<string> {
  const id = app.ids.next()
  await app.db.query(sql`
    insert into proposals (id, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, proposed_by, proposed_at)
    select ${id}, kind, target, merchant_id, payload, payload_sha256, description, seen_sha256, reason, 'mehmet.kaya', proposed_at
    from proposals where id = ${own}`)
  return id
}

test('a proposal that was inserted in SQL is approved by no one, and the doctor names it', async () => {
  const terms = { merchantId, add: ['203.0.113.7'] }
  const asked = await makeProposal(live, AYSE, 'merchant.networks', terms)
  const own = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  await rejectProposal(live, AYSE, own.id, 'to begin again')
  const id = await copyOf(own.id)
  await assert.rejects(approveProposal(live, AYSE, id, own.seenSha256), NO_RECORD)
  await copyMark(`proposals/${own.id}`, `proposals/${id}`)
  await assert.rejects(approveProposal(live, AYSE, id, own.seenSha256), NO_RECORD)
  await assert.rejects(makeProposal(live, AYSE, 'merchant.networks', terms), NO_RECORD)
  assert.ok(!(await showMerchant(app, merchantId)).networks.includes('203.0.113.7'))
  assert.deepEqual(await forgedProposals(app, LIMIT), [id])
  const config = { mode: 'sandbox', dataFolder: '/nowhere', databaseUrl: service.databaseUrl, baseUrl: null } as const
  const checks = await examine(app, { ...config, isWorker: false, ops: null, auditHeads: null })
  const found = checks.find(({ check }) => check === 'marks')
  assert.deepEqual([found?.ok, namedIn(checks)], [false, [`proposal ${id}`]])

  await rejectProposal(live, AYSE, id, 'no one proposed it')
  const real = await makeProposal(live, MEHMET, 'merchant.networks', terms)
  assert.equal(real.state, 'open')
  assert.equal((await makeProposal(live, AYSE, 'merchant.networks', terms)).state, 'applied')
})

test('an approval of a withdrawal that was inserted in SQL approves nothing, and the doctor names it', async () => {
  await setPayoutRules(app, UNATTRIBUTED, merchantId, { approvalThreshold: 50_000n })
  const id = await ask({ amount: 50_000 })
  await service.work()
  const state = async () => (await mustFind(app, id)).state
  assert.equal(await state(), 'awaiting_approval')
  await approve(app, AYSE, id)
  const own = await openApproval(app, id)
  await endApproval(app, AYSE, id, 'to begin again')
  const forgedId = await copyOf(own.id)
  await assert.rejects(approve(app, AYSE, id), NO_RECORD)
  await copyMark(`proposals/${own.id}`, `proposals/${forgedId}`)
  await assert.rejects(approve(app, AYSE, id), NO_RECORD)
  assert.ok((await doctorNames()).includes(`proposal ${forgedId}`))
  await app.db.query(sql`update withdrawals set state = 'queued', state_reason = null where id = ${id}`)
  await service.work()
  assert.equal(await state(), 'awaiting_approval', 'the router does not count it either')
  await rejectProposal(app, AYSE, forgedId, 'no one proposed it')
  await approve(app, AYSE, id)
  assert.equal(await state(), 'awaiting_approval')
  await approve(app, MEHMET, id)
  assert.equal(await state(), 'queued')
})

test('a decision about a payout in doubt, and a request to erase it', async () => {
  await faults('error_after')
  const id = await sent()
  const said = { verdict: 'not_found', evidence: 'the bank does not know it', unproven: true } as const
  const decide = (actor: typeof AYSE) => decideDoubt(aWeekLater(app), actor, id, said)
  await app.db.query(sql`
    insert into doubt_decisions (merchant_id, withdrawal_id, submits, operator, verdict, evidence, decided_at)
    select merchant_id, withdrawal_id, submits, 'mehmet.kaya', 'not_found', 'the bank does not know it', now()
    from payouts where withdrawal_id = ${id}`)
  const payout = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  assert.deepEqual(await forgedOpinions(app, [payout]), [id])
  assert.ok((await doctorNames()).includes(`finding ${id}`))
  assert.equal(await decide(AYSE), 'waiting for a second person')
  assert.equal(await decide(MEHMET), 'failed')
  await service.call('DELETE', 'faults')
})
