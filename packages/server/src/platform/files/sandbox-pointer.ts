import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ensurePrivateFolder } from './data-folder.ts'
import { isSandboxRunning } from './lock-data-folder.ts'
import { readOwnFile } from './own-file.ts'

// A file in the user's home folder names the data folders of sandboxes, the one started last first, so that commands find them from any
// folder. Only the lock of a folder tells whether its sandbox runs: who stops need not write. What goes wrong with the file is ignored.

export function pointToSandbox(file: string, dataFolder: string): void {
  const draft = `${file}.${process.pid}`
  try {
    // Not recursive: a home folder that is missing is not made, and in /proc Node would try forever.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
    ensurePrivateFolder(dirname(file))
    const others = readPointer(file).filter((one) => one !== dataFolder && isRunning(one))
    writeFileSync(draft, `${JSON.stringify({ dataFolders: [dataFolder, ...others] })}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // The home folder cannot be written: commands need VEZNE_DATA then.
  }
}

/** The data folder of the running sandbox that was started last; null if none runs, or if others may have written the file. */
export function findRunningSandbox(file: string): string | null {
  return readPointer(file).find(isRunning) ?? null
}

function isRunning(dataFolder: string): boolean {
  try {
    return hasSandbox(dataFolder) && isSandboxRunning(dataFolder)
  } catch {
    return false
  }
}

export function hasSandbox(dataFolder: string): boolean {
  return ['sandbox.json', 'master.key'].some((name) => existsSync(join(dataFolder, name)))
}

function readPointer(file: string): string[] {
  try {
    const FOR_OTHERS = 0o077
    const { dataFolders } = JSON.parse(readOwnFile(file, FOR_OTHERS)) as { dataFolders?: unknown }
    const isFolder = (one: unknown) => typeof one === 'string' && isAbsolute(one)
    return Array.isArray(dataFolders) ? dataFolders.filter(isFolder) : []
  } catch {
    return []
  }
}
