import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '../read-setting.ts'
import { ensurePrivateFolder } from './data-folder.ts'

/** A sandbox stores its key beside its data, so that the next start can open sealed secrets. */
const keyFile = (dataFolder: string) => join(dataFolder, 'master.key')

export function makeMasterKey(dataFolder: string): Buffer {
  const file = keyFile(dataFolder)
  ensurePrivateFolder(dataFolder)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    // Linking is atomic and never replaces: of two concurrent first starts, one key wins.
    linkSync(draft, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return storedMasterKey(dataFolder) as Buffer
}

export function storedMasterKey(dataFolder: string): Buffer | null {
  const file = keyFile(dataFolder)
  if (!existsSync(file)) return null
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (key.length === 32) return key
  throw new SettingsError([
    `VEZNE_DATA holds a damaged ${file}: it must be 64 hex characters. Restore it from a backup.`,
  ])
}
