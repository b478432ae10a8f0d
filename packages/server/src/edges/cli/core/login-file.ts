import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../../../platform/files/data-folder.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { IdentityDeps, Session } from '../../../domain/identity/index.ts'
import { findSession } from '../../../domain/identity/index.ts'

/** What `vezne login` keeps: the token works on this host only, until it ends or is revoked. */
type StoredLogin = { name: string; token: string }

/** In the data folder if there is one, else in the home of who logs in. */
function folderOf({ dataFolder }: { dataFolder: string }): string {
  return existsSync(dataFolder) ? dataFolder : join(homedir(), '.vezne')
}

export function loginFile(config: { dataFolder: string }): string {
  return join(folderOf(config), 'login.json')
}

function readLogin(config: { dataFolder: string }): StoredLogin | null {
  const file = loginFile(config)
  if (!existsSync(file)) return null
  const FOR_OTHERS = 0o077
  const { mode, uid } = lstatSync(file)
  if ((mode & FOR_OTHERS) !== 0 || uid !== process.geteuid?.())
    throw new Refusal(
      'INVALID_STATE',
      `${file} belongs to another user or can be read by others. Delete it, and log in again.`,
    )
  return JSON.parse(readFileSync(file, 'utf8')) as StoredLogin
}

export function writeLogin(config: { dataFolder: string }, login: StoredLogin): void {
  ensurePrivateFolder(folderOf(config))
  forgetLogin(config)
  // A new file, so that its mode is ours and no link is followed.
  writeFileSync(loginFile(config), `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' })
}

export function forgetLogin(config: { dataFolder: string }): void {
  rmSync(loginFile(config), { force: true })
}

/** The session of `vezne login` on this host, if it is still valid. */
export async function findOwnSession(app: IdentityDeps, config: { dataFolder: string }): Promise<Session | null> {
  const login = readLogin(config)
  return login && findSession(app, 'operator', login.token, hostname())
}
