import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { storedMasterKey } from './platform/files/master-key-file.ts'
import { findRunningSandbox, hasSandbox } from './platform/files/sandbox-pointer.ts'
import { hostsProblem, passwordProblem, splitHosts, tlsProblem } from './platform/postgres/database-url.ts'
import { say } from './acts/refusals/say.ts'
import { bankUrlFault, withoutEndSlash } from './domain/connections/index.ts'
import type { Network } from './platform/http/ip.ts'
import type { LogLevel } from './platform/log.ts'
import { LOG_LEVELS } from './platform/log.ts'
import type { TracingSettings } from './platform/otlp.ts'
import type { OutboundRules } from './platform/http-client/outbound.ts'
import {
  KEY_HINT,
  oneOf,
  plainUrl,
  readAmount,
  readCount,
  readCurrencies,
  readDays,
  readDrain,
  readKey,
  readNetworks,
  readPort,
  readTracing,
  SettingsError,
  shown,
} from './platform/read-setting.ts'

export type Config = {
  mode: 'sandbox' | 'live'
  host: string
  port: number
  dataFolder: string
  databaseUrl: string | null
  /** File in the home folder that names running sandboxes; null in live, or without a home folder. */
  pointerFile: string | null
  /** Off if the role of `databaseUrl` may not change the schema: `vezne migrate` has run before. */
  migrateAtStart: boolean
  masterKey: Buffer
  /** During a rotation: opens what it has sealed, but seals nothing. */
  oldMasterKey: Buffer | null
  /** Null in a sandbox without the setting: the listening address is used. */
  publicUrl: string | null
  trustedProxies: Network[]
  logLevel: LogLevel | null
  /** Whether caller addresses are logged in full or only as their network. */
  logAddresses: 'masked' | 'full'
  maxConnections: number
  maxConnectionsPerAddress: number
  checkoutRequestsPerSecond: number
  authFailuresPerMinute: number
  /** Delay between "not ready" and the end of listening. */
  drainSeconds: number
  /** Separate address for health and metrics; null: metrics are on the public port. */
  ops: { host: string; port: number } | null
  /** Minimum number of days that events and their deliveries are kept. */
  keepEventsDays: number
  /** Days after the last change of a transaction for which the law requires its personal data to be kept. */
  retainPersonalDays: number
  /** More than this unexplained on an account stops its payouts; null: nothing stops them. */
  booksStopAmount: bigint | null
  /** File that the newest hash of the audit is written to; null: only the log has it. */
  auditHeads: string | null
  currencies: string[]
  /** HTTP API of a bank to read statements from; a sandbox without one gets the simulated bank. */
  bankApi: { baseUrl: string; key: string } | null
  /** Null: no spans, and no tracing code is loaded. */
  tracing: TracingSettings | null
  /** Allowed destinations of callbacks. */
  callbackRules: OutboundRules
  /** Of `openDb`. One, but in tests. */
  databasePatience: number
}

