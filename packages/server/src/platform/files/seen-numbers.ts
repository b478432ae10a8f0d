import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import type { Log } from '../log.ts'

/** The highest number seen under each key. */
export type SeenNumbers = {
  all: () => Readonly<Record<string, number>>
  raise: (key: string, number: number) => void
  /** Whether there is a folder for them. */
  isKept: () => boolean
  /** Fails if they cannot be written. */
  keep: () => void
}

/**
 * Kept in memory and, if its folder exists, in a file, so that a restart remembers them. A file that cannot be written is logged once: what
 * is in memory still counts.
 */
export function openSeenNumbers(file: string, { log }: { log: Log }): SeenNumbers {
  let seen: Record<string, number> | undefined
  let failed = false
  const load = () => (seen ??= read(file))
  return {
    all: load,
    raise(key, number) {
      const known = load()
      if ((known[key] ?? -1) >= number) return
      // Another process of this folder may have seen more.
      seen = higher(higher(known, read(file)), { [key]: number })
      try {
        write(file, seen)
        failed = false
      } catch (error) {
        if (!failed) log.warn({ err: error, file }, 'cannot be written; a restart will not remember what was sent')
        failed = true
      }
    },
    isKept: () => existsSync(dirname(file)),
    keep() {
      seen = higher(load(), read(file))
      write(file, seen)
    },
  }
}

function higher(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const entries = Object.entries(other).map(([key, number]) => [key, Math.max(number, one[key] ?? 0)] as const)
  return { ...one, ...Object.fromEntries(entries) }
}

/** An unreadable file remembers nothing: a crash of the machine may have cut it off. */
function read(file: string): Record<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isSafeInteger(entry[1])))
  } catch {
    return {}
  }
}

/** Written under another name and renamed, so that readers see a complete file. */
function write(file: string, seen: Record<string, number>): void {
  if (!existsSync(dirname(file))) return
  // Containers that share a folder may have the same process id.
  const draft = `${file}.${hostname()}.${process.pid}`
  writeFileSync(draft, JSON.stringify(seen), { mode: 0o600 })
  renameSync(draft, file)
}
