import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batcher } from './batcher.ts'
import { Refusal } from '../refusal.ts'
import { manualWork, twoTurns } from '../../../../../test/harness/manual-work.ts'

const sqlError = (code: string) => Object.assign(new Error(`sqlstate ${code}`), { code })

test('a Refusal among the outcomes rejects only its own item', async () => {
  const { work, finishWith } = manualWork()
  const one = batcher(work)
  const rest = [1, 2, 3].map((item) => one(item))
  await twoTurns()
  const refusal = new Refusal('INSUFFICIENT_BALANCE', 'no')
  finishWith[0]?.(['1', refusal, '3'])
  const settled = await Promise.allSettled(rest)
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason)),
    ['1', refusal, '3'],
  )
})

for (const code of ['23505', '23514', '22P02', '40001', '40P01', '54000', 'P0001', 'XX000', '25P02']) {
  test(`SQLSTATE ${code}: nothing was written, so each item of the list is tried alone and only the spoiler fails`, async () => {
    const batches: number[][] = []
    const one = batcher(async (items: number[]) => {
      batches.push(items)
      await Promise.resolve()
      if (items.includes(2)) throw sqlError(code)
      return items.map(String)
    })
    const answers = await Promise.allSettled([0, 1, 2, 3].map((item) => one(item)))
    assert.deepEqual(batches, [[0, 1, 2, 3], [0], [1], [2], [3]])
    assert.deepEqual(
      answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value : (answer.reason as { code: string }).code,
      ),
      ['0', '1', code, '3'],
    )
  })
}

test('a deadlock that was made a Refusal: each item is tried alone', async () => {
  const deadlock = new Refusal('SERVICE_UNAVAILABLE', 'in the way', { cause: sqlError('40P01') })
  const one = batcher(async (items: number[]) => {
    await Promise.resolve()
    if (items.length > 1) throw deadlock
    return items.map(String)
  })
  assert.deepEqual(await Promise.all([1, 2].map((item) => one(item))), ['1', '2'])
})

test('who waited too long for a list to leave is refused, with nothing saved', async () => {
  const { batches, work, finish } = manualWork()
  const maxWaitMs = 1000
  let nowMs = 0
  const one = batcher(work, { maxWaitMs, now: () => nowMs })
  const first = one(1)
  await twoTurns()
  const late = one(2)
  nowMs += 1
  const inTime = one(3)
  nowMs += maxWaitMs - 1
  const refused = assert.rejects(late, (error) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'SERVICE_UNAVAILABLE')
    assert.equal(error.retryAfterSeconds, 2)
    assert.match(error.message, /Nothing was saved/)
    return true
  })
  const idle = one.idle()
  finish(0)
  assert.equal(await first, '1')
  await refused
  await twoTurns()
  finish(1)
  assert.equal(await inTime, '3', 'a millisecond younger')
  await idle
  assert.deepEqual(batches, [[1], [3]])
})

for (const [name, error] of [
  ['ECONNRESET', sqlError('ECONNRESET')],
  ['55P03 (lock not available)', sqlError('55P03')],
  ['53100 (disk full)', sqlError('53100')],
  ['57P01 (server is shutting down)', sqlError('57P01')],
  ['08006 (connection failure)', sqlError('08006')],
  ['08007 (transaction resolution unknown)', sqlError('08007')],
  ['a terminated connection without a code', new Error('Connection terminated unexpectedly')],
  ['a Refusal that stands for a lost commit', new Refusal('SERVICE_UNAVAILABLE', 'unknown')],
  ['a bug', new TypeError('x is undefined')],
  ['a code that is a number', Object.assign(new Error('odd'), { code: 23_505 })],
] as const) {
  test(`${name}: perhaps it was written, so nothing is tried again and all of the list hear of it`, async () => {
    let runs = 0
    const one = batcher(async (items: number[]) => {
      runs += 1
      await Promise.resolve()
      if (items.length > 1) throw error
      return items.map(String)
    })
    const answers = await Promise.allSettled([1, 2].map((item) => one(item)))
    assert.equal(runs, 1)
    assert.deepEqual(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason)),
      [error, error],
    )
    assert.equal(await one(9), '9', 'and the next list runs as ever')
  })
}

test('work that throws before its first await is an answer too', async () => {
  const one = batcher((): Promise<string[]> => {
    throw new Error('at once')
  })
  await assert.rejects(one(1), /at once/)
  await assert.rejects(one(2), /at once/)
})