/** Every setting, in the order of the documentation. A test compares docs/operations.md with it. */
export const SETTINGS = {
  PORT: 'Port to listen on. 0 picks a free one. Default 8080.',
  HOST: 'Address to listen on. Default 127.0.0.1.',
  VEZNE_DATA: 'Folder for the embedded database, the sandbox master key and sandbox.json. Default ./.vezne.',
  DATABASE_URL:
    'PostgreSQL 15 or newer, postgres://user:password@host:port/name. Live wants sslmode=verify-full unless it is on this machine. Without it an embedded one is started.',
  VEZNE_MIGRATE:
    'on: up, serve and work migrate the database when they start; off: they only check that it is migrated. Default on.',
  VEZNE_MODE:
    'sandbox or live. Recorded in the database by its first migration; the other one is refused from then on. Default sandbox.',
  VEZNE_MASTER_KEY:
    '32 bytes as 64 hex characters: seals the secrets in the database. Required in live; a sandbox makes its own.',
  VEZNE_MASTER_KEY_OLD:
    'The master key from before, while `vezne master-key rotate` has not sealed everything with the new one. Default none.',
  VEZNE_PUBLIC_URL: 'Address under which customers reach this service. Required in live, and https there.',
  VEZNE_TRUSTED_PROXIES:
    'Comma-separated addresses or networks of reverse proxies whose X-Forwarded-For is believed. Default none.',
  VEZNE_LOG: `Log level: ${LOG_LEVELS.join(', ')}. Default info, and warn for \`vezne up\` in a sandbox on a terminal.`,
  VEZNE_LOG_ADDRESSES: 'masked: the log names the network of a caller; full: its address. Default masked.',
  VEZNE_MAX_CONNECTIONS: 'Open connections in all; a further one is closed at once. Default 4096.',
  VEZNE_MAX_CONNECTIONS_PER_ADDRESS:
    'Open connections per address; a further one is closed at once. Trusted proxies are exempt. Default 512.',
  VEZNE_CHECKOUT_REQUESTS_PER_SECOND:
    'Requests a second to the checkout per address, five times as many at once; more get 429. Default 50.',
  VEZNE_AUTH_FAILURES_PER_MINUTE:
    'Failed authentications a minute per address, and per key from one address, before they become 429. Default 60.',
  VEZNE_DRAIN_SECONDS:
    'How long a process that was told to stop still takes requests while /readyz says no, 0 to 60. Default 5 in live, 0 in a sandbox.',
  VEZNE_OPS_PORT:
    'Port for /healthz, /readyz and /metrics, in every role. 0 picks a free one. Default none: metrics are then on PORT.',
  VEZNE_OPS_HOST: 'Address that the ops port listens on. Default 127.0.0.1; 0.0.0.0 in a container.',
  VEZNE_KEEP_EVENTS_DAYS: 'Days after which old events are pruned, 31 or more. Default 730.',
  VEZNE_RETAIN_PERSONAL_DAYS:
    'Days after the last change of a transaction before its personal data may be erased, 31 or more. Default 3653.',
  VEZNE_BOOKS_STOP_AMOUNT: 'Kuruş unexplained in the books of an account beyond which its payouts stop. Default none.',
  VEZNE_AUDIT_HEADS:
    'File, best on another machine, that workers append the newest hash of the audit to. Default audit-heads.jsonl in the data folder of a sandbox, none in live.',
  VEZNE_CURRENCIES:
    'Comma-separated currencies that deposits and withdrawals may use, the default one first. Default TRY.',
  VEZNE_BANK_API_URL:
    'Base address of the bank API that statements are read from, https in live unless it is on this machine. A sandbox without it starts the simulated bank.',
  VEZNE_BANK_API_KEY: 'Key for that bank API.',
  VEZNE_CALLBACKS_TO:
    'public: callbacks go to https and public addresses only; loopback-too: also to http and this machine. Default public in live, which allows nothing else, and loopback-too in a sandbox.',
  VEZNE_TRACING:
    'otlp: send OpenTelemetry spans; off: none. Default off, or otlp if OTEL_EXPORTER_OTLP_ENDPOINT is set.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Base address of an OTLP receiver over HTTP; /v1/traces is added. Default http://localhost:4318 when tracing is on.',
  OTEL_EXPORTER_OTLP_HEADERS: 'Headers for it, name=value, comma-separated. Default none.',
  OTEL_SERVICE_NAME: 'Name of this service in spans. Default vezne.',
  OTEL_TRACES_SAMPLER_ARG: 'Share of traces that is kept, from 0 to 1. Default 1.',
} as const

/** Before a master key is required: null when none is set and the data folder has none. */
export type Settings = Omit<Config, 'masterKey'> & { masterKey: Buffer | null }

/** For an existing deployment: its master key must be there. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { masterKey, ...settings } = readSettings(env)
  if (masterKey) return { ...settings, masterKey }
  throw new SettingsError([
    `VEZNE_MASTER_KEY is missing, and ${settings.dataFolder} has no master.key. Set the key of the deployment, or VEZNE_DATA to the folder of its sandbox.`,
  ])
}

/**
 * For a command, in this order: DATABASE_URL, VEZNE_DATA, a sandbox in this folder, the one that runs elsewhere. Live must be named: it is
 * never found.
 */
export function envOfCommand(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const named = env['DATABASE_URL']?.trim() || env['VEZNE_DATA']?.trim() || hasSandbox(resolve('.vezne'))
  const file = named || readMode(env) !== 'sandbox' ? null : pointerFile(env)
  const elsewhere = file && findRunningSandbox(file)
  return elsewhere ? { ...env, VEZNE_DATA: elsewhere } : env
}

/** The only reader of the mode; one that does not exist is a mistake. */
function readMode(env: NodeJS.ProcessEnv, mistakes: string[] = []): Config['mode'] | null {
  const text = env['VEZNE_MODE']?.trim() || 'sandbox'
  const mode = oneOf('VEZNE_MODE', text, ['sandbox', 'live'] as const, mistakes)
  return mode === text ? mode : null
}

