import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import type { Withdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { client } from './client.ts'
import { eventProblem, keepsContract } from './contract.ts'
import { accepted } from './envelope.ts'

type Step = { sequence: number; from: string; to: string }
type Event = { sequence: number; type: string; body: string }

export async function mustFind({ db }: Pick<App, 'db'>, id: string): Promise<Withdrawal> {
  const found = await findWithdrawalById(db, id)
  assert.ok(found, `there is no withdrawal ${id}`)
  return found
}

/** Checks history and events of a withdrawal. Returns the event types so far, without their noun. */
export async function checkHistory({ db }: Pick<App, 'db'>, id: string): Promise<string[]> {
  const { status, sequence } = await mustFind({ db }, id)
  const { types } = await readHistory({ db }, id, { type: 'withdrawal', status, sequence })
  return types
}

/** Also checks that the newest event equals what GET shows, of a deposit or a withdrawal. */
export async function checkEvents(
  { db }: Pick<App, 'db'>,
  { get }: Pick<ReturnType<typeof client>, 'get'>,
  id: string,
): Promise<string[]> {
  const { checkoutUrl: _, ...shown } = accepted(await get(`/v1/transactions/${id}`), 200)
  const { types, events } = await readHistory({ db }, id, shown)
  for (const { body } of events) keepsContract(eventProblem(body))
  const newest = events.at(-1)
  if (newest) assert.deepEqual(JSON.parse(newest.body).data, shown)
  else assert.equal(shown.updatedAt, shown.createdAt)
  return types
}

/** Both are numbered without gaps; each step starts where the one before ended, has its event, and the last has the current status. */
async function readHistory(
  { db }: Pick<App, 'db'>,
  id: string,
  now: { type: string; status: string; sequence: number },
): Promise<{ types: string[]; events: Event[] }> {
  const [steps, events] = await Promise.all([
    db.query<Step>(sql`
      select sequence, from_status as "from", to_status as "to" from status_history where transaction_id = ${id}
      order by sequence`),
    db.query<Event>(sql`select sequence, type, body from events where transaction_id = ${id} order by sequence`),
  ])
  const numbers = Array.from({ length: now.sequence }, (_, index) => index + 1)
  assert.deepEqual(
    [steps, events].map((rows) => rows.map(({ sequence }) => sequence)),
    [numbers, numbers],
  )
  let status = 'pending'
  for (const [index, { from, to }] of steps.entries()) {
    assert.equal(from, status)
    const expected = (from === to ? ['returned', 'updated'] : [to]).map((name) => `${now.type}.${name}`)
    assert.ok(expected.includes(events[index]?.type ?? ''), `${from} → ${to} has the event ${events[index]?.type}`)
    status = to
  }
  assert.equal(status, now.status)
  return { types: events.map(({ type }) => type.slice(type.indexOf('.') + 1)), events }
}
