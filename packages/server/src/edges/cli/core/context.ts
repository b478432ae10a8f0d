import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { AccountPool, DepositViews } from '../../../domain/deposits/index.ts'
import { masterKeyProblem, wrongMasterKey } from '../../../domain/deposits/index.ts'
import type { DemoLogin, Session } from '../../../domain/identity/index.ts'
import { stepUp } from '../../../domain/identity/index.ts'
import { isProofNeeded, proofNeeded } from '../../../domain/people/index.ts'
import type { ErasedViews } from '../../../domain/erasures/index.ts'
import type { WithdrawalViews } from '../../../domain/withdrawals/index.ts'
import type { Connection } from '../../../domain/connections/index.ts'
import type { BusinessClock } from '../../../platform/time/business-clock.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { NotOurs, readOwnFile } from '../../../platform/files/own-file.ts'
import { mustFitMode } from '../../../platform/postgres/deployment-mode.ts'
import { NoHost } from '../../../platform/postgres/database-faults.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { mustNotBeSplit } from '../../../platform/postgres/db-primaries.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { OutboundRules } from '../../../platform/http-client/outbound.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import type { PasswordCost } from '../../../platform/crypto/passwords.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { SeenNumbers } from '../../../platform/files/seen-numbers.ts'
import type { Vault } from '../../../platform/crypto/vault.ts'
import { findOwnSession } from './login-file.ts'
import { openSecretPrompt } from './output.ts'

/** The parts of the running service that a command may use; provided by the composition root. */
export type CliApp = {
  db: Db
  clock: BusinessClock
  realClock: Clock
  ids: Ids
  random: Random
  vault: Vault
  marks: Marks
  seen: SeenNumbers
  passwordCost: PasswordCost
  banks: BankDirectory
  views: DepositViews & WithdrawalViews & ErasedViews
  pool: AccountPool
  connections: Connection[]
  loadConnections: () => Promise<void>
  config: { bankApi: { baseUrl: string; key: string } | null }
  log: Log
  metrics: Metrics
  currencies: string[]
  sandbox: boolean
  keepEventsDays: number
  retainPersonalDays: number
  callbackRules: OutboundRules
  /** Who has logged in on this machine, where that decides. */
  own: Session | null
}

export type CliConfig = {
  mode: 'sandbox' | 'live'
  dataFolder: string
  databaseUrl: string | null
  publicUrl: string | null
  ops: { host: string; port: number } | null
  auditHeads: string | null
}

export type CliContext = {
  readConfig: () => CliConfig
  runProcess: (role: 'up' | 'serve' | 'work') => Promise<void>
  runMigrations: () => Promise<{ applied: string[]; granted: string[] }>
  runBackup: (file: string, options: { withKey: boolean }) => Promise<Date>
  runRestore: (
    file: string,
    options: { force: boolean },
  ) => Promise<{ restoredTo: Date; drift: unknown[]; replaced: string | null }>
  openApp: (databaseUrl: string) => Omit<CliApp, 'own'>
  /** In live, for a command that decides: it takes the login of this machine. */
  decides?: boolean
}

/** Written by `npm start` to its data folder, for programs that need to find the sandbox. */
export type SandboxFacts = {
  baseUrl: string
  databaseUrl: string
  merchant: { merchantId: string; apiKey: string; apiSecret: string; callbackSecret: string }
  /** Logins of the two consoles. */
  logins?: DemoLogin[]
  /** The simulated bank and the demo shop, if this sandbox started them. */
  bankUrl?: string
  bankKey?: string
  shopUrl?: string
}

/** 0 done · 1 refused or failed · 2 wrong usage or settings · 3 no running service or database. */
export const EXIT = { failed: 1, usage: 2, notRunning: 3 } as const

/** No running service or database: exit code 3. */
export class NotRunning extends Error {}

/** A failure that needs several lines to explain. */
export class Explained extends Error {
  readonly lines: string[]

  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.name = 'Explained'
    this.lines = lines
  }
}

/** Wrong usage: exit code 2. */
export class WrongUsage extends Error {}

/** Only one of ours: commands send requests to the addresses in it, and a folder of someone else may have a `.vezne`, too. */
export function readSandbox({ dataFolder }: { dataFolder: string }): SandboxFacts | null {
  const file = join(dataFolder, 'sandbox.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readOwnFile(file)) as SandboxFacts
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error
    throw new Explained([`${error.message} It is not used. Name your own data folder: VEZNE_DATA=FOLDER`])
  }
}

export function mustReadSandbox(config: { dataFolder: string }): SandboxFacts {
  const facts = readSandbox(config)
  if (facts) return facts
  throw new NotRunning(
    `No sandbox has been started in ${config.dataFolder}. Start one in Vezne's folder with: npm start. ` +
      'If one runs already, name the data folder that it prints: VEZNE_DATA=FOLDER',
  )
}

