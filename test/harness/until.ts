import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { App } from '../../packages/server/src/compose.ts'
import { moveClock } from '../../packages/server/src/platform/time/business-clock.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

/** Polling without a pause would take CPU from the processes that are polled. */
const POLL_PAUSE_MS = 5

/** Far longer than anything takes on a busy machine: what never holds fails with its last value before its test is ended. */
const PATIENCE_MS = 600_000

/** Polls until the value holds: returns as soon as it does. How long that takes is no test's business. */
export async function until<Value>(
  poll: () => Promise<Value>,
  holds: (value: Value) => boolean,
  withinMs = PATIENCE_MS,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  let value = await poll()
  while (!holds(value)) {
    if (performance.now() > deadline) assert.fail(`Not within ${withinMs} ms; the last value: ${inspect(value)}`)
    await pause()
    value = await poll()
  }
  return value
}

/** Pause between two polls; not for anything else. */
export function pause(ms = POLL_PAUSE_MS): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

/** Sets business time to real time plus this offset; resolves when the service has noticed. */
export async function travelTo({ db, clock }: Pick<App, 'db' | 'clock'>, offsetSeconds: number): Promise<void> {
  await db.transaction((tx) => moveClock(tx, offsetSeconds))
  const off = () => clock.now().getTime() - Date.now() - offsetSeconds * 1000
  await until(
    () => db.query(sql`select 1`),
    () => Math.abs(off()) < 500,
  )
}