/** Not the home folder of the account, which a service without HOME should leave alone. */
function pointerFile(env: NodeJS.ProcessEnv): string | null {
  const home = env['HOME'] ?? ''
  return isAbsolute(home) ? join(home, '.vezne', 'current.json') : null
}

/** Creates nothing. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const mistakes: string[] = []
  const get = (name: keyof typeof SETTINGS) => env[name]?.trim() || undefined
  const mode = readMode(env, mistakes) ?? 'sandbox'
  const dataFolder = resolve(get('VEZNE_DATA') ?? '.vezne')
  const config: Omit<Config, 'masterKey'> = {
    mode,
    host: get('HOST') ?? '127.0.0.1',
    port: readPort('PORT', get('PORT') ?? '8080', mistakes),
    dataFolder,
    databaseUrl: readDatabaseUrl(get('DATABASE_URL'), mode, mistakes),
    pointerFile: mode === 'live' ? null : pointerFile(env),
    migrateAtStart: oneOf('VEZNE_MIGRATE', get('VEZNE_MIGRATE') ?? 'on', ['on', 'off'], mistakes) === 'on',
    oldMasterKey: readKey('VEZNE_MASTER_KEY_OLD', get('VEZNE_MASTER_KEY_OLD'), mistakes),
    publicUrl: readPublicUrl(get('VEZNE_PUBLIC_URL'), mode, mistakes),
    trustedProxies: readNetworks(get('VEZNE_TRUSTED_PROXIES'), mistakes),
    logLevel: readLogLevel(get('VEZNE_LOG'), mistakes),
    logAddresses: oneOf('VEZNE_LOG_ADDRESSES', get('VEZNE_LOG_ADDRESSES') ?? 'masked', ['masked', 'full'], mistakes),
    ...readLimits(get, mistakes),
    drainSeconds: readDrain(get('VEZNE_DRAIN_SECONDS') ?? (mode === 'live' ? '5' : '0'), mistakes),
    ops: readOps(get('VEZNE_OPS_PORT'), get('VEZNE_OPS_HOST'), mistakes),
    keepEventsDays: readDays('VEZNE_KEEP_EVENTS_DAYS', get('VEZNE_KEEP_EVENTS_DAYS') ?? '730', mistakes),
    retainPersonalDays: readDays('VEZNE_RETAIN_PERSONAL_DAYS', get('VEZNE_RETAIN_PERSONAL_DAYS') ?? '3653', mistakes),
    booksStopAmount: readAmount('VEZNE_BOOKS_STOP_AMOUNT', get('VEZNE_BOOKS_STOP_AMOUNT'), mistakes),
    auditHeads: get('VEZNE_AUDIT_HEADS') ?? (mode === 'live' ? null : join(dataFolder, 'audit-heads.jsonl')),
    currencies: readCurrencies(get('VEZNE_CURRENCIES') ?? 'TRY', mistakes),
    tracing: readTracing(get, mistakes),
    callbackRules: readCallbackRules(get('VEZNE_CALLBACKS_TO'), mode, mistakes),
    databasePatience: 1,
    bankApi: readBankApi(get('VEZNE_BANK_API_URL'), get('VEZNE_BANK_API_KEY'), mode, mistakes),
  }
  const masterKey = readKey('VEZNE_MASTER_KEY', get('VEZNE_MASTER_KEY'), mistakes)
  if (masterKey === null && mode === 'live') mistakes.push(`VEZNE_MASTER_KEY is missing; ${KEY_HINT}`)
  if (!config.migrateAtStart && config.databaseUrl === null)
    mistakes.push('VEZNE_MIGRATE=off needs DATABASE_URL: an embedded database is always migrated at the start.')
  if (masterKey && config.oldMasterKey?.equals(masterKey))
    mistakes.push('VEZNE_MASTER_KEY_OLD is the same as VEZNE_MASTER_KEY; remove it, or set the key from before.')
  if (config.ops && config.port !== 0 && config.ops.port === config.port)
    mistakes.push('VEZNE_OPS_PORT is the same as PORT; choose another.')
  if (mode === 'live' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    mistakes.push('NODE_TLS_REJECT_UNAUTHORIZED=0 turns off every check of a certificate; unset it.')
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  return { ...config, masterKey: masterKey ?? storedMasterKey(dataFolder) }
}

/** Limits for callers of one process. */
function readLimits(get: (name: keyof typeof SETTINGS) => string | undefined, mistakes: string[]) {
  const count = (name: keyof typeof SETTINGS, otherwise: number) =>
    readCount(name, get(name) ?? String(otherwise), mistakes)
  return {
    maxConnections: count('VEZNE_MAX_CONNECTIONS', 4096),
    // A merchant's server may open hundreds at its busiest; customers behind one address hold one for each open page.
    maxConnectionsPerAddress: count('VEZNE_MAX_CONNECTIONS_PER_ADDRESS', 512),
    // A page is about ten requests, then one every 15 seconds: a hundred customers behind one address stay below it.
    checkoutRequestsPerSecond: count('VEZNE_CHECKOUT_REQUESTS_PER_SECOND', 50),
    authFailuresPerMinute: count('VEZNE_AUTH_FAILURES_PER_MINUTE', 60),
  }
}

