import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { createWithdrawals, findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import type { Child } from '../harness/child-process.ts'
import { until } from '../harness/until.ts'
import { startWorker, working } from './workers.ts'
import { seededRandom } from './random.ts'
import type { Evidence, PaidOut } from './evidence.ts'
import { prepareOrders } from './orders.ts'
import { resultTable } from './report.ts'
import type { Progress } from './fault-run.ts'
import { runChaos } from './fault-run.ts'
import { aWorld } from './a-world.ts'
import { isClean, judge } from './verdict.ts'
import { openWorld } from './world.ts'

/** Ended with the file, even stopped ones, whatever became of the test. */
function aWorker(env: Record<string, string>): Child {
  const child = startWorker(env)
  after(async () => {
    child.process.kill('SIGKILL')
    await child.exited
  })
  return child
}

test('killed workers, a faulty bank and a jumping clock: every payout ends, none is paid twice', async (t) => {
  const plan = { payouts: 200, faultRate: 0.3, workers: 2, seed: 7, batches: 6, withinMs: Infinity }
  // Only what never ends is ended, by the limit of every test: then this says where it stood.
  let last: Progress | undefined
  t.signal.addEventListener('abort', () => process.stderr.write(`${JSON.stringify(last)}\n`))
  const result = await runChaos(await aWorld(openWorld), { ...plan, roundMs: [300, 900] }, (now) => (last = now))
  assert.ok(isClean(result.findings), resultTable(result, 0))
  assert.ok(result.workers.kills >= 4, `${result.workers.kills} kills`)
  assert.equal(result.workers.deaths, 0)
  assert.ok((result.states['failed'] ?? 0) > 0 && (result.states['returned'] ?? 0) > 0, resultTable(result, 0))
})

/** The bank has it and answers late; the bank does not have it, so that the second worker sends it once more. */
for (const kind of ['slow', 'timeout_before']) {
  test(`a worker that is stopped (SIGSTOP) past its lease cannot pay twice: ${kind}`, async () => {
    const world = await aWorld(openWorld)
    const { app, call } = world
    const { requests } = await prepareOrders(world, seededRandom(8), 1)
    const [withdrawal] = notRefused(await createWithdrawals(app, requests))
    const id = withdrawal?.id ?? ''
    await call('PUT', 'faults', { kinds: [kind], delayMs: 3000 })
    const env = { ...world.workerEnv, VEZNE_LOG: 'warn' }
    const first = aWorker(env)
    await working(first)
    const faults = () => call<{ counts: Record<string, number> }>('GET', 'faults')
    await until(faults, ({ counts }) => counts[kind] === 1)
    first.process.kill('SIGSTOP')
    await call('DELETE', 'faults')
    await world.travel(60)
    const second = aWorker(env)
    const status = async () => (await findWithdrawalById(app.db, id))?.status
    await until(status, (now) => now === 'completed')
    first.process.kill('SIGCONT')
    // It has its answer now, and may not record it.
    await until(faults, () => first.errors().includes('an answer came late'))
    for (const { process } of [first, second]) process.kill('SIGTERM')
    await Promise.all([first.exited, second.exited])
    const paid = (await world.witness()).map(({ reference, reversed }) => [reference, reversed])
    assert.deepEqual(paid, [[id, false]])
    assert.equal(await status(), 'completed')
    assert.deepEqual(await findDrift(app.db), [])
  })
}

test('the verdict sees what it is for', () => {
  const one: PaidOut = {
    ...{ id: 'a', merchantId: 'm', status: 'completed', state: 'sent', amount: 5n, fee: 1n, iban: 'TR1' },
    ...{ sequence: 2, history: [1, 2], events: [1, 2] },
  }
  const move = { reference: 'a', amount: 5, currency: 'TRY', toIban: 'TR1', reversed: false }
  const good: Evidence = {
    ...{ withdrawals: [one], witness: [move], lines: [], drift: [], cash: [], pendingHolds: [] },
    balances: [{ account: 'x', kind: 'merchant_available', merchantId: 'm', balance: 94n }],
    funded: new Map([['m', 100n]]),
  }
  const broken = (changes: Partial<Evidence>) => {
    return judge({ ...good, ...changes }).flatMap(({ rule, offenders }) => (offenders.length > 0 ? [rule] : []))
  }
  const has = (changes: Partial<Evidence>, words: RegExp) => assert.match(broken(changes).join('\n'), words)
  assert.deepEqual(broken({}), [])
  has({ witness: [move, move] }, /at most once/)
  has({ witness: [] }, /settled payout left/)
  has({ witness: [{ ...move, reversed: true }] }, /settled payout left/)
  has({ withdrawals: [{ ...one, state: 'returned' }] }, /came back/)
  has({ withdrawals: [{ ...one, status: 'failed', state: 'failed' }] }, /failed payout never left/)
  has({ withdrawals: [{ ...one, status: 'processing', state: 'unknown' }] }, /left open/)
  has({ witness: [{ ...move, amount: 6 }] }, /what was asked for/)
  has({ witness: [move, { ...move, reference: 'b' }] }, /nothing else/)
  has({ withdrawals: [{ ...one, events: [2] }] }, /no gap/)
  has({ pendingHolds: ['a'] }, /no hold/)
  has({ funded: new Map([['m', 101n]]) }, /should have/)
  has({ cash: [{ iban: 'TR2', books: 1n, bank: 2n }] }, /books say/)
  has({ lines: [{ id: 'l', state: 'new', narrative: 'REF:a' }] }, /explained/)
})
