import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import {
  MATCHER,
  merchantActor,
  merchantUserActor,
  operatorActor,
  RESTORE,
  UNATTRIBUTED,
} from '../../packages/server/src/kernel/actor.ts'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import {
  addOperator,
  DECIDING,
  disableOperator,
  listOperators,
  MERCHANT_ROLES,
  RIGHTS,
  ROLES,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { markRestored } from '../../packages/server/src/domain/restores/index.ts'
import { changesOf, freezeMerchant, freezesOf } from '../../packages/server/src/domain/merchants/index.ts'
import { resendFailed } from '../../packages/server/src/domain/webhooks/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { takingAnActor } from '../harness/decisions.ts'
import { decisionsAbout } from '../harness/every-decision.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { untilOneWaits } from '../harness/lock-waits.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { startService } from '../harness/service.ts'

const service = await startWithBank()
const { app } = service
const [ADA, GONE] = ['ada.aksoy', 'gone.away']
for (const name of [ADA, GONE]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const shop = await service.merchantWithMoney(5_000_000n)
const live = { ...app, sandbox: false }

const client = new pg.Client({ connectionString: service.databaseUrl })
// The database is dropped with the service, which may be before.
client.on('error', () => undefined)
await client.connect()
after(() => client.end())

/** A digest of every row of every table. */
async function contents(): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const digests = new Map<string, string>()
  for (const { name } of rows) {
    const text = `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${name} t`
    digests.set(name, (await client.query<{ digest: string }>(text)).rows[0]?.digest ?? '')
  }
  return digests
}

/** What decisions are about, far enough that only the actor stands in their way. */
async function prepareSubjects() {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  if (!deposit) throw new Error('no deposit')
  const ask = async () => accepted(await shop.post('/v1/withdraw', withdrawBody()), 201).transactionId as string
  const paid = await ask()
  await dispatchWithdrawals(app)
  const line = await lineFor(app, deposit, { narrative: 'kira' })
  await ingest(app, [line, { ...line, bankReference: 'other-1', direction: 'debit' }])
  await matchAll(app)
  const held = (await listLines(app.db, 'suspense', 1))[0]?.id ?? assert.fail('no line in suspense')
  const debit = (await listLines(app.db, 'needs_review', 1))[0]?.id ?? assert.fail('no line in the queue')
  const [account] = await listAccounts(app.db)
  return { merchantId: shop.merchantId, depositId: deposit.id, waiting: await ask(), paid, held, debit, account }
}

/** Who may take none of them, or only its own. */
const REFUSED: [who: string, actor: Actor, refusal: object, app?: typeof app][] = [
  ['an unknown operator', operatorActor('no.body'), { said: { why: 'operator_unknown', facts: { name: 'no.body' } } }],
  ['a disabled operator', operatorActor(GONE), { said: { why: 'operator_disabled', facts: { name: GONE } } }],
  ['a merchant', merchantActor('f'.repeat(24)), { why: 'decision_not_of_merchant' }],
  [
    "a merchant's user",
    merchantUserActor('f'.repeat(24), 'e'.repeat(24), 'owner'),
    { why: 'decision_not_of_merchant' },
  ],
  ['the matcher', MATCHER, { message: /Automatic work \(matcher\)/ }],
  ['the unattributed operator in live', UNATTRIBUTED, { why: 'decider_missing' }, live],
]

test('every decision refuses an actor who may not take it, and nothing changes', async () => {
  const subjects = await prepareSubjects()
  // Authenticated before; disabled since.
  await disableOperator(app, operatorActor(ADA), GONE)
  await markRestored(app, RESTORE, app.clock.now())
  const before = await contents()
  for (const [who, actor, refusal, its = app] of REFUSED) {
    for (const [name, decide] of Object.entries(decisionsAbout(its, subjects))) {
      await assert.rejects(decide(actor), refusal, `${name} by ${who}`)
    }
  }
  assert.deepEqual(await contents(), before)
})

test('every decision refuses each role that does not have it, and nothing changes', async () => {
  const decisions = Object.entries(decisionsAbout(app, await prepareSubjects()))
  for (const role of ROLES) await addOperator(app, operatorActor(ADA), `only.${role}`, [role])
  const before = await contents()
  const seen = new Set<string>()
  for (const [name, decide] of decisions) {
    const refusal = (role: string) =>
      decide(operatorActor(`only.${role}`)).then(
        () => assert.fail(`${name} was not refused to the role ${role}`),
        ({ why, said }: Refusal) => why === 'operator_without_right' && said?.facts['action'],
      )
    const action = (await refusal('viewer')) as keyof typeof RIGHTS
    seen.add(action)
    const allowed: readonly string[] = RIGHTS[action]
    for (const role of ROLES.filter((one) => !allowed.includes(one)))
      assert.equal(await refusal(role), action, `${name} by ${role}`)
  }
  assert.deepEqual(await contents(), before)
  // Only about a proposal: see every-kind.
  assert.deepEqual([...seen, 'journal.approve', 'rule.propose'].toSorted(), Object.keys(RIGHTS).toSorted())
})

test('roles are replaced at once, and someone always has the role admin', async () => {
  const { app: fresh, merchant } = await startService()
  const { merchantId } = await merchant()
  await assert.rejects(addOperator(fresh, UNATTRIBUTED, 'ece.er', ['cashier']), {
    said: { why: 'role_needs_holder', facts: { role: 'admin' } },
  })
  await assert.rejects(addOperator(fresh, UNATTRIBUTED, 'ece.er', ['boss']), { why: 'roles_unknown' })
  await addOperator(fresh, UNATTRIBUTED, 'ece.er', DECIDING)
  await assert.rejects(setRoles(fresh, operatorActor('ece.er'), 'ece.er', ['viewer']), {
    said: { why: 'role_needs_holder', facts: { role: 'admin' } },
  })
  await addOperator(fresh, operatorActor('ece.er'), 'can.ay', ['admin', 'auditor'])
  await setRoles(fresh, operatorActor('can.ay'), 'ece.er', ['viewer'])
  await assert.rejects(freezeMerchant(fresh, operatorActor('ece.er'), merchantId, 'suspected fraud'), {
    said: {
      why: 'operator_without_right',
      facts: { name: 'ece.er', action: 'merchant.freeze', needs: RIGHTS['merchant.freeze'] },
    },
  })
  await assert.rejects(disableOperator(fresh, operatorActor('can.ay'), 'can.ay'), {
    said: { why: 'role_needs_holder', facts: { role: 'admin' } },
  })
})

test('the decisions of that test are all that take an Actor', () => {
  assert.deepEqual(takingAnActor().toSorted(), Object.keys(decisionsAbout(app, {} as never)).toSorted())
})

test('a decision waits for the disabling of its operator, and is refused', async () => {
  await addOperator(app, UNATTRIBUTED, 'cem.can', DECIDING)
  const { merchantId } = await service.merchant()
  await client.query('begin')
  await client.query(`update operators set disabled_at = now() where name = 'cem.can'`)
  const decision = freezeMerchant(app, operatorActor('cem.can'), merchantId, 'suspected fraud').catch(
    ({ said }: Refusal) => said,
  )
  await untilOneWaits(app.db)
  await client.query('commit')
  assert.deepEqual(await decision, { why: 'operator_disabled', facts: { name: 'cem.can' } })
  assert.deepEqual(await freezesOf(app.db, merchantId), [])
})

test('the disabling of an operator waits for a decision that is being written', async () => {
  await addOperator(app, UNATTRIBUTED, 'deniz.duman', DECIDING)
  await client.query('begin')
  await client.query(`select 1 from operators where name = 'deniz.duman' for share`)
  const disabling = disableOperator(app, operatorActor(ADA), 'deniz.duman')
  await untilOneWaits(app.db)
  await client.query('commit')
  await disabling
})

test('two people who disable each other: one is disabled, the other is not', async () => {
  const [ece, filiz] = ['ece.er', 'filiz.fer'].map(operatorActor) as [Actor, Actor]
  for (const name of ['ece.er', 'filiz.fer']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const outcomes = await Promise.allSettled([
    disableOperator(app, ece, 'filiz.fer'),
    disableOperator(app, filiz, 'ece.er'),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a merchant resends its own events, and none of another', async () => {
  const other = await service.merchant()
  assert.equal(await resendFailed(app, merchantActor(other.merchantId), other.merchantId, new Date(0)), 0)
  await assert.rejects(resendFailed(app, merchantActor(other.merchantId), shop.merchantId, new Date(0)), {
    code: 'NOT_FOUND',
  })
})

const LACKS_RIGHT = new Set(['decision_not_of_merchant', 'user_without_right'])

test("a merchant's user decides what its role allows, and nothing of another merchant", async () => {
  const own = await service.merchantWithMoney(10_000n)
  const decisions = (merchantId: string) => {
    const all = decisionsAbout(app, { merchantId } as never)
    return (role: string, name: string) =>
      (all[name] ?? assert.fail(name))(merchantUserActor(own.merchantId, 'e'.repeat(24), role)).then(
        () => 'done',
        ({ why }: Refusal) => (why && LACKS_RIGHT.has(why) ? 'refused' : 'done'),
      )
  }
  const take = decisions(own.merchantId)
  const mayTake: Record<string, string[]> = {
    rotateKey: ['owner', 'developer'],
    addEndpoint: ['owner', 'developer'],
    changeNetworks: ['owner', 'developer'],
    makeProposal: ['owner', 'developer'],
    requestSettlement: ['owner', 'finance'],
    resendFailed: ['owner', 'developer', 'support'],
    inviteMerchantUser: ['owner'],
    revokeKey: ['owner', 'developer'],
    setPayoutRules: [],
    setMatching: [],
    freezeMerchant: [],
    registerSettlementAccount: [],
    changeFees: [],
  }
  for (const [name, roles] of Object.entries(mayTake)) {
    const taken = []
    for (const role of MERCHANT_ROLES) if ((await take(role, name)) === 'done') taken.push(role)
    assert.deepEqual(taken, roles, name)
    assert.equal(await decisions(shop.merchantId)('owner', name), 'refused', `${name} of another merchant`)
  }
  const changes = await changesOf(app.db, own.merchantId)
  assert.ok(changes.some(({ changedBy }) => changedBy === `merchant:${own.merchantId}:${'e'.repeat(24)}`))
})

test('live: the first operator is added without a name, and again when no one is left who may decide', async () => {
  const { app: fresh } = await startService({ mode: 'live', publicUrl: 'https://x.example' })
  const [first] = (await listOperators(fresh.db)).map(({ name }) => operatorActor(name)) as [Actor]
  const names = async () =>
    (await listOperators(fresh.db)).filter((one) => one.disabledAt === null).map((one) => one.name)
  await assert.rejects(addOperator(fresh, UNATTRIBUTED, 'bora.boz', ['admin']), { why: 'decider_missing' })
  await addOperator(fresh, first, 'bora.boz', ['admin'])
  await assert.rejects(disableOperator(fresh, UNATTRIBUTED, 'bora.boz'), { why: 'decider_missing' })
  for (const name of await names()) await disableOperator(fresh, operatorActor(name), name)
  assert.deepEqual(await names(), [])
  await assert.rejects(addOperator(fresh, first, 'cem.can', ['admin']), { why: 'operator_disabled' })
  const both = await Promise.allSettled(
    ['cem.can', 'deniz.duman'].map((name) => addOperator(fresh, UNATTRIBUTED, name, ['admin'])),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})
