import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what the databases of a run take at once. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * In memory where there is room: ext4 takes ten times as long to copy a template of 700 files while such copies are being deleted.
 * Who sets TMPDIR gets that.
 */
export function makeDatabaseFolder(): string {
  return mkdtempSync(join(process.env['TMPDIR'] === undefined && memoryHasRoom() ? MEMORY : tmpdir(), 'vezne-test-'))
}

function memoryHasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES
  } catch {
    return false
  }
}

/** Whether it may be removed when the process that made it is gone. */
export function isTemporary(folder: string): boolean {
  return [tmpdir(), MEMORY].some((parent) => folder.startsWith(parent + sep))
}