/** After the demo merchant's secrets are rotated: programs that read sandbox.json then sign with the new secret. */
export function rememberDemo(
  config: { dataFolder: string },
  merchantId: string,
  changed: Partial<Pick<SandboxFacts['merchant'], 'apiKey' | 'apiSecret' | 'callbackSecret'>>,
): void {
  const facts = readSandbox(config)
  if (facts?.merchant.merchantId !== merchantId) return
  const { apiKey, apiSecret, callbackSecret } = { ...facts.merchant, ...changed }
  const renewed = { ...facts, merchant: { merchantId, apiKey, apiSecret, callbackSecret } }
  writeFileSync(join(config.dataFolder, 'sandbox.json'), `${JSON.stringify(renewed, null, 2)}\n`, { mode: 0o600 })
}

/** The user can interrupt a command, and the doctor sums up the whole ledger. */
const STATEMENT_MS = 600_000

type Needs = { clock?: boolean; migrated?: boolean; seals?: boolean; onePrimary?: boolean }

/** Opens the deployment's database for one command, and closes it afterwards. */
export async function withApp<Result>(
  context: CliContext,
  work: (app: CliApp) => Promise<Result>,
  { clock = true, migrated = true, seals = true, onePrimary = true }: Needs = {},
): Promise<Result> {
  const config = context.readConfig()
  if (config.mode === 'live' && config.databaseUrl === null)
    throw new NotRunning('Commands find the database of a live service by DATABASE_URL, which is not set.')
  const opened = context.openApp(config.databaseUrl ?? mustReadSandbox(config).databaseUrl)
  const app = { ...opened, db: opened.db.withStatementLimit(STATEMENT_MS) }
  let unfollow = async () => {}
  try {
    // Of two primaries the first would be used: a decision would be lost, and a list would be that of another database.
    if (onePrimary) await mustNotBeSplit(app.db)
    await mustFitMode(app.db, config.mode, { mayLackIt: !migrated })
    if (clock) unfollow = await app.clock.follow(app.db, () => undefined)
    const ready = seals ? { ...app, vault: await sealingIfItFits(app) } : app
    return await decideAsLoggedIn(ready, context.decides ? await findOwnSession(ready, config) : null, work)
  } catch (error) {
    const { cause } = error as Error
    if (!(cause instanceof NoHost)) throw error
    throw new NotRunning(
      config.databaseUrl === null
        ? 'The database does not answer. Is the sandbox running? Start it with: npm start'
        : `${cause.message}. See that PostgreSQL runs there, and that DATABASE_URL is right.`,
      { cause },
    )
  } finally {
    await unfollow()
    await app.db.end()
    app.log.flush()
  }
}

type Opened = Omit<CliApp, 'own'>

/** A decision that takes a fresh proof is refused before it has changed anything; then the code is asked for, once. */
async function decideAsLoggedIn<Result>(app: Opened, own: Session | null, work: (app: CliApp) => Promise<Result>) {
  try {
    return await work({ ...app, own })
  } catch (error) {
    if (!own || !isProofNeeded(error)) throw error
    await askForCode(app, own)
    return work({ ...app, own: { ...own, steppedUp: true } })
  }
}

async function askForCode(app: Opened, own: Session): Promise<void> {
  const prompt = openSecretPrompt()
  try {
    const code = await prompt.ask(`Code of ${own.name}'s authenticator app, or a recovery code: `)
    if (code === '') throw proofNeeded()
    await stepUp(app, own, { code })
  } finally {
    prompt.close()
  }
}

/** Reading what is not sealed stays possible with a wrong key. */
async function sealingIfItFits(app: Opened): Promise<Vault> {
  const problem = await masterKeyProblem(app)
  if (problem === null) return app.vault
  return {
    ...app.vault,
    seal() {
      throw wrongMasterKey(problem)
    },
  }
}

export function sandboxOnly(context: CliContext): void {
  if (context.readConfig().mode !== 'sandbox') throw new WrongUsage('This command exists in a sandbox only.')
}

/** `demo` means the sandbox's own merchant. */
export function merchantId(context: CliContext, given: string): string {
  if (given !== 'demo') return given
  const config = context.readConfig()
  if (config.mode === 'live')
    throw new WrongUsage(
      'demo names the merchant of a sandbox. In live, give the merchant’s id: npx vezne merchant list',
    )
  return mustReadSandbox(config).merchant.merchantId
}

export function wholeNumber(text: string, what: string): number {
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new WrongUsage(`${what} must be a whole number, not "${text}".`)
}

/** Amounts are kuruş everywhere; who writes a comma or a point means lira. */
export function wholeKurus(text: string, what: string): number {
  if (/^\d+$/.test(text)) return wholeNumber(text, what)
  throw new WrongUsage(`${what} is in whole kuruş, 1250 for 12,50 TL; not "${text}".`)
}

/** Time zone required: a local time would depend on the machine, and "1" would be the year 2001. */
export function moment(text: string, what: string): Date {
  const time = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(time.getTime())) return time
  throw new WrongUsage(`${what} ${text} is not a time such as 2026-11-15T00:00:00Z.`)
}
