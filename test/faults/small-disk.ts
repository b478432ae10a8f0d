import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type SmallDisk = { folder: string; fill: () => void; empty: () => void; remove: () => void }

/** Room for an empty deployment (about 30 MB) and a few thousand rows. */
const SIZE_MB = 64
const POSTGRES_USER = 65534

/** A real file system that can be filled; null where mounting is not allowed. */
export function mountSmallDisk(folder: string): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'tmpfs', folder])
  if (mounted.status !== 0) return null
  const tables = join(folder, 'tables')
  mkdirSync(tables)
  chownSync(tables, POSTGRES_USER, POSTGRES_USER)
  const filler = join(folder, 'filler')
  return {
    folder: tables,
    fill() {
      // Until the disk is full to the last page.
      const page = Buffer.alloc(8192)
      try {
        for (;;) writeFileSync(filler, page, { flag: 'a' })
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => void spawnSync('/bin/umount', ['-l', folder]),
  }
}
