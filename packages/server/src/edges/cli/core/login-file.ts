import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ensurePrivateFolder } from '../../../platform/files/data-folder.ts'
import { Explained } from './context.ts'

/** What `vezne login` keeps: the token works on this host only, until it ends or is revoked. */
type StoredLogin = { name: string; token: string }

/** In the data folder if there is one, else in the home of who logs in. */
function folderOf({ dataFolder }: { dataFolder: string }): string {
  return existsSync(dataFolder) ? dataFolder : join(homedir(), '.vezne')
}

export function loginFile(config: { dataFolder: string }): string {
  return join(folderOf(config), 'login.json')
}

export function readLogin(config: { dataFolder: string }): StoredLogin | null {
  const file = loginFile(config)
  if (!existsSync(file)) return null
  const FOR_OTHERS = 0o077
  const { mode, uid } = lstatSync(file)
  if ((mode & FOR_OTHERS) !== 0 || uid !== process.geteuid?.())
    throw new Explained([`${file} belongs to another user or can be read by others. Delete it, and log in again.`])
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
