import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'

const WRITABLE_BY_OTHERS = 0o022

/** The file or its folder belongs to another user, or others can write it. */
export class NotOurs extends Error {}

/**
 * The text of a file that only we can have written: it and its folder are ours. Opened once and checked then, so that it cannot be
 * replaced in between; a link is not followed. Windows has no such owners: there nothing is checked.
 */
export function readOwnFile(file: string, forbidden = WRITABLE_BY_OTHERS): string {
  const folder = dirname(file)
  mustBeOurs(folder, statSync(folder), WRITABLE_BY_OTHERS)
  // A link to a folder of ours may be another's; its mode says nothing.
  mustBeOurs(folder, lstatSync(folder), lstatSync(folder).isSymbolicLink() ? 0 : WRITABLE_BY_OTHERS)
  const opened = openOwn(file)
  try {
    mustBeOurs(file, fstatSync(opened), forbidden)
    return readFileSync(opened, 'utf8')
  } finally {
    closeSync(opened)
  }
}

function openOwn(file: string): number {
  try {
    // Not blocking: a pipe that someone put there would wait for ever.
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw new NotOurs(`${file} is a link.`)
    throw error
  }
}

function mustBeOurs(path: string, { uid, mode }: Stats, forbidden: number): void {
  const own = process.geteuid?.()
  if (own === undefined || (uid === own && (mode & forbidden) === 0)) return
  throw new NotOurs(`${path} belongs to another user, or others can write it.`)
}
