import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { listAudit, verifyChain } from '../../packages/server/src/domain/audit/index.ts'
import { listAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, authorized, DECIDING, RIGHTS } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { checkingOnly, notAudited } from '../harness/decisions.ts'
import { accepted } from '../harness/envelope.ts'
import { decisionsAbout } from '../harness/every-decision.ts'
import { withdrawBody } from '../harness/examples.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const ROOT = {
  ...operatorActor('root.first'),
  origin: { edge: 'console' as const, address: '192.0.2.7', session: 's-1' },
}

test('every decision that takes effect leaves one audit entry with its action and its author', async () => {
  await addOperator(app, UNATTRIBUTED, 'root.first', DECIDING)
  await addOperator(app, ROOT, 'ada.aksoy', DECIDING)
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const ask = async () => accepted(await shop.post('/v1/withdraw', withdrawBody()), 201).transactionId as string
  const paid = await ask()
  await dispatchWithdrawals(app)
  const line = await lineFor(app, deposit ?? assert.fail(), { narrative: 'kira' })
  await ingest(app, [line, { ...line, bankReference: 'other-1', direction: 'debit' }])
  await matchAll(app)
  const held = (await listLines(app.db, 'suspense', 1))[0]?.id ?? assert.fail('no line in suspense')
  const debit = (await listLines(app.db, 'needs_review', 1))[0]?.id ?? assert.fail('no line in the queue')
  const [account] = await listAccounts(app.db)
  const subjects = {
    merchantId: shop.merchantId,
    depositId: deposit?.id ?? '',
    waiting: await ask(),
    paid,
    held,
    debit,
    account,
  }
  const newest = async () => (await listAudit(app.db, {}, 1000)).toSorted((a, b) => a.number - b.number)
  const done: string[] = []
  for (const [name, decide] of Object.entries(decisionsAbout(app, subjects))) {
    const before = await newest()
    const isDone = await decide(ROOT).then(
      // What is refused to erase is an outcome.
      (result) => (result as { outcome?: string } | undefined)?.outcome !== 'refused',
      () => false,
    )
    const made = (await newest()).slice(before.length)
    if (isDone && !MANY.has(name)) {
      done.push(name)
      assert.equal(made.length, 1, name)
    }
    if (!isDone) assert.deepEqual(made, [], `${name} was refused`)
    for (const entry of made) {
      assert.equal(entry.actor, 'root.first', name)
      assert.ok(entry.action in RIGHTS, name)
      assert.deepEqual(entry.origin, ROOT.origin, name)
      assert.match(entry.subject, /^[a-z]+:\S+$/, name)
    }
  }
  assert.ok(done.length >= 40, done.join(', '))
  assert.equal((await verifyChain(app)).problem, null)
})

/** An entry for each line, and none without lines. */
const MANY = new Set(['retryAll', 'reimportUnread'])

test('a decision that records nothing, or twice, is not saved', async () => {
  const before = (await listAudit(app.db, {}, 1000)).length
  const twice = authorized(app, ROOT, 'merchant.freeze', async (_, audit) => {
    await audit('merchant:1')
    await audit('merchant:1')
  })
  await assert.rejects(twice, /made 2 audit entries/)
  await assert.rejects(
    authorized(app, ROOT, 'merchant.freeze', async () => {}),
    /made 0 audit entries/,
  )
  assert.equal((await listAudit(app.db, {}, 1000)).length, before)
})

test('every function that takes an Actor records its decision', () => {
  assert.deepEqual(notAudited(), [])
  // They check the actor before or between transactions; another one of the same decision records it.
  const checks = [
    'approveOpen',
    'beginImport',
    'enableEndpoint',
    'proposeImport',
    'reimportUnread',
    'rejectProposal',
    'resendFailed',
    'retryAll',
  ]
  assert.deepEqual(checkingOnly().toSorted(), checks)
})
