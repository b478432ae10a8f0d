import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from './log.ts'
import { Refusal } from './refusal.ts'
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

export type Db = Queryable & {
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  /** A transaction of exactly one statement, which needs no BEGIN and no COMMIT. A second one throws. */
  oneStatement: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
  listen: (channel: string, heard: () => void) => Promise<() => Promise<void>>
  stats: () => { total: number; idle: number; waiting: number }
  end: () => Promise<void>
}

const INT8 = 20
// Money only: everything else that counts is an int4, so that a bigint in TypeScript always is an amount.
pg.types.setTypeParser(INT8, BigInt)

// One list of deposits, one of withdrawals, the workers and a handful of changes at a time; PostgreSQL's default
// of 100 connections then serves eight processes.
const TRANSACTIONS = 8
// Lone reads have connections of their own. A transaction may wait for one (a cached list that has to be read again);
// if both came from one pool, enough transactions at once would hold every connection and wait for each other for ever.
const READS = 4
// A lock is held for milliseconds. Waiting this long means that something is stuck, and saying so beats hanging.
// A process that is frozen inside a transaction (a paused machine, a lost network) loses it sooner than that: those who wait
// for its locks then get them instead of an error.
// There is no statement timeout on purpose: it could cancel a COMMIT that waits for a standby.
// Lists make PostgreSQL plan anew at every call, because a plan for this list's length always looks a little cheaper;
// planning then costs a lone request more than running it. One plan for all lengths is as good: they all go by index.
const SESSION_OPTIONS =
  '-c lock_timeout=3s -c idle_in_transaction_session_timeout=2s -c plan_cache_mode=force_generic_plan'
// A plan is kept, and a new deployment plans on empty tables, where reading all of a table looks cheapest; an hour later it
// holds a million rows. Inside transactions everything goes by key, so there a plan may not be anything else.
const BY_KEY_ONLY = ' -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

export function openDb({ url, log }: { url: string; log: Log }): Db {
  const settings = { connectionString: url, application_name: 'vezne', options: SESSION_OPTIONS, pipeline: true }
  const waits = { connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 }
  const pool = new pg.Pool({ ...settings, ...waits, options: SESSION_OPTIONS + BY_KEY_ONLY, max: TRANSACTIONS })
  const reads = new pg.Pool({ ...settings, ...waits, max: READS })
  // Without a listener, a server that dies under an idle client takes this process with it.
  const onLost = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  for (const one of [pool, reads]) {
    one.on('error', onLost)
    one.on('connect', (client) => void client.on('error', onLost))
  }

  return {
    transaction: (work) => runTransaction(pool, work),
    oneStatement: (work) => runOneStatement(pool, work),
    query: <Row>(statement: Sql) => run<Row>(reads, statement).catch(unavailable),
    listen: (channel, heard) => listen(settings, channel, heard, onLost),
    stats: () => ({
      total: pool.totalCount + reads.totalCount,
      idle: pool.idleCount + reads.idleCount,
      waiting: pool.waitingCount + reads.waitingCount,
    }),
    end: async () => void (await Promise.all([pool.end(), reads.end()])),
  }
}

async function runTransaction<Result>(pool: pg.Pool, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch(unavailable)
  let broken: Error | undefined
  let firstFailure: unknown
  try {
    // Not awaited: the statements that follow travel with it.
    travelTogether(client)
    const begun = client.query('begin')
    begun.catch(() => undefined)
    let sent = 0
    const last: Promise<unknown>[] = []
    const result = await work({
      query<Row>(statement: Sql): Promise<Row[]> {
        sent++
        travelTogether(client)
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
    await client.query('rollback').catch((failed: Error) => (broken = failed))
    const IN_FAILED_TRANSACTION = '25P02'
    const hidden = (error as { code?: string }).code === IN_FAILED_TRANSACTION
    throw asRefusalWhenUnavailable(hidden ? (firstFailure ?? error) : error)
  } finally {
    client.release(broken)
  }
}

/** What is sent in one turn goes out in one system call; the driver alone would make one for every statement. */
function travelTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

async function run<Row>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<Row[]> {
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
    if ((await committed).command === 'COMMIT') return
    throw new Error('The transaction was rolled back by an error that nobody reported.')
  }
  throw connectionLost(failure.reason) ? perhapsSaved(failure.reason) : failure.reason
}

async function runOneStatement<Result>(pool: pg.Pool, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch(unavailable)
  let sent = 0
  let broken: Error | undefined
  try {
    return await work({
      query<Row>(statement: Sql): Promise<Row[]> {
        if (++sent > 1) throw new Error('A second statement in a transaction of one.')
        return run<Row>(client, statement)
      },
      withCommit: (writes) => writes,
    } as Tx)
  } catch (error) {
    if (!connectionLost(error)) throw asRefusalWhenUnavailable(error)
    broken = error as Error
    throw perhapsSaved(error)
  } finally {
    client.release(broken)
  }
}

function perhapsSaved(cause: unknown): Refusal {
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    'The database connection was lost while saving; whether it was saved is unknown. ' +
      'Look it up with GET /v1/transactions?processId=… before trying again: the same processId never runs twice.',
    { retryAfterSeconds: 2, cause },
  )
}

/** Long enough not to hammer a server that restarts, short enough that nobody notices. */
const RECONNECT_MS = 500

/** Hears notifications until it is told to stop. After a lost connection it listens again, and looks once for what it missed. */
async function listen(
  settings: pg.ClientConfig,
  channel: string,
  heard: () => void,
  onLost: (error: Error) => void,
): Promise<() => Promise<void>> {
  // Not before the first connection stands: whoever asks for it wants to know that it failed.
  let stopped = true
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client
  async function connect(): Promise<void> {
    client = new pg.Client(settings)
    client.on('error', onLost)
    client.on('notification', heard)
    client.on('end', () => {
      if (!stopped) timer = setTimeout(() => void again(), RECONNECT_MS)
    })
    await client.connect()
    await client.query(`listen ${channel}`)
  }
  async function again(): Promise<void> {
    try {
      await connect()
      heard()
    } catch {
      // The 'end' of the failed attempt has already asked for the next one.
    }
  }
  await connect()
  stopped = false
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client.end()
  }
}

/** Shut down, starting up, too many connections, or no connection at all: ours to mend, the caller's to try again. */
function connectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (
    typeof code === 'string' &&
    /^(08|57P|25P03$|53300$|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)
  )
    return true
  return /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(message ?? '')
}

const LOCK_NOT_AVAILABLE = '55P03'

function asRefusalWhenUnavailable(error: unknown): unknown {
  if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) {
    const busy = 'The account is busy with another operation. Nothing was saved.'
    return new Refusal('SERVICE_UNAVAILABLE', busy, { retryAfterSeconds: 2, cause: error })
  }
  if (error instanceof Refusal || !connectionLost(error)) return error
  return new Refusal('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment. Nothing was saved.', {
    retryAfterSeconds: 2,
    cause: error,
  })
}

function unavailable(error: unknown): never {
  throw asRefusalWhenUnavailable(error)
}

/**
 * Whether an error will come back at every try with the same data: a value or a constraint that PostgreSQL refuses
 * (SQLSTATE classes 22 and 23), or an error of our own. A full disk, a lock or a lost connection passes.
 */
export function causedByData(error: unknown): boolean {
  if (error instanceof Refusal) return false
  const { code } = error as { code?: unknown }
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return !sqlState || /^2[23]/.test(code)
}