/** The target of a restore and the master key found there. Creates neither. */
export function restoreTarget(env: NodeJS.ProcessEnv = process.env) {
  const dataFolder = resolve(env['VEZNE_DATA']?.trim() || '.vezne')
  const file = join(dataFolder, 'master.key')
  const storedKey = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  const withKey = (masterKey: string) => readConfig({ ...env, VEZNE_MASTER_KEY: masterKey })
  return {
    dataFolder,
    embedded: !env['DATABASE_URL'],
    masterKey: env['VEZNE_MASTER_KEY']?.trim() || storedKey,
    withKey,
  }
}

function readLogLevel(text: string | undefined, mistakes: string[]): LogLevel | null {
  return text === undefined ? null : oneOf('VEZNE_LOG', text, LOG_LEVELS, mistakes)
}

function readOps(port: string | undefined, host: string | undefined, mistakes: string[]): Config['ops'] {
  if (port === undefined) return null
  return { host: host ?? '127.0.0.1', port: readPort('VEZNE_OPS_PORT', port, mistakes) }
}

function readDatabaseUrl(text: string | undefined, mode: Config['mode'], mistakes: string[]): string | null {
  if (text === undefined) return null
  const urls = splitHosts(text)
  if (!urls) {
    mistakes.push('DATABASE_URL must look like postgres://user:password@host:5432/name.')
    return text
  }
  const problems = [passwordProblem(urls), hostsProblem(urls), ...(mode === 'live' ? urls.map(tlsProblem) : [])]
  for (const problem of new Set(problems)) if (problem) mistakes.push(`DATABASE_URL ${problem}.`)
  return text
}

function readPublicUrl(text: string | undefined, mode: Config['mode'], mistakes: string[]): string | null {
  if (text === undefined) {
    if (mode === 'live') mistakes.push('VEZNE_PUBLIC_URL is missing; live needs the https address that customers see.')
    return null
  }
  const protocols = mode === 'live' ? ['https:'] : ['https:', 'http:']
  if (!plainUrl(text, protocols)) {
    const kind = mode === 'live' ? 'https' : 'http(s)'
    mistakes.push(`VEZNE_PUBLIC_URL is ${shown(text)}; it must be an ${kind} address without user and query.`)
  }
  return text.replace(/\/+$/, '')
}

function readBankApi(
  url: string | undefined,
  key: string | undefined,
  mode: Config['mode'],
  mistakes: string[],
): Config['bankApi'] {
  if (url === undefined && key === undefined) return null
  if (url === undefined || key === undefined) mistakes.push('VEZNE_BANK_API_URL and VEZNE_BANK_API_KEY go together.')
  const fault = url === undefined ? null : bankUrlFault(url, { live: mode === 'live' })
  if (fault) mistakes.push(`VEZNE_BANK_API_URL is ${shown(url ?? '')}; it ${say('en', { why: fault, facts: {} })}.`)
  return { baseUrl: withoutEndSlash(url ?? ''), key: key ?? '' }
}

function readCallbackRules(text: string | undefined, mode: Config['mode'], mistakes: string[]): OutboundRules {
  const defaultRules = mode === 'live' ? 'public' : 'loopback-too'
  const rules = oneOf('VEZNE_CALLBACKS_TO', text ?? defaultRules, ['public', 'loopback-too'] as const, mistakes)
  if (mode === 'live' && rules !== 'public')
    mistakes.push(
      'VEZNE_CALLBACKS_TO must be public in live: a merchant could make this service call your own network.',
    )
  return rules
}
