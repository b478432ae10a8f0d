import { createHash } from 'node:crypto'
import pg from 'pg'
import { faultOf, nothingSaved, notRead, perhapsSaved, savedOnOneServer } from './database-faults.ts'
import { openHosts } from './database-url.ts'
import { listen } from './db-listen.ts'
import type { Pool } from './db-pool.ts'
import { openPool, streamOf, unreplicated } from './db-pool.ts'
import type { Pooler } from './db-pooler.ts'
import { findPooler } from './db-pooler.ts'
import { findPrimaries } from './db-primaries.ts'
import type { Log } from '../log.ts'
import type { Sql } from './sql.ts'

declare const insideTransaction: unique symbol

/** Something that runs a statement: a transaction, or the pool for a lone read. */
export type Queryable = { query: <Row>(statement: Sql) => Promise<Row[]> }

/** An open transaction. Writers take one; only `db.transaction` makes one, so no write can escape it. */
export type Tx = Queryable & {
  readonly [insideTransaction]: true
  /**
   * Last writes, already sent: the commit travels right behind them instead of waiting for their answers. If one
   * fails, PostgreSQL turns the commit into a rollback, and the transaction fails with that error.
   */
  withCommit: <Result>(writes: Promise<Result>) => Promise<Result>
}

/** `waiting`: callers that wait for a connection. */
type PoolStats = {
  pool: 'transactions' | 'reads' | 'pages'
  size: number
  open: number
  idle: number
  waiting: number
}

export type Db = Queryable & {
  /**
   * For pages of long lists: connections of their own, so that lists keep no look-up waiting, and plans that go in the order of an
   * index, so that the limit ends them.
   */
  pages: Queryable
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  /** A transaction of exactly one statement, which needs no BEGIN and no COMMIT. A second one throws. */
  oneStatement: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  listen: (channel: string, heard: () => void) => Promise<() => Promise<void>>
  /** The same connections, for statements that may take longer: the limit is for one statement. */
  within: (limitMs: number) => Db
  pooler: () => Promise<Pooler>
  /** Of several hosts, those that take writes: more than one is a split. */
  primaries: () => Promise<string[]>
  /** What a write failed with lately because of the server's storage, or null. */
  storageFault: () => string | null
  stats: () => PoolStats[]
  end: () => Promise<void>
}

const INT8 = 20
// Money only: everything else that counts is an int4, so that a bigint in TypeScript always is an amount.
pg.types.setTypeParser(INT8, BigInt)

// One list of deposits, one of withdrawals, the workers and a handful of changes at a time; PostgreSQL's default
// of 100 connections then serves seven processes.
const TRANSACTIONS = 8
// Lone reads have connections of their own. A transaction may wait for one (a cached list that has to be read again);
// if both came from one pool, enough transactions at once would hold every connection and wait for each other for ever.
const READS = 3
const PAGES = 2
// A lock is held for milliseconds. Waiting this long means that something is stuck, and saying so beats hanging.
// A process that is frozen inside a transaction (a paused machine, a lost network) loses it sooner than that: those who wait
// for its locks then get them instead of an error.
// There is no statement timeout on purpose: it could cancel a COMMIT that waits for a standby. Whoever waits gives up on its own side.
// Lists make PostgreSQL plan anew at every call, because a plan for this list's length always looks a little cheaper;
// planning then costs a lone request more than running it. One plan for all lengths is as good: they all go by index.
// A plan is kept, and a new deployment plans on empty tables, where reading all of a table looks cheapest; an hour later it
// holds a million rows. So no plan reads all of a table while an index fits. Without `jit`: before PostgreSQL 18, ruling a plan out
// makes it look so expensive that it would be compiled first.
const SESSION =
  "set lock_timeout = '3s'; set idle_in_transaction_session_timeout = '2s'; set plan_cache_mode = force_generic_plan; " +
  'set enable_seqscan = off; set jit = off'
// Inside transactions everything goes by key, so there a join may not be anything else.
const BY_KEY_ONLY = '; set enable_hashjoin = off; set enable_mergejoin = off'
// A range of unknown length looks short, so that a plan would rather collect and sort all of it than read a page in order.
const IN_ORDER = '; set enable_bitmapscan = off'
// Longer than a lock is waited for. With the wait behind another list (coalesce.ts) a request takes less than ten seconds.
const STATEMENT_MS = 4000
// A disk that was full a moment ago is likely to be full again.
const STORAGE_FAULT_MS = 10_000

export function openDb({ url, log }: { url: string; log: Log }): Db {
  const hosts = openHosts(url)
  const onLost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const pool = openPool({ hosts, onLost, session: SESSION + BY_KEY_ONLY, max: TRANSACTIONS })
  const reads = openPool({ hosts, onLost, session: SESSION, max: READS })
  const pages = openPool({ hosts, onLost, session: SESSION + IN_ORDER, max: PAGES })
  let storageFault: { what: string; until: number } | null = null
  const note = (error: unknown): never => {
    const fault = faultOf((error as Error).cause ?? error)
    if (fault?.storage) storageFault = { what: fault.what, until: performance.now() + STORAGE_FAULT_MS }
    throw error
  }
  const within = (limitMs: number): Db => ({
    transaction: (work) => runTransaction(pool, limitMs, work).catch(note),
    oneStatement: (work) => runOneStatement(pool, limitMs, work).catch(note),
    query: (statement) => runRead(reads, limitMs, statement),
    pages: { query: (statement) => runRead(pages, limitMs, statement) },
    listen: (channel, heard) => listen(hosts, channel, heard, onLost),
    within,
    pooler: () => findPooler(pool),
    primaries: () => findPrimaries(hosts),
    storageFault: () => (storageFault && storageFault.until > performance.now() ? storageFault.what : null),
    stats: () => [
      { pool: 'transactions', size: TRANSACTIONS, ...pool.stats() },
      { pool: 'reads', size: READS, ...reads.stats() },
      { pool: 'pages', size: PAGES, ...pages.stats() },
    ],
    end: async () => void (await Promise.all([pool.end(), reads.end(), pages.end()])),
  })
  return within(STATEMENT_MS)
}

