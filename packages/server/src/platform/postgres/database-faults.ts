import { Refusal } from '../refusal.ts'

export type DatabaseFault =
  | ('unreachable' | 'starting_or_stopping' | 'tls_fails' | 'database_missing' | 'right_missing' | 'connections_in_use')
  | ('no_connection_free' | 'disk_full' | 'out_of_resources' | 'cancelled' | 'storage_fails' | 'read_only')
  | ('row_contended' | 'row_locked' | 'standby_silent')

/** What an error of the database or its connection means for the caller. Class names: PostgreSQL's appendix A. */
type Fault = {
  name: DatabaseFault
  codes: RegExp
  /** Only while connecting: errors of our own files have the same codes. */
  connecting?: true
  what: string
  retryAfterSeconds: number
  /** The connection is lost: sent statements may have been executed. Otherwise PostgreSQL itself refused. */
  lost?: true
  /** The server is no longer the primary: only a new connection can find the current one. */
  demoted?: true
  /** Some writes fail and others do not, so one successful small write proves nothing. */
  storage?: true
}

const TLS =
  /^(CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_CERT\w*|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO)$/
const UNREACHABLE = 'The database cannot be reached at the moment.'

/** These become 503 with Retry-After. Any other code is our own error, and a 500. */
const FAULTS: readonly Fault[] = [
  {
    name: 'unreachable',
    codes: /^(08...|28...|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EAI_AGAIN)$/,
    what: UNREACHABLE,
    retryAfterSeconds: 2,
    lost: true,
  },
  {
    // Shut down, starting up, terminated by an administrator, idle for too long.
    name: 'starting_or_stopping',
    codes: /^(57P0.|25P0[34])$/,
    what: 'The database is starting, stopping, or closed the connection.',
    retryAfterSeconds: 2,
    lost: true,
  },
  {
    // A unix socket that is missing or not accessible.
    name: 'unreachable',
    codes: /^(ENOENT|EACCES|EPERM|EMFILE|ENFILE)$/,
    connecting: true,
    what: UNREACHABLE,
    retryAfterSeconds: 2,
    lost: true,
  },
  {
    name: 'tls_fails',
    codes: TLS,
    what: 'The TLS connection to the database failed.',
    retryAfterSeconds: 30,
    lost: true,
  },
  {
    name: 'database_missing',
    codes: /^3D000$/,
    what: 'The database does not exist on its server.',
    retryAfterSeconds: 30,
    lost: true,
  },
  {
    name: 'right_missing',
    codes: /^42501$/,
    what: "The service's database role lacks a right that it needs.",
    retryAfterSeconds: 30,
  },
  {
    name: 'connections_in_use',
    codes: /^ALL_IN_USE$/,
    what: 'The service is busy: its database connections are in use.',
    retryAfterSeconds: 1,
  },
  {
    name: 'no_connection_free',
    codes: /^53300$/,
    what: 'The database has no free connection.',
    retryAfterSeconds: 5,
    lost: true,
  },
  { name: 'disk_full', codes: /^53100$/, what: "The database's disk is full.", retryAfterSeconds: 30, storage: true },
  {
    name: 'out_of_resources',
    codes: /^53...$/,
    what: 'The database is out of memory or of another resource.',
    retryAfterSeconds: 5,
  },
  { name: 'cancelled', codes: /^57...$/, what: 'The database cancelled the operation.', retryAfterSeconds: 2 },
  {
    name: 'storage_fails',
    codes: /^58...$/,
    what: 'The database has a problem with its storage.',
    retryAfterSeconds: 30,
    storage: true,
  },
  {
    name: 'read_only',
    codes: /^25006$/,
    what: 'The database is read-only at the moment.',
    retryAfterSeconds: 5,
    demoted: true,
  },
  {
    name: 'row_contended',
    codes: /^40(001|P01)$/,
    what: 'Other operations on the same rows were in the way.',
    retryAfterSeconds: 1,
  },
  { name: 'row_locked', codes: /^55P03$/, what: 'The account is busy with another operation.', retryAfterSeconds: 2 },
  {
    name: 'standby_silent',
    codes: /^STANDBY_SILENT$/,
    what: "The database's synchronous standby does not confirm what is written.",
    retryAfterSeconds: 5,
  },
]

/** Driver errors without a code. */
const LOST = /Connection terminated|timeout expired|timeout exceeded when trying to connect|not queryable/
const NO_CODE: Fault = { name: 'unreachable', codes: LOST, what: UNREACHABLE, retryAfterSeconds: 2, lost: true }

/** The server was silent for the statement limit. The connection is closed; the statement may still run. */
export class SilentDatabase extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(seconds: number) {
    super(`The database was silent for ${seconds} s; the connection was closed.`)
    this.name = 'SilentDatabase'
  }
}

/** No connection of this process became free in time. The database is available. */
export class AllInUse extends Error {
  readonly code = 'ALL_IN_USE'

  constructor() {
    super('No database connection of this process became free in time.')
    this.name = 'AllInUse'
  }
}

/** Commits wait for the synchronous standby, so rows that they changed stay locked. */
export class SilentStandby extends Error {
  readonly code = 'STANDBY_SILENT'

  constructor(cause?: unknown) {
    super('Commits wait for the synchronous standby (wait event SyncRep).', { cause })
    this.name = 'SilentStandby'
  }
}

/** No host of the address can be used. The message says why, host by host, without words of the server. */
export class NoHost extends Error {
  readonly code: string
  readonly syscall: string | undefined

