import { listAccounts } from '../banks/index.ts'
import { listMerchants, merchantsById, payoutRulesInForce } from '../merchants/index.ts'
import { listOperators } from '../people/index.ts'
import { excessRights } from '../../platform/postgres/role-rights.ts'
import { serverFacts } from '../../platform/postgres/server-facts.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, warn } from './check.ts'

/** Before a deployment takes real money: what may be missing in a sandbox but not in live mode. */
export async function examineLive(app: DoctorApp, config: DoctorConfig): Promise<Check[]> {
  const { role, excess } = await excessRights(app.db)
  return [
    judge(
      'mode',
      config.mode === 'live',
      config.mode,
      'A sandbox stays one: set up a deployment of its own with VEZNE_MODE=live and a new database. See docs/guides/en/going-live.md.',
    ),
    judge(
      'own database',
      config.databaseUrl !== null,
      config.databaseUrl === null ? 'the embedded one' : 'DATABASE_URL',
      'Use a PostgreSQL that is backed up continuously (docs/backup.md), by DATABASE_URL.',
    ),
    judge(
      'least privilege',
      excess.length === 0,
      [role, ...excess].join(', '),
      'Make the roles of deploy/roles.sql, and run serve and work as vezne_app. See docs/deploy.md, "Database roles".',
    ),
    await archive(app),
    await operators(app),
    await admins(app),
    await merchants(app),
    await payoutRules(app),
    await accounts(app),
    warn(
      'bank connection',
      app.connections.some(({ kind }) => kind !== 'manual'),
      app.connections.map(({ name }) => name).join(', ') || 'none',
      'Every payout is sent by hand and statements are not read. Connect a bank: vezne connection add, for its API or for files.',
    ),
    warn(
      'audit heads',
      config.auditHeads !== null,
      config.auditHeads ?? 'only in the log',
      'Set VEZNE_AUDIT_HEADS to a file that the owner of the database cannot change. See docs/operations.md, "Audit".',
    ),
    warn(
      'ops port',
      config.ops !== null,
      config.ops === null ? 'none' : String(config.ops.port),
      'Set VEZNE_OPS_PORT, scrape it, and load deploy/prometheus-rules.yml: otherwise no one is told of an outage.',
    ),
  ]
}

async function archive({ db }: DoctorApp): Promise<Check> {
  const { archiveMode } = await serverFacts(db)
  const todo = 'Archive the WAL, or use a managed PostgreSQL that does. See docs/backup.md, "Your own PostgreSQL".'
  return warn('WAL archiving', archiveMode !== 'off', `archive_mode ${archiveMode}`, todo)
}

/** Approvals and payouts with an unknown outcome are decided by two people; a third may be on leave. */
async function operators({ db }: DoctorApp): Promise<Check> {
  const enabled = (await listOperators(db)).filter(({ disabledAt }) => disabledAt === null)
  const found = enabled.map(({ name }) => name).join(', ') || 'none'
  return judge(
    'two operators',
    enabled.length >= 2,
    found,
    'Add people with: npx vezne operator add NAME --role ROLE; everyone after the first with --as FIRST',
  )
}

/** One admin alone adds people and gives them roles, and changes no settings that take two. */
async function admins({ db }: DoctorApp): Promise<Check> {
  const enabled = (await listOperators(db)).filter(
    ({ roles, disabledAt }) => disabledAt === null && roles.includes('admin'),
  )
  const found = enabled.map(({ name }) => name).join(', ') || 'none'
  const todo =
    'Until there is a second admin, one person alone can be everyone: npx vezne operator add NAME --role admin --as YOU'
  return judge('two admins', enabled.length >= 2, found, todo)
}

async function merchants(app: DoctorApp): Promise<Check> {
  const all = await listMerchants(app.db)
  const open = all.filter(({ networks }) => networks.length === 0).map(({ name }) => name)
  if (all.length === 0)
    return judge('merchants', false, 'none', 'Create one with: npx vezne merchant create --name NAME --as YOU')
  const found =
    open.length > 0 ? `without allowed addresses, so they cannot withdraw: ${open.join(', ')}` : `${all.length}`
  return warn('merchants', open.length === 0, found, 'Run: npx vezne merchant allow-ip MERCHANT ADDRESS --as YOU')
}

/** Two people approve every payout of a merchant without rules. */
async function payoutRules({ db }: DoctorApp): Promise<Check> {
  const all = [
    ...(
      await merchantsById(
        db,
        (await listMerchants(db)).map(({ id }) => id),
      )
    ).values(),
  ]
  const unset = all.filter(({ payoutRules: rules }) => payoutRulesInForce(rules, { sandbox: false }) !== rules)
  const named = unset.slice(0, SHOWN).map(({ id, name }) => `${name} (${id})`)
  const more = unset.length > SHOWN ? `, and ${unset.length - SHOWN} more` : ''
  return judge(
    'payout rules',
    unset.length === 0,
    unset.length === 0
      ? 'every merchant has one'
      : `none, so every payout waits for two people: ${named.join(', ')}${more}`,
    'Run for each: npx vezne merchant payout-rules ID --approve-from KURUS --as YOU; a second admin approves it.',
  )
}

const SHOWN = 10

async function accounts(app: DoctorApp): Promise<Check> {
  const active = (await listAccounts(app.db)).filter(({ state }) => state === 'active')
  const found = active.map(({ iban }) => `…${iban.slice(-4)}`).join(', ') || 'none'
  return judge(
    'collecting accounts',
    active.length > 0,
    found,
    'Open one with: npx vezne bank open-account --iban IBAN --title TITLE --as YOU; in live a second person approves it, and it is active then.',
  )
}