/** Whether the connection is of no more use. */
function breaks(pool: Pool, error: unknown): boolean {
  const fault = faultOf(error)
  if (fault?.demoted) pool.closeIdle()
  return fault?.lost === true || fault?.demoted === true
}

async function runRead<Row>(pool: Pool, limitMs: number, statement: Sql): Promise<Row[]> {
  const client = await pool.checkout(limitMs).catch((error: unknown) => {
    throw notRead(error)
  })
  let broken = false
  try {
    return await run<Row>(client, statement)
  } catch (error) {
    broken = breaks(pool, error)
    throw notRead(error)
  } finally {
    pool.release(client, broken)
  }
}

function checkoutToWrite(pool: Pool, limitMs: number): Promise<pg.PoolClient> {
  return pool.checkout(limitMs).catch((error: unknown) => {
    throw nothingSaved(error)
  })
}

async function runTransaction<Result>(pool: Pool, limitMs: number, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await checkoutToWrite(pool, limitMs)
  let broken = false
  let firstFailure: unknown
  try {
    // Not awaited: the statements that follow travel with it.
    cork(client)
    const begun = client.query('begin')
    begun.catch(() => undefined)
    let sent = 0
    const last: Promise<unknown>[] = []
    const result = await work({
      query<Row>(statement: Sql): Promise<Row[]> {
        sent++
        cork(client)
        const answer = run<Row>(client, statement)
        // Statements sent behind a failed one fail too, "transaction is aborted"; what happened is what failed first.
        answer.catch((error: unknown) => void (firstFailure ??= error))
        return answer
      },
      withCommit(writes) {
        // Reported below, after the commit has been sent.
        writes.catch(() => undefined)
        last.push(writes)
        return writes
      },
    } as Tx)
    // Had BEGIN failed, each statement would have been a transaction of its own. A lone one is one anyway.
    if (sent > 1) await begun
    await commit(client, last)
    return result
  } catch (error) {
    const IN_FAILED_TRANSACTION = '25P02'
    const hidden = (error as { code?: string }).code === IN_FAILED_TRANSACTION
    const first = hidden ? (firstFailure ?? error) : error
    broken = breaks(pool, first)
    await client.query('rollback').catch(() => (broken = true))
    throw nothingSaved(first)
  } finally {
    pool.release(client, broken)
  }
}

/** What is sent in one turn goes out in one system call; the driver alone would make one for every statement. */
function cork(client: pg.PoolClient): void {
  const stream = streamOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

async function run<Row>(client: pg.PoolClient, statement: Sql): Promise<Row[]> {
  const { text } = statement
  const values = statement.values.map((value) => (Array.isArray(value) ? arrayLiteral(value) : value))
  const result = await client.query({ name: nameOf(text), text, values })
  return result.rows as Row[]
}

/**
 * A list as PostgreSQL reads it: {1,null,2}, or {"a",null,"b"}, which is JSON with other brackets as long as nothing in it needs an
 * escape that PostgreSQL does not know. The driver would look at every character by itself, which for long lists costs more than
 * all the rest of a statement.
 */
function arrayLiteral(list: unknown[]): unknown {
  const kind = typeof list.find((item) => item !== null)
  if (kind === 'number' || kind === 'bigint')
    return `{${(list as (number | bigint | null)[]).map((item) => item ?? 'null').join()}}`
  if (kind !== 'string') return list
  const json = JSON.stringify(list)
  return /\\[^"\\]/.test(json) ? list : `{${json.slice(1, -1)}}`
}

const names = new Map<string, string>()

/** Every statement is prepared once per connection, under a name made from its text. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = createHash('sha1').update(text).digest('base64url')))
  return name
}

async function commit(client: pg.PoolClient, lastWrites: Promise<unknown>[]): Promise<void> {
  const committed = client.query('commit')
  const outcomes = await Promise.allSettled([...lastWrites, committed])
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) {
    // PostgreSQL answers ROLLBACK when an error inside the transaction was swallowed: nothing was saved.
    if ((await committed).command === 'COMMIT') return mustBeReplicated(client)
    throw new Error('The transaction was rolled back by an error that nobody reported.')
  }
  const [last] = outcomes.slice(-1)
  const rolledBack = last?.status === 'fulfilled' && (await committed).command === 'ROLLBACK'
  throw rolledBack ? nothingSaved(failure.reason) : perhapsSaved(failure.reason)
}

/** PostgreSQL reports a commit that did not wait for its standby as a success with a warning. */
function mustBeReplicated(client: pg.PoolClient): void {
  if (unreplicated.delete(client)) throw savedOnOneServer()
}

async function runOneStatement<Result>(
  pool: Pool,
  limitMs: number,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await checkoutToWrite(pool, limitMs)
  let sent = 0
  let broken = false
  try {
    const result = await work({
      query<Row>(statement: Sql): Promise<Row[]> {
        if (++sent > 1) throw new Error('A second statement in a transaction of one.')
        return run<Row>(client, statement)
      },
      withCommit: (writes) => writes,
    } as Tx)
    mustBeReplicated(client)
    return result
  } catch (error) {
    broken = breaks(pool, error)
    throw perhapsSaved(error)
  } finally {
    pool.release(client, broken)
  }
}