  constructor(tried: { host: string; error: unknown }[]) {
    const errors = tried.map(({ error }) => error as { code?: string; syscall?: string })
    // A standby takes no writes; what is wrong is the other one.
    const cause = errors.find(({ code }) => code !== '25006') ?? errors[0]
    super(`The database at ${tried.map(({ host, error }) => `${host} ${causeOf(error).what}`).join('; ')}`, { cause })
    this.name = 'NoHost'
    this.code = cause?.code ?? 'ETIMEDOUT'
    this.syscall = cause?.syscall
  }
}

export type HostFault =
  | ('refuses_connections' | 'name_unknown' | 'network_unreachable' | 'password_refused' | 'login_refused')
  | ('takes_no_writes' | 'database_missing' | 'no_connection_free' | 'starting_or_stopping' | 'tls_fails')
  | ('does_not_respond' | 'socket_missing' | 'closes_connection' | 'other')

/** Why a host cannot be used, after its name. */
const CAUSES: readonly [codes: RegExp, fault: HostFault, what: string][] = [
  [/^ECONNREFUSED$/, 'refuses_connections', 'refuses connections'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'name_unknown', 'is a name without an address'],
  [/^(EHOST|ENET)\w+$/, 'network_unreachable', 'is not reachable over the network'],
  [/^28P01$/, 'password_refused', 'refuses the password of the role'],
  [/^28...$/, 'login_refused', 'does not let the role log in (nologin, or pg_hba.conf)'],
  [/^25006$/, 'takes_no_writes', 'takes no writes (a standby, or set read-only)'],
  [/^3D000$/, 'database_missing', 'does not have this database'],
  [/^53300$/, 'no_connection_free', 'has no free connection'],
  [/^57P0.$/, 'starting_or_stopping', 'is starting or stopping'],
  [TLS, 'tls_fails', 'fails at TLS'],
  [/^ETIMEDOUT$/, 'does_not_respond', 'does not respond'],
  [/^(ENOENT|EACCES|EPERM)$/, 'socket_missing', 'has no socket that can be opened'],
]

/** `code`: of PostgreSQL or the system; empty if the driver gave none. */
export function causeOf(error: unknown): { fault: HostFault; code: string; what: string } {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === '')
    return /timeout/i.test(message)
      ? { fault: 'does_not_respond', code, what: 'does not respond' }
      : { fault: 'closes_connection', code, what: 'closes the connection' }
  const [, fault = 'other', what = `fails with ${code}`] = CAUSES.find(([codes]) => codes.test(code)) ?? []
  return { fault, code, what }
}

export function faultOf(error: unknown): Fault | null {
  if (error instanceof Refusal) return null
  const { code, message, syscall } = error as { code?: unknown; message?: string; syscall?: string }
  if (typeof code === 'string')
    return FAULTS.find(({ codes, connecting }) => codes.test(code) && (!connecting || syscall === 'connect')) ?? null
  return LOST.test(message ?? '') ? NO_CODE : null
}

/** One sentence for operators, without the outcome of a write. Messages of server and system go to the log. */
export function describeFault(error: unknown): string {
  const { cause = error } = error as Error
  if (cause instanceof NoHost) return `${cause.message}.`
  return faultOf(cause)?.what ?? 'The check failed; the log has the reason.'
}

/** For a read. Says nothing about writes: the same request may have saved something before. */
export function notRead(error: unknown): unknown {
  return asRefusal(error, 'Try again shortly.')
}

/** For an error after which nothing was saved; returns other errors unchanged. */
export function nothingSaved(error: unknown): unknown {
  return asRefusal(error, 'Nothing was saved.')
}

/** For a read that failed before anything was written: the caller may rely on nothing having been saved. */
export function nothingSavedYet(error: unknown): unknown {
  const { cause } = error as Error
  const refusal = cause === undefined ? error : nothingSaved(cause)
  return refusal instanceof Refusal ? refusal : error
}

/** A read that comes before any write of its request. */
export async function beforeSaving<Result>(read: Promise<Result>): Promise<Result> {
  try {
    return await read
  } catch (error) {
    throw nothingSavedYet(error)
  }
}

function asRefusal(error: unknown, consequence: string): unknown {
  const fault = faultOf(error)
  if (!fault) return error
  const what = error instanceof SilentDatabase ? 'The database does not respond at the moment.' : fault.what
  const { retryAfterSeconds } = fault
  return new Refusal('SERVICE_UNAVAILABLE', `${what} ${consequence}`, { retryAfterSeconds, cause: error })
}

/** For an error while waiting for the response to a commit. */
export function perhapsSaved(error: unknown): unknown {
  // A cancellation during a commit is reported after it.
  const cancelled = (error as { code?: unknown }).code === '57014'
  if (!cancelled && !faultOf(error)?.lost) return nothingSaved(error)
  const what =
    error instanceof SilentDatabase
      ? 'The database did not respond in time while saving'
      : 'The database connection was lost while saving'
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    `${what}; whether it was saved is unknown. Look it up with GET /v1/transactions?processId=…, ` +
      'or send the same request again: the same processId never runs twice.',
    { retryAfterSeconds: 2, cause: error },
  )
}

/** The wait for the standby was cancelled by an administrator or a shutdown. */
export function savedOnOneServer(): Refusal {
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    'It was saved on one database server only, because the wait for the standby was cut short; whether it survives a failover is unknown. ' +
      'Look it up with GET /v1/transactions?processId=…, or send the same request again: the same processId never runs twice.',
    { retryAfterSeconds: 2 },
  )
}

/**
 * Whether a retry with the same data would fail again: a value or constraint error of PostgreSQL (SQLSTATE classes 22
 * and 23), a size limit (54), an error that a trigger raises (P0), or our own. A full disk, a lock or a lost connection is temporary.
 */
export function causedByData(error: unknown): boolean {
  if (error instanceof Refusal) return false
  const { code } = error as { code?: unknown }
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return !sqlState || /^(2[23]|54|P0)/.test(code)
}
