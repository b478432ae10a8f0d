import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { cancelBatch, findBatch, releaseBatches } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { Crash, crashingWorker } from '../harness/crash.ts'
import { startOrderFiles, waitingPayouts } from '../harness/order-files.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const files = await startOrderFiles(app)
const shop = await service.merchant({ funds: 50_000_000n })
await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
const ada = operatorActor('ada.aksoy')

const fetchIds = () =>
  files.fetch().flatMap((text) => [...text.matchAll(/<EndToEndId>(.*?)</g)].map(([, id]) => String(id)))

/** Returns whether the worker reached the point. */
async function crashAt(point: number, work: (worker: typeof app) => Promise<unknown>): Promise<boolean> {
  const { worker, isDead } = crashingWorker(app, point)
  await work(worker).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error
  })
  return isDead()
}

test('a crash at any point, and the bank fetches at any time: every payment is in the files once', async () => {
  let [point, reached] = [0, true]
  while (reached) {
    const ids = await waitingPayouts(app, shop, 2)
    reached = await crashAt(++point, (worker) => files.send(worker))
    const first = fetchIds()
    await files.send()
    const all = [...first, ...fetchIds()]
    await files.send()
    assert.deepEqual([...all, ...fetchIds()].toSorted(), ids.toSorted(), `point ${point}`)
    assert.equal((await files.newest()).state, 'fetched', `point ${point}`)
  }
  assert.ok(point > 20, `${point} points`)
  assert.deepEqual(await findDrift(app.db), [])
})

for (const fetches of ['never', 'before', 'after'])
  test(`a crash at any point of cancelling, and the bank fetches ${fetches}: every payment is in the files once`, async () => {
    let [point, reached] = [0, true]
    while (reached) {
      const ids = await waitingPayouts(app, shop, 2)
      await files.send()
      const batch = await files.newest()
      const got = fetches === 'before' ? fetchIds() : []
      reached = await crashAt(++point, (worker) =>
        cancelBatch(worker, ada, batch.id, { reason: 'a test', holdMinutes: 0 }).catch((error: { code?: string }) => {
          if (error.code !== 'INVALID_STATE') throw error
        }),
      )
      if (fetches === 'after') got.push(...fetchIds())
      while ((await releaseBatches(app, [files.connection])) > 0);
      const { state } = (await findBatch(app.db, batch.id)) ?? {}
      if (got.length > 0) assert.equal(state, 'fetched', `point ${point}`)
      await files.send()
      assert.deepEqual([...got, ...fetchIds()].toSorted(), ids.toSorted(), `point ${point}`)
      await files.send()
    }
    assert.deepEqual(files.outbox(), [])
    assert.deepEqual(await findDrift(app.db), [])
  })
