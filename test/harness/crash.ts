import type { App } from '../../packages/server/src/compose.ts'
import type { Rail } from '../../packages/server/src/domain/connections/index.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

/** The process is gone: whoever sees this may do nothing more. */
export class Crash extends Error {}

/**
 * A worker that dies at its k-th point. A transaction, a lone read and a call to a bank or a merchant have two each: before it
 * starts, and after it has happened but before anybody has heard of it; a statement inside a transaction has the second.
 * A dead worker starts nothing more; what it had open is rolled back, as PostgreSQL does for a lost connection.
 */
export function mortalWorker(app: App, dieAt: number) {
  let points = 0
  let dead = false
  const point = () => {
    if (!dead && ++points !== dieAt) return
    dead = true
    throw new Crash(`died at point ${dieAt}`)
  }
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    point()
    const result = await work()
    point()
    return result
  }
  const mortalTx = (tx: Tx): Tx => ({
    ...tx,
    async query<Row>(statement: Sql) {
      if (dead) throw new Crash('dead before')
      const rows = await tx.query<Row>(statement)
      point()
      return rows
    },
  })
  const { db } = app
  const worker: App = {
    ...app,
    db: {
      ...db,
      query: <Row>(statement: Sql) => step(() => db.query<Row>(statement)),
      transaction: <Result>(work: (tx: Tx) => Promise<Result>) =>
        step(() => db.transaction((tx) => work(mortalTx(tx)))),
    },
    outbound: { ...app.outbound, post: (...letter) => step(() => app.outbound.post(...letter)) },
    rails: app.rails.map((rail): Rail => ({
      name: rail.name,
      submit: (order) => step(() => rail.submit(order)),
      find: (asked) => step(() => rail.find(asked)),
      statement: (cursor) => step(() => rail.statement(cursor)),
    })),
  }
  return { worker, points: () => points, isDead: () => dead }
}

/** The same service at a later hour, without moving the clock of everybody else. */
export function laterBy(app: App, seconds: number): App {
  const now = () => new Date(app.clock.now().getTime() + seconds * 1000)
  return { ...app, clock: { ...app.clock, now } }
}

/** As if the leases of all payouts had run out; they go by the database's clock, which no test moves. */
export async function endLeases({ db }: Pick<App, 'db'>): Promise<void> {
  await db.query(sql`update payouts set lease_until = clock_timestamp() where lease_until > clock_timestamp()`)
}
