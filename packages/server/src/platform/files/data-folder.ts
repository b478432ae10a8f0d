import { mkdirSync, statSync } from 'node:fs'

/** Written after each backup of the database, by `vezne backup` or by the operator's own program; its time is that of the backup. */
export const LAST_BACKUP = 'last-backup'

/**
 * The folder holds keys, a password and a database. It is created private; an existing one must belong to us and be
 * writable by no one else, who could plant a key or a link.
 */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const WRITABLE_BY_OTHERS = 0o022
  const { uid, mode } = statSync(folder)
  if (uid === process.geteuid?.() && (mode & WRITABLE_BY_OTHERS) === 0) return
  throw new CannotStart(
    `The data folder ${folder} belongs to another user or can be written by others. ` +
      'Choose another with VEZNE_DATA, or make it yours: chown it and chmod 700 it.',
  )
}

/** Reported like a wrong setting: one sentence, exit code 2. */
export class CannotStart extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingsError'
  }
}
