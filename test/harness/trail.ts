import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import type { Withdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

type Step = { sequence: number; from: string; to: string }
type Event = { sequence: number; type: string }

export async function mustFind({ db }: Pick<App, 'db'>, id: string): Promise<Withdrawal> {
  const found = await findWithdrawalById(db, id)
  assert.ok(found, `there is no withdrawal ${id}`)
  return found
}

/** Checks that history and events of a withdrawal have no gaps and end at its current state. Returns the events. */
export async function trailOf({ db }: Pick<App, 'db'>, id: string): Promise<string[]> {
  const [found, history, events] = await Promise.all([
    mustFind({ db }, id),
    db.query<Step>(sql`
      select sequence, from_status as "from", to_status as "to" from withdrawal_history
      where withdrawal_id = ${id} order by sequence`),
    db.query<Event>(sql`select sequence, type from events where transaction_id = ${id} order by sequence`),
  ])
  const numbers = Array.from({ length: found.sequence }, (_, index) => index + 1)
  assert.deepEqual(
    history.map(({ sequence }) => sequence),
    numbers,
  )
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    numbers,
  )
  let status = 'pending'
  for (const [index, { from, to }] of history.entries()) {
    assert.equal(from, status)
    const expectedTypes = from === to ? ['withdrawal.returned', 'withdrawal.updated'] : [`withdrawal.${to}`]
    assert.ok(expectedTypes.includes(events[index]?.type ?? ''), `${from} → ${to} has the event ${events[index]?.type}`)
    status = to
  }
  assert.equal(status, found.status)
  return events.map(({ type }) => type.replace('withdrawal.', ''))
}
