import { createHash } from 'node:crypto'
import pg from 'pg'
import { faultOf, nothingSaved, notRead, perhapsSaved, savedOnOneServer } from './database-faults.ts'
import { openHosts } from './database-url.ts'
import { listen } from './db-listen.ts'
import type { Pool } from './db-pool.ts'
import { openPool, streamOf, unreplicated } from './db-pool.ts'
import type { Pooler } from './db-pooler.ts'
import { findPooler } from './db-pooler.ts'
import type { HostState } from './db-primaries.ts'
import { examineHosts } from './db-primaries.ts'
import { namingStandby, openStandbyCheck } from './db-standby.ts'
import type { Log } from '../log.ts'
import type { Sql } from './sql.ts'

declare const insideTransaction: unique symbol

/** Runs statements: a transaction, or the pool for a single read. */
export type Queryable = { query: <Row>(statement: Sql) => Promise<Row[]> }

/** An open transaction. Writers take one, and only `db.transaction` creates one, so no write can escape it. */
export type Tx = Queryable & {
  readonly [insideTransaction]: true
  /**
   * Marks the last writes, already sent: the commit is pipelined behind them. If one fails, PostgreSQL rolls back, and
   * the transaction fails with that error.
   */
  withCommit: <Result>(writes: Promise<Result>) => Promise<Result>
}

export const isTransaction = (db: Queryable): db is Tx => 'withCommit' in db

/** `waiting`: callers that wait for a connection. */
type PoolStats = {
  pool: 'transactions' | 'reads' | 'pages' | 'search' | 'report'
  size: number
  open: number
  idle: number
  waiting: number
}

export type Db = Queryable & {
  /**
   * For pages of long lists: separate connections, so that lists do not delay look-ups, and plans in index order, so
   * that the limit ends the scan.
   */
  pages: Queryable
  /** For the searches of people: separate connections, because a text that many rows have takes long. */
  search: Queryable
  /** For totals over whole tables, with PostgreSQL's own planner settings. */
  report: Queryable
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  /** A transaction of exactly one statement, without BEGIN and COMMIT. A second one throws. */
  oneStatement: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  listen: (channel: string, onNotification: () => void) => Promise<() => Promise<void>>
  /** The same connections with another limit per statement. */
  withStatementLimit: (limitMs: number) => Db
  pooler: () => Promise<Pooler>
  /** Of several hosts, what each does now. */
  hosts: () => Promise<HostState[]>
  /** Commits wait for a synchronous standby that does not confirm them. */
  waitsForStandby: () => Promise<boolean>
  /** The storage error of the server that made a write fail, until `storageRecovered`, or null. */
  storageFault: () => string | null
  /** A write that needs space has succeeded: with a full disk, changes in place still do. */
  storageRecovered: () => void
  stats: () => PoolStats[]
  end: () => Promise<void>
}

const INT8 = 20
// Money only: all other integers are int4, so that a bigint in TypeScript is always an amount.
pg.types.setTypeParser(INT8, BigInt)

// A batch of deposits, one of withdrawals, the workers and a few changes at a time; PostgreSQL's default of 100
// connections then serves six processes.
const TRANSACTIONS = 8
// Separate from transactions, which may wait for a read (a cache that must reload): with one pool, enough transactions
// could hold every connection and wait for each other for ever.
const READS = 3
const PAGES = 2
const SEARCH = 2
const REPORT = 1
// The idle timeout is shorter than the lock timeout, so that a frozen process loses its locks before others fail. No
// statement timeout, whatever the role has: it could cancel a COMMIT that waits for a standby.
const LOCK_MS = 3000
const IDLE_MS = 2000
// Generic plans: replanning for each list length costs more than it saves. No seqscan: plans are made while tables are empty.
// No jit: before PostgreSQL 18 a disabled plan type looks expensive enough to be compiled.
const BY_INDEX = '; set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off'
// Inside transactions all access is by key, so joins must be too.
const BY_KEY_ONLY = '; set enable_hashjoin = off; set enable_mergejoin = off'
// The planner underestimates ranges of unknown length and would sort all rows instead of reading a page in order.
const IN_ORDER = '; set enable_bitmapscan = off'
// Longer than the lock timeout. With the wait behind another batch (batcher.ts) a request takes less than ten seconds.
const STATEMENT_MS = 4000

