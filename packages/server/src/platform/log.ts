import { pino } from 'pino'
import { escapeInvisibleInJson } from './escape-invisible.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & { flush: () => void }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

// Never in a log: secrets, signatures, tokens, whole IBANs, names, bank narratives. The code logs none of them; this
// list is the second net, and names each both at the top and one level down, because a wildcard misses the top.
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

export function openLog(level: LogLevel, destination: 1 | 2 = 2): Log {
  // Synchronous: lines stay in order, and the last ones before a crash are there.
  const stream = pino.destination({ dest: destination, sync: true })
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // An error of PostgreSQL brings the whole row along in its detail: names, IBANs, narratives.
      serializers: { err: plainError },
      redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), censor: '[masked]' },
    },
    // People read logs in a terminal, and an error may quote what somebody sent.
    { write: (line: string) => void stream.write(escapeInvisibleInJson(line)) },
  )
  return Object.assign(logger, {
    flush() {
      try {
        stream.flushSync()
      } catch {
        // Nothing was written yet, or the reader is gone: there is nobody left to tell.
      }
    },
  })
}

function plainError(error: Error & { code?: string; constraint?: string; table?: string }): object {
  const { name, message, stack, code, constraint, table, cause } = error
  return {
    type: name,
    message,
    stack,
    code,
    constraint,
    table,
    ...(cause instanceof Error && { cause: plainError(cause) }),
  }
}
