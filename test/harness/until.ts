import assert from 'node:assert/strict'
import type { App } from '../../src/compose.ts'
import { moveClock } from '../../src/platform/business-clock.ts'
import { sql } from '../../src/platform/sql.ts'

/** Asks again and again until the answer holds, and lets everything else that is ready go first: an answer may come out of memory. */
export async function until<Value>(
  ask: () => Promise<Value>,
  holds: (value: Value) => boolean,
  withinMs = 4000,
): Promise<Value> {
  const deadline = performance.now() + withinMs
  let value = await ask()
  while (!holds(value)) {
    assert.ok(performance.now() < deadline, `Not within ${withinMs} ms; the last answer: ${JSON.stringify(value)}`)
    await new Promise((resolve) => void setImmediate(resolve))
    value = await ask()
  }
  return value
}

/** Business time becomes real time plus so many seconds; returns when the service has noticed. */
export async function travelTo({ db, clock }: Pick<App, 'db' | 'clock'>, offsetSeconds: number): Promise<void> {
  await db.transaction((tx) => moveClock(tx, offsetSeconds))
  const off = () => clock.now().getTime() - Date.now() - offsetSeconds * 1000
  await until(
    () => db.query(sql`select 1`),
    () => Math.abs(off()) < 500,
  )
}
