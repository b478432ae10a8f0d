import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { openLog } from '../log.ts'
import { poll } from './poller.ts'

const log = openLog('silent')
const turn = () => new Promise(setImmediate)
const HOUR = 3_600_000

/** Work that is completed by the test, with mocked pauses between runs. */
function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const runs: PromiseWithResolvers<number>[] = []
  const poller = poll(
    { log },
    {
      name: 'test',
      everyMs: HOUR,
      work: () => {
        const run = Promise.withResolvers<number>()
        runs.push(run)
        return run.promise
      },
    },
  )
  async function finish(did: number) {
    runs.at(-1)?.resolve(did)
    await turn()
  }
  async function pass(ms: number) {
    t.mock.timers.tick(ms)
    await turn()
  }
  return { poller, runs, finish, pass }
}

test('it runs at once, goes on while there is something to do, then pauses', async (t) => {
  const { poller, runs, finish, pass } = start(t)
  assert.equal(runs.length, 1)
  await finish(500)
  assert.equal(runs.length, 2)
  await finish(0)
  await pass(HOUR - 1)
  assert.equal(runs.length, 2)
  await pass(1)
  assert.equal(runs.length, 3)
  await finish(0)
  await poller.stop()
})

test('the pause starts when the run ends: runs never overlap', async (t) => {
  const { poller, runs, finish, pass } = start(t)
  await pass(10 * HOUR)
  assert.equal(runs.length, 1)
  await finish(0)
  await pass(HOUR)
  assert.equal(runs.length, 2)
  await finish(0)
  await poller.stop()
})

test('after a run that failed the pause may be longer, and after the next success it is as before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let runs = 0
  const work = async () => {
    if (++runs === 1) throw new Error('gone')
    return 0
  }
  const poller = poll({ log }, { name: 'test', everyMs: HOUR, afterFailureMs: 3 * HOUR, work })
  await turn()
  t.mock.timers.tick(3 * HOUR - 1)
  await turn()
  assert.equal(runs, 1)
  t.mock.timers.tick(1)
  await turn()
  assert.equal(runs, 2)
  t.mock.timers.tick(HOUR)
  await turn()
  assert.equal(runs, 3)
  await poller.stop()
})

test('a run that fails is logged, and the next one comes at its turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: unknown[] = []
  let runs = 0
  const heard = { ...log, error: (...line: unknown[]) => void lines.push(line) }
  const poller = poll(
    { log: heard },
    {
      name: 'test',
      everyMs: HOUR,
      work: async () => {
        runs += 1
        throw new Error('gone')
      },
    },
  )
  await turn()
  t.mock.timers.tick(HOUR)
  await turn()
  assert.equal(runs, 2)
  assert.equal(lines.length, 2)
  assert.match(JSON.stringify(lines[0]), /"worker":"test"/)
  await poller.stop()
})

test('a poke during the pause runs at once, and the pause begins anew', async (t) => {
  const { poller, runs, finish, pass } = start(t)
  await finish(0)
  await pass(HOUR / 2)
  poller.poke()
  assert.equal(runs.length, 2)
  await finish(0)
  await pass(HOUR / 2)
  assert.equal(runs.length, 2, 'the turn that the poke replaced does not come as well')
  await pass(HOUR / 2)
  assert.equal(runs.length, 3)
  await finish(0)
  await poller.stop()
})

test('a poke during a run is not lost: what it tells of may have come after the run had looked', async (t) => {
  const { poller, runs, finish } = start(t)
  poller.poke()
  poller.poke()
  assert.equal(runs.length, 1)
  await finish(0)
  const after = runs.length
  await finish(0)
  const later = runs.length
  await poller.stop()
  assert.equal(after, 2, 'one more run follows at once')
  assert.equal(later, 2, 'and only one')
})

test('stop waits for the run in progress, and nothing runs afterwards', async (t) => {
  const { poller, runs, finish, pass } = start(t)
  let stopped = false
  const stop = poller.stop().then(() => (stopped = true))
  await turn()
  assert.equal(stopped, false)
  await finish(500)
  await stop
  poller.poke()
  await pass(10 * HOUR)
  assert.equal(runs.length, 1)
})

test('stop during the pause ends it', async (t) => {
  const { poller, runs, finish, pass } = start(t)
  await finish(0)
  await poller.stop()
  await pass(10 * HOUR)
  assert.equal(runs.length, 1)
})

test('success is reported after every run that does not fail, also while there is more to do', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let successes = 0
  const outcomes = [() => Promise.resolve(1), () => Promise.resolve(0), () => Promise.reject(new Error('no'))]
  const work = () => (outcomes.shift() ?? (() => Promise.resolve(0)))()
  const poller = poll({ log }, { name: 'test', everyMs: HOUR, work, onSuccess: () => void successes++ })
  await turn()
  assert.equal(successes, 2)
  t.mock.timers.tick(HOUR)
  await turn()
  assert.equal(successes, 2)
  await poller.stop()
})
