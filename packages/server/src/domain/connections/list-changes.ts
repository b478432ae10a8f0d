import type { Queryable } from '../../platform/postgres/db.ts'
import { listAudit } from '../audit/index.ts'

/** Of the history, and of the tests of a day, of which each sends at least one of 100 minor units. */
const MOST = 1000

/** `details` never has a secret. */
type ConnectionChange = { what: string; changedBy: string; details: Record<string, unknown>; changedAt: Date }

/** Every decision about the connection, oldest first. */
export async function changesOfConnection(db: Queryable, name: string): Promise<ConnectionChange[]> {
  const entries = await listAudit(db, { subject: `connection:${name}` }, MOST)
  return entries.toReversed().map(({ action, actor, after, reason, at }) => {
    const details = { ...(after as object), ...(reason !== null && { reason }) }
    return { what: action, changedBy: actor, details, changedAt: new Date(at) }
  })
}

/** Minor units that tests of the connection have sent since then. The caller has locked it. */
export async function testedSince(db: Queryable, name: string, since: Date): Promise<bigint> {
  const tests = await listAudit(db, { subject: `connection:${name}`, action: 'connection.test', since }, MOST)
  return tests.reduce((sum, { after }) => sum + BigInt((after as { amount: string }).amount), 0n)
}
