import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { client } from './client.ts'
import { eventProblem, keepsContract } from './contract.ts'
import { accepted } from './envelope.ts'

type EventRow = { sequence: number; type: string; body: string }

/** The invariant: the newest event equals what GET shows. Returns the event types so far, without their noun. */
export async function checkEvents(
  { db }: Pick<App, 'db'>,
  { get }: Pick<ReturnType<typeof client>, 'get'>,
  id: string,
): Promise<string[]> {
  const { checkoutUrl: _, ...shown } = accepted(await get(`/v1/transactions/${id}`), 200)
  const events = await db.query<EventRow>(sql`
    select sequence, type, body from events where transaction_id = ${id} order by sequence`)
  const history = await db.query<{ sequence: number; same: boolean }>(sql`
    select sequence, from_status = to_status as same from deposit_history where deposit_id = ${id}
    union all select sequence, from_status = to_status from withdrawal_history where withdrawal_id = ${id}
    order by sequence`)
  const numbers = Array.from({ length: shown.sequence }, (_, index) => index + 1)
  assert.deepEqual(
    [events, history].map((rows) => rows.map(({ sequence }) => sequence)),
    [numbers, numbers],
  )
  const types = events.map(({ type }) => type.slice(type.indexOf('.') + 1))
  assert.deepEqual(
    history.map(({ same }) => same),
    types.map((type) => type === 'updated' || type === 'returned'),
  )
  for (const { body } of events) keepsContract(eventProblem(body))
  const newest = events.at(-1)
  if (newest) assert.deepEqual(JSON.parse(newest.body).data, shown)
  else assert.equal(shown.updatedAt, shown.createdAt)
  return types
}
