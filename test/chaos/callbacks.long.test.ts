import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from './callbacks/evidence.ts'
import type { Note } from './callbacks/note.ts'
import { resultTable } from './callbacks/report.ts'
import type { Progress } from './callbacks/fault-run.ts'
import { runChaos } from './callbacks/fault-run.ts'
import { judge, lateRepeats } from './callbacks/verdict.ts'
import { openWorld } from './callbacks/world.ts'
import { aWorld } from './a-world.ts'
import { isClean } from './verdict.ts'

/** How fast they are is judged by `npm run chaos`, which has the machine to itself. Here it is printed. */
const UNHURRIED = { p99Ms: Infinity, stalledMs: Infinity, peakMb: 400 }
const LIMITS = { ...UNHURRIED, p99Ms: 15_000, stalledMs: 20_000 }

test('killed workers, hostile receivers and a jumping clock: every event arrives, in order, and nothing else does', async (t) => {
  const plan = { callbacks: 300, perSecond: 75, workers: 2, seed: 3, longStopMs: 0, leastKills: 2, withinMs: Infinity }
  // Only what never ends is ended, by the limit of every test: then this says where it stood.
  let last: Progress | undefined
  t.signal.addEventListener('abort', () => process.stderr.write(`${JSON.stringify(last)}\n`))
  const result = await runChaos(await aWorld(openWorld), { ...plan, roundMs: [400, 1000] }, (now) => (last = now))
  const findings = judge(result.evidence, UNHURRIED)
  t.diagnostic(resultTable(result, findings))
  assert.ok(isClean(findings), resultTable(result, findings))
  const { workers, notes } = result.evidence
  assert.ok(workers.kills >= plan.leastKills, `${workers.kills} kills`)
  const handlings = new Set(notes.map(({ did }) => did))
  for (const did of [200, 204, 429, 500, 502, 'hung', 'reset', 'flooded'] as const)
    assert.ok(handlings.has(did), String(did))
  assert.ok([301, 302, 303, 307, 308].some((status) => handlings.has(status)))
})

test('the verdict sees what it is for', () => {
  const one: Note = {
    ...{ receiver: 0, number: 1, id: 'e1', transactionId: 't', sequence: 1, digest: 'd1', did: 200 },
    ...{ arrivedAt: 10, acceptedAt: 11, arrival: 1, acceptance: 2, verifiedBy: [0], mustVerifyBy: 0 },
  }
  const two: Note = { ...one, number: 2, id: 'e2', sequence: 2, digest: 'd2', arrival: 3, acceptance: 4 }
  const event = { merchantId: 'm', transactionId: 't', type: 'deposit.completed', committedAt: 5 }
  const delivery = { endpointId: 'p', state: 'delivered' }
  const attempt = { endpointId: 'p', number: 1, outcome: 'accepted', status: 200 }
  const good: Evidence = {
    addresses: [{ merchantId: 'm', endpointId: 'p', receiver: 0, kind: 'healthy', eventTypes: [] }],
    recorded: [
      { ...event, id: 'e1', sequence: 1 },
      { ...event, id: 'e2', sequence: 2 },
    ],
    rolledBack: ['e3'],
    notes: [one, two],
    events: [
      { id: 'e1', transactionId: 't', sequence: 1, position: 1, digest: 'd1' },
      { id: 'e2', transactionId: 't', sequence: 2, position: 2, digest: 'd2' },
    ],
    deliveries: ['e1', 'e2'].map((eventId) => ({ ...delivery, eventId })),
    attempts: ['e1', 'e2'].map((eventId, index) => ({ ...attempt, eventId, answer: `note ${index + 1}\n` })),
    ...{
      canary: 0,
      mostAtOnce: new Map(),
      lateMs: 0,
      switchedOffAsGone: 0,
      complaints: new Map(),
      peakMb: 100,
      stoppedAt: [],
    },
    workers: { kills: 1, pauses: 0, deaths: 0 },
  }
  const broken = (changes: Partial<Evidence>) => {
    return judge({ ...good, ...changes }, LIMITS).flatMap(({ rule, offenders }) => (offenders.length > 0 ? [rule] : []))
  }
  const has = (changes: Partial<Evidence>, words: RegExp) => assert.match(broken(changes).join('\n'), words)
  const [first, second] = [good.attempts[0] ?? assert.fail(), good.attempts[1] ?? assert.fail()]
  const [row] = good.deliveries
  assert.deepEqual(broken({}), [])
  has({ notes: [one] }, /accepted by every endpoint/)
  has({ notes: [one, { ...two, did: 500, acceptedAt: null, acceptance: null }] }, /accepted by every endpoint/)
  has({ deliveries: [{ ...(row ?? assert.fail()), state: 'given_up' }] }, /given up/)
  has({ deliveries: good.deliveries.slice(1) }, /those that should be/)
  has({ notes: [{ ...one, arrival: 5, acceptance: 6 }, two] }, /the one before it was accepted/)
  has({ notes: [one, { ...two, digest: 'd3' }] }, /same bytes/)
  has({ notes: [one, { ...two, verifiedBy: [] }] }, /signature/)
  has({ notes: [one, { ...two, mustVerifyBy: 1 }] }, /signature/)
  has({ canary: 1 }, /redirect/)
  has({ notes: [one, two, { ...one, id: 'e3', transactionId: 'u' }] }, /rolled back/)
  has({ events: good.events.map((each) => ({ ...each, position: 3 - each.sequence })) }, /positions/)
  has({ attempts: [first, { ...second, answer: 'note 1\n' }] }, /as the receiver saw it/)
  has({ attempts: [first, { ...second, outcome: '5xx', status: 500 }] }, /as the receiver saw it/)
  has({ attempts: [first, second, { ...second, number: 2 }] }, /as the receiver saw it/)
  has({ attempts: [first] }, /as the receiver saw it/)
  has({ attempts: [first, second, { ...second, status: 410 }] }, /410/)
  has({ notes: [{ ...one, acceptedAt: 20_000 }, two] }, /within/)
  assert.deepEqual(broken({ notes: [{ ...one, acceptedAt: 20_000 }, two], stoppedAt: [4] }), [])
  has({ notes: [{ ...one, acceptedAt: 21_000 }, two], stoppedAt: [4] }, /stopped with its locks/)
  has({ peakMb: 500 }, /MB/)
  has({ workers: { ...good.workers, deaths: 1 } }, /died/)
  assert.deepEqual(
    lateRepeats([one, two, { ...one, number: 3, arrival: 5 }]).map(({ number }) => number),
    [3],
  )
})
