import { isatty } from 'node:tty'
import { pino } from 'pino'
import { escapeInvisibleInJson } from './escape-invisible.ts'
import { lineForTerminal, painter } from './log-for-terminal.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & { flush: () => void }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

// Never logged: secrets, signatures, tokens, full IBANs, names, bank narratives. No code logs them; this is a second
// safeguard. Each is listed for the top and one level down, because a wildcard misses the top.
const NEVER_LOGGED = [
  ...['secret', 'apiSecret', 'callbackSecret', 'signature', 'token', 'checkoutUrl', 'password', 'masterKey'],
  ...[
    'iban',
    'name',
    'accountName',
    'userName',
    'username',
    'customer',
    'narrative',
    'metadata',
    'body',
    'databaseUrl',
  ],
]

/** JSON, one line each; for people if they are looking. */
export function openLog(level: LogLevel, destination: 1 | 2 = 2): Log {
  // Synchronous, to keep order and the last lines before a crash.
  const stream = pino.destination({ dest: destination, sync: true })
  const paint = painter()
  const asWritten = isatty(destination) ? (line: string) => lineForTerminal(line, paint) : escapeInvisibleInJson
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // PostgreSQL errors contain the whole row in their detail: names, IBANs, narratives.
      serializers: { err: errorSerializer() },
      redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), censor: '[masked]' },
    },
    // Logs are read in terminals, and an error may quote input.
    { write: (line: string) => void stream.write(asWritten(line)) },
  )
  return Object.assign(logger, {
    flush() {
      try {
        stream.flushSync()
      } catch {
        // Nothing was written yet, or the reader is gone.
      }
    },
  })
}

/** An outage makes hundreds of equal errors. The first has its stack, and one a minute; the others say how many there were. */
const STACK_EVERY_MS = 60_000
/** Of different errors. Forgetting one costs a stack. */
const MAX_KNOWN = 200

type Failure = Error & { code?: string; constraint?: string; table?: string }

function errorSerializer(): (error: Failure) => object {
  const known = new Map<string, { stackAt: number; repeated: number }>()
  return (error) => {
    // The world's failures have a code and come from anywhere; of ours, without one, the place counts.
    const key = error.code === undefined ? `${error.stack}` : `${error.code} ${error.message}`
    const now = performance.now()
    const seen = known.get(key)
    if (seen && now - seen.stackAt < STACK_EVERY_MS) {
      seen.repeated++
      return { ...plainError(error, { stacks: false }), repeated: seen.repeated }
    }
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, { stackAt: now, repeated: 0 })
    return plainError(error, { stacks: true })
  }
}

function plainError(error: Failure, { stacks }: { stacks: boolean }): object {
  const { name, message, stack, code, constraint, table, cause } = error
  return {
    type: name,
    message,
    ...(stacks && { stack }),
    code,
    constraint,
    table,
    ...(cause instanceof Error && { cause: plainError(cause, { stacks }) }),
  }
}