/** `patience`: how many times these limits. A test that shares its machine with others is often stopped for seconds. */
export function openDb({ url, log, patience = 1 }: { url: string; log: Log; patience?: number }): Db {
  const hosts = openHosts(url)
  const sessionMs = { lock_timeout: LOCK_MS, idle_in_transaction_session_timeout: IDLE_MS }
  const limits = Object.entries(sessionMs).map(([name, ms]) => `; set ${name} = ${ms * patience}`)
  const session = `set statement_timeout = 0${limits.join('')}`
  const statementMs = STATEMENT_MS * patience
  const onLost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  const pool = openPool({ hosts, onLost, session: session + BY_INDEX + BY_KEY_ONLY, max: TRANSACTIONS })
  const reads = openPool({ hosts, onLost, session: session + BY_INDEX, max: READS })
  const pages = openPool({ hosts, onLost, session: session + BY_INDEX + IN_ORDER, max: PAGES })
  const search = openPool({ hosts, onLost, session: session + BY_INDEX, max: SEARCH })
  const report = openPool({ hosts, onLost, session, max: REPORT })
  let storageFault: string | null = null
  const waitsForStandby = openStandbyCheck((statement) => runRead(reads, statementMs, statement))
  const explain = async (error: unknown): Promise<never> => {
    const fault = faultOf((error as Error).cause ?? error)
    if (fault?.storage) storageFault = fault.what
    throw await namingStandby(waitsForStandby, error)
  }
  const withStatementLimit = (limitMs: number): Db => ({
    transaction: (work) => runTransaction(pool, limitMs, work).catch(explain),
    oneStatement: (work) => runOneStatement(pool, limitMs, work).catch(explain),
    query: (statement) => runRead(reads, limitMs, statement),
    pages: { query: (statement) => runRead(pages, limitMs, statement) },
    search: { query: (statement) => runRead(search, limitMs, statement) },
    report: { query: (statement) => runRead(report, limitMs, statement) },
    listen: (channel, onNotification) => listen(hosts, channel, onNotification, onLost),
    withStatementLimit,
    pooler: () => findPooler(pool),
    hosts: () => examineHosts(hosts),
    waitsForStandby,
    storageFault: () => storageFault,
    storageRecovered: () => void (storageFault = null),
    stats: () => [
      { pool: 'transactions', size: TRANSACTIONS, ...pool.stats() },
      { pool: 'reads', size: READS, ...reads.stats() },
      { pool: 'pages', size: PAGES, ...pages.stats() },
      { pool: 'search', size: SEARCH, ...search.stats() },
      { pool: 'report', size: REPORT, ...report.stats() },
    ],
    end: async () => void (await Promise.all([pool, reads, pages, search, report].map((one) => one.end()))),
  })
  return withStatementLimit(statementMs)
}

/** Whether the connection cannot be used any more. */
function isUnusable(pool: Pool, error: unknown): boolean {
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
    broken = isUnusable(pool, error)
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
    // Not awaited: reads are pipelined behind it. Writes wait, because each would commit by itself if BEGIN had failed.
    cork(client)
    const begun = client.query('begin')
    const { send, close } = statementsBehind(client, begun)
    const last: Promise<unknown>[] = []
    const result = await work({
      query<Row>(statement: Sql): Promise<Row[]> {
        const answer = send<Row>(statement)
        // Statements after a failed one fail with "transaction is aborted"; the first error is the cause.
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
    close()
    await begun
    await commit(client, last)
    return result
  } catch (error) {
    const IN_FAILED_TRANSACTION = '25P02'
    const isFollowUp = (error as { code?: string }).code === IN_FAILED_TRANSACTION
    const first = isFollowUp ? (firstFailure ?? error) : error
    broken = isUnusable(pool, first)
    await client.query('rollback').catch(() => (broken = true))
    throw nothingSaved(first)
  } finally {
    pool.release(client, broken)
  }
}

/** Reads are sent at once, writes when BEGIN has succeeded; nothing once the commit is sent. */
function statementsBehind(client: pg.PoolClient, begun: Promise<unknown>) {
  const state = { begun: false, waiting: false, over: false }
  begun.then(
    () => (state.begun = true),
    () => undefined,
  )
  function send<Row>(statement: Sql): Promise<Row[]> {
    // Behind the commit it would be saved by itself, whatever becomes of the others.
    if (state.over) throw new Error('The transaction of this statement is over.')
    const sendNow = () => {
      cork(client)
      return run<Row>(client, statement)
    }
    // In order: once a statement waits, so do those after it.
    state.waiting ||= !isRead(statement)
    return state.begun || !state.waiting ? sendNow() : begun.then(sendNow)
  }
  return { send, close: () => void (state.over = true) }
}

function isRead({ text }: Sql): boolean {
  return /^\s*select\b/i.test(text)
}

/** Sends all statements of one event loop turn in one system call; the driver would make one for each. */
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
 * PostgreSQL array literal, {1,null,2} or {"a",null,"b"}: JSON with other brackets, unless it has escapes that
 * PostgreSQL does not know. The driver's own encoding costs more than the rest of a statement for long lists.
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

/** Every statement is prepared once per connection, named by a hash of its text. */
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
    // PostgreSQL responds ROLLBACK if an error inside the transaction was swallowed: nothing was saved.
    if ((await committed).command === 'COMMIT') return mustBeReplicated(client)
    throw new Error('The transaction was rolled back because of an error that was not reported.')
  }
  const [last] = outcomes.slice(-1)
  const rolledBack = last?.status === 'fulfilled' && (await committed).command === 'ROLLBACK'
  throw rolledBack ? nothingSaved(failure.reason) : perhapsSaved(failure.reason)
}

/** PostgreSQL reports a commit that did not wait for its standby as success with a warning. */
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
    broken = isUnusable(pool, error)
    throw perhapsSaved(error)
  } finally {
    pool.release(client, broken)
  }
}
