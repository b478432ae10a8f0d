import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { ensurePrivateFolder } from './data-folder.ts'
import { isSandboxRunning } from './lock-data-folder.ts'
import { readOwnFile } from './own-file.ts'

// A file in the user's home folder names the data folder of the sandbox that was started last, so that commands find it from any folder.
// It is a convenience: what goes wrong with it is ignored.

/** Returns how to remove it. A sandbox that was started later keeps its own. */
export function pointToSandbox(file: string, dataFolder: string): () => Promise<void> {
  const draft = `${file}.${process.pid}`
  try {
    // Not recursive: a home folder that is missing is not made, and in /proc Node would try forever.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
    ensurePrivateFolder(dirname(file))
    writeFileSync(draft, `${JSON.stringify({ dataFolder })}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // The home folder cannot be written: commands need VEZNE_DATA then.
  }
  return async () => {
    if (readPointer(file) === dataFolder) rmSync(file, { force: true })
  }
}

/** The data folder of the running sandbox; null if there is none, or if others may have written the file. */
export function findRunningSandbox(file: string): string | null {
  const dataFolder = readPointer(file)
  try {
    return dataFolder !== null && hasSandbox(dataFolder) && isSandboxRunning(dataFolder) ? dataFolder : null
  } catch {
    return null
  }
}

export function hasSandbox(dataFolder: string): boolean {
  return ['sandbox.json', 'master.key'].some((name) => existsSync(join(dataFolder, name)))
}

function readPointer(file: string): string | null {
  try {
    const FOR_OTHERS = 0o077
    const { dataFolder } = JSON.parse(readOwnFile(file, FOR_OTHERS)) as { dataFolder?: unknown }
    return typeof dataFolder === 'string' && isAbsolute(dataFolder) ? dataFolder : null
  } catch {
    return null
  }
}
