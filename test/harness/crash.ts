import type { App } from '../../packages/server/src/compose.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import type { Tx } from '../../packages/server/src/platform/postgres/db.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'

/** The simulated process is dead: code that sees this must do nothing more. */
export class Crash extends Error {}

/**
 * A worker that crashes at its k-th point: before or after a transaction, a read or an outbound call, or after a
 * statement. After the crash it starts nothing, and its transaction is rolled back.
 */
export function crashingWorker(app: App, crashAt: number) {
  let points = 0
  let dead = false
  const point = () => {
    if (!dead && ++points !== crashAt) return
    dead = true
    throw new Crash(`crashed at point ${crashAt}`)
  }
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    point()
    const result = await work()
    point()
    return result
  }
  const crashingTx = (tx: Tx): Tx => ({
    ...tx,
    async query<Row>(statement: Sql) {
      if (dead) throw new Crash('crashed before')
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
        step(() => db.transaction((tx) => work(crashingTx(tx)))),
    },
    outbound: { ...app.outbound, post: (...args) => step(() => app.outbound.post(...args)) },
    connections: app.connections.map((connection): Connection => ({
      kind: connection.kind,
      name: connection.name,
      submit: (order) => step(() => connection.submit(order)),
      find: (asked) => step(() => connection.find(asked)),
      statement: (cursor) => step(() => connection.statement(cursor)),
    })),
  }
  return { worker, points: () => points, isDead: () => dead }
}

/** The same service at a later time, without moving the clock of others. */
export function laterBy(app: App, seconds: number): App {
  const now = () => new Date(app.clock.now().getTime() + seconds * 1000)
  return { ...app, clock: { ...app.clock, now } }
}

/** When every statement of a payout that was sent now had time to come, so that people may say that it is not on one. */
export function aWeekLater(app: App): App {
  return laterBy(app, 7 * 86_400)
}

/** Ends the leases of all payouts; they use the database's clock, which tests cannot move. */
export async function endLeases({ db }: Pick<App, 'db'>): Promise<void> {
  await db.query(sql`update payouts set lease_until = clock_timestamp() where lease_until > clock_timestamp()`)
}
