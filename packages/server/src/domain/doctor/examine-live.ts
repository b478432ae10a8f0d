import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import { listAccounts } from '../banks/index.ts'
import { listMerchants, merchantsInForce, payoutRulesInForce } from '../merchants/index.ts'
import { listOperators } from '../people/index.ts'
import { excessRights } from '../../platform/postgres/role-rights.ts'
import { serverFacts } from '../../platform/postgres/server-facts.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge, warn } from './check.ts'
import { roleFound } from './examine-database.ts'

/** Before a deployment takes real money: what may be missing in a sandbox but not in live mode. */
export async function examineLive(app: DoctorApp, config: DoctorConfig): Promise<Check[]> {
  const { role, excess } = await excessRights(app.db)
  return [
    judge('mode', config.mode === 'live', note('check_mode', { mode: config.mode }), note('todo_mode')),
    judge(
      'own database',
      config.databaseUrl !== null,
      note(config.databaseUrl === null ? 'check_database_embedded' : 'check_database_own'),
      note('todo_own_database'),
    ),
    judge('least privilege', excess.length === 0, roleFound(role, excess), note('todo_role')),
    await archive(app),
    await operators(app),
    await admins(app),
    await merchants(app),
    await payoutRules(app),
    await accounts(app),
    warn(
      'bank connection',
      app.connections.some(({ kind }) => kind !== 'manual'),
      named(app.connections.map(({ name }) => name)),
      note('todo_bank_connection'),
    ),
    warn(
      'audit heads',
      config.auditHeads !== null,
      config.auditHeads === null ? note('check_heads_in_log') : note('check_path', { path: config.auditHeads }),
      note('todo_audit_heads'),
    ),
    warn(
      'ops port',
      config.ops !== null,
      config.ops === null ? note('check_none') : note('check_count', { count: config.ops.port }),
      note('todo_ops_port'),
    ),
  ]
}

function named(names: string[]): Said {
  return names.length === 0 ? note('check_none') : note('check_names', { names })
}

async function archive({ db }: DoctorApp): Promise<Check> {
  const { archiveMode } = await serverFacts(db)
  const found = note('check_archive_mode', { mode: archiveMode })
  return warn('WAL archiving', archiveMode !== 'off', found, note('todo_wal'))
}

/** Approvals and payouts with an unknown outcome are decided by two people; a third may be on leave. */
async function operators({ db }: DoctorApp): Promise<Check> {
  const enabled = (await listOperators(db)).filter(({ disabledAt }) => disabledAt === null)
  const found = named(enabled.map(({ name }) => name))
  return judge('two operators', enabled.length >= 2, found, note('todo_two_operators'))
}

/** One admin alone adds people and gives them roles, and changes no settings that take two. */
async function admins({ db }: DoctorApp): Promise<Check> {
  const enabled = (await listOperators(db)).filter(
    ({ roles, disabledAt }) => disabledAt === null && roles.includes('admin'),
  )
  const found = named(enabled.map(({ name }) => name))
  return judge('two admins', enabled.length >= 2, found, note('todo_two_admins'))
}

async function merchants(app: DoctorApp): Promise<Check> {
  const all = await listMerchants(app.db)
  const open = all.filter(({ networks }) => networks.length === 0).map(({ name }) => name)
  if (all.length === 0) return judge('merchants', false, note('check_none'), note('todo_merchants'))
  const found =
    open.length > 0 ? note('check_merchants_shut_out', { merchants: open }) : note('check_count', { count: all.length })
  return warn('merchants', open.length === 0, found, note('todo_merchants_shut_out'))
}

/** Two people approve every payout of a merchant without rules. */
async function payoutRules({ db, marks }: DoctorApp): Promise<Check> {
  const all = [
    ...(
      await merchantsInForce(
        { db, marks },
        (await listMerchants(db)).map(({ id }) => id),
      )
    ).values(),
  ]
  const unset = all.filter(({ payoutRules: rules }) => payoutRulesInForce(rules, { sandbox: false }) !== rules)
  const shown = unset.slice(0, SHOWN).map(({ id, name }) => note('check_merchant', { name, merchant: id }))
  const found =
    unset.length === 0
      ? note('check_rules_complete')
      : note('check_rules_missing', { merchants: shown, more: unset.length - shown.length })
  return judge('payout rules', unset.length === 0, found, note('todo_payout_rules'))
}

const SHOWN = 10

async function accounts(app: DoctorApp): Promise<Check> {
  const active = (await listAccounts(app.db)).filter(({ state }) => state === 'active')
  const found = named(active.map(({ iban }) => `…${iban.slice(-4)}`))
  return judge('collecting accounts', active.length > 0, found, note('todo_collecting_accounts'))
}
