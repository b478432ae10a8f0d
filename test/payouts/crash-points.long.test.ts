import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../packages/server/src/compose.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { matchPayoutLines } from '../../packages/server/src/domain/matching/index.ts'
import {
  queryPayoutStatus,
  dispatchWithdrawals,
  submitPayouts,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { Crash, endLeases, laterBy, crashingWorker } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { matchAll } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(10_000_000n, { withdrawFee: { bps: 100 } })

/** What reached the bank, by reference. It carries out a reference once, so it alone would not show a second sending. */
const heard = new Map<string, string[]>()
function hear<Answer extends { outcome: string }>(reference: string, kind: string, answer: Answer): Answer {
  heard.set(reference, [...(heard.get(reference) ?? []), `${kind} ${answer.outcome}`])
  return answer
}
const { connection } = service
app.connections.splice(0, 1, {
  ...connection,
  submit: async (order) => hear(order.reference, 'submit', await connection.submit(order)),
  find: async (asked) => hear(asked.reference, 'find', await connection.find(asked)),
})

const AMOUNT = 1000
const FEE = 10
const ASK_DUE = 90

type Worker = (app: App, id: string) => Promise<void>
type End = 'sent' | 'failed' | 'returned'

async function send(worker: App): Promise<void> {
  await dispatchWithdrawals(worker)
  await submitPayouts(worker)
}

async function ask(worker: App): Promise<void> {
  const later = laterBy(worker, ASK_DUE)
  await queryPayoutStatus(later)
  await submitPayouts(later)
}

async function read(worker: App): Promise<void> {
  for (const connection of worker.connections) while ((await fetchLines(worker, connection)) > 0);
  await matchAll(worker)
  while ((await matchPayoutLines(worker)) > 0);
}

const scenarios: { name: string; ending: string; end: End; run: Worker }[] = [
  {
    name: 'sent and accepted, then seen on the statement',
    ending: '1234',
    end: 'sent',
    run: async (worker) => {
      await send(worker)
      await read(worker)
    },
  },
  {
    name: 'sent without an answer, found by asking',
    ending: '0006',
    end: 'sent',
    run: async (worker) => {
      await send(worker)
      await ask(worker)
      await read(worker)
    },
  },
  {
    name: 'never arrived, asked, sent again',
    ending: '0005',
    end: 'sent',
    run: async (worker) => {
      await send(worker)
      await ask(worker)
      await read(worker)
    },
  },
  {
    name: 'sent without an answer, settled by its line',
    ending: '0009',
    end: 'sent',
    run: async (worker) => {
      await send(worker)
      await read(worker)
    },
  },
  { name: 'refused by the bank', ending: '0001', end: 'failed', run: send },
  {
    name: 'completed, and sent back by the receiver',
    ending: '0008',
    end: 'returned',
    run: async (worker, id) => {
      await send(worker)
      await service.call('POST', `transfers/${id}/return`)
      await read(worker)
    },
  },
]

/** Healthy workers, after the dead one's lease: first by asking alone, then with the statement. */
async function goOn(id: string, end: End): Promise<void> {
  await endLeases(app)
  for (const seconds of [0, 10 * 60, 30 * 60, 2 * 3600, 4 * 3600]) {
    const later = laterBy(app, seconds)
    while ((await dispatchWithdrawals(later)) + (await submitPayouts(later)) + (await queryPayoutStatus(later)) > 0);
    if (['completed', 'failed'].includes((await mustFind(app, id)).status)) break
  }
  if (end === 'returned') await service.call('POST', `transfers/${id}/return`)
  await read(app)
}

/** How many transfers left the bank for those that were checked already. */
let seen = 0

async function check(id: string, end: End, available: bigint): Promise<void> {
  const found = await mustFind(app, id)
  assert.equal(found.state, end)
  const trail = { sent: ['completed'], failed: ['failed'], returned: ['completed', 'returned'] }[end]
  assert.deepEqual(await checkHistory(app, id), ['processing', ...trail])
  const left = await service.witness(seen)
  assert.deepEqual(
    left.map(({ reference }) => reference),
    end === 'failed' ? [] : [id],
  )
  seen += left.length
  const calls = heard.get(id) ?? []
  for (const [index, call] of calls.entries()) {
    const again = index > 0 && call.startsWith('submit')
    if (again) assert.equal(calls[index - 1], 'find never_seen', `sent again without asking: ${calls.join(', ')}`)
  }
  const cost = { sent: AMOUNT + FEE, failed: 0, returned: FEE }[end]
  assert.deepEqual(await balanceOf(app.db, shop.merchantId, 'TRY'), { available: available - BigInt(cost), held: 0n })
  const lines = await app.db.query<{ state: string; matched: string | null }>(sql`
    select l.state, p.subject as matched from bank_lines l left join line_parts p on p.line_id = l.id where l.narrative like ${`%${id}%`}`)
  const expected = { sent: 1, failed: 0, returned: 2 }[end]
  assert.deepEqual(
    lines,
    Array.from({ length: expected }, () => ({ state: 'matched', matched: id })),
  )
  assert.deepEqual(await findDrift(app.db), [])
}

/** A fresh withdrawal, a worker that dies at this point, healthy ones after it; answers how many points there were. */
async function live({ ending, end, run }: (typeof scenarios)[number], dieAt: number): Promise<number> {
  const { available } = await balanceOf(app.db, shop.merchantId, 'TRY')
  const iban = makeIban('0062', `9000${ending}`)
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT, iban }))).body.data
  const { worker, points, isDead } = crashingWorker(app, dieAt)
  const died = await run(worker, id).then(
    () => false,
    (error: unknown) => error instanceof Crash || Promise.reject(error as Error),
  )
  assert.equal(died, dieAt !== Infinity)
  assert.equal(isDead(), died)
  if (died) await goOn(id, end)
  await check(id, end, available)
  return points()
}

await service.call('PUT', 'faults', { delayMs: 5 })

// All undisturbed runs before the first test: a test starts as soon as it is named.
const counted: { scenario: (typeof scenarios)[number]; points: number }[] = []
for (const scenario of scenarios) counted.push({ scenario, points: await live(scenario, Infinity) })

for (const { scenario, points } of counted) {
  test(`killed at each of ${points} points: ${scenario.name}`, async () => {
    assert.ok(points > 25)
    for (let dieAt = 1; dieAt <= points; dieAt++) {
      await live(scenario, dieAt).catch((error: Error) => {
        error.message = `point ${dieAt}: ${error.message}`
        throw error
      })
    }
  })
}
