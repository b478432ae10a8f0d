import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded-postgres/embedded-postgres.ts'

const ROLES = readFileSync(join(import.meta.dirname, '../../deploy/roles.sql'), 'utf8')
const PASSWORD = 'a-password-of-the-test'

export type RoleName = 'vezne_owner' | 'vezne_app' | 'vezne_read'

/**
 * A separate PostgreSQL with an empty database and the roles of deploy/roles.sql. Roles belong to a server, and on the
 * shared one every migrated database would get grants.
 */
export async function startWithRoles() {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-roles-'))
  const postgres = await startEmbeddedPostgres(folder, ['fsync=off'])
  after(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const urlOf = (role: string, database = 'payments') => {
    const url = new URL(postgres.url)
    url.pathname = `/${database}`
    url.username = role
    url.password = PASSWORD
    return url.href
  }
  await runSql(postgres.url, "create role admin createrole createdb login password 'a-password-of-the-test'")
  await runSql(urlOf('admin', 'postgres'), 'create database payments')
  // As the administrator of a managed server, not a superuser. Twice: repeating it must be harmless.
  await runSql(urlOf('admin'), ROLES)
  await runSql(urlOf('admin'), ROLES)
  for (const role of ['vezne_owner', 'vezne_app', 'vezne_read'])
    await runSql(urlOf('admin'), `alter role ${role} password '${PASSWORD}'`)
  const superuser = new URL(postgres.url)
  superuser.pathname = '/payments'
  return {
    urlOf: (role: RoleName) => urlOf(role),
    superuserUrl: superuser.href,
    /** roles.sql as a superuser, which can do more, and then again as the administrator. */
    makeRolesAsSuperuser: async () => {
      await runSql(superuser.href, ROLES)
      await runSql(urlOf('admin'), ROLES)
    },
  }
}

/** Returns the rows of the last statement. */
export async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result: unknown = await client.query(text)
    const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: Record<string, unknown>[] }
    return last.rows
  } finally {
    await client.end()
  }
}

/** Makes a database live or a sandbox after the fact, as only its owner can. */
export async function setMode(url: string, mode: 'sandbox' | 'live'): Promise<void> {
  const change = `update deployment set mode = '${mode}'`
  await runSql(
    url,
    `alter table deployment disable trigger user; ${change}; alter table deployment enable trigger user`,
  )
}
