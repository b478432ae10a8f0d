import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compose } from './compose.ts'
import type { Config, restoreTarget } from './config.ts'
import { SettingsError } from './platform/read-setting.ts'
import { connectionSecrets } from './domain/connections/index.ts'
import { deploymentSecrets } from './domain/deposits/index.ts'
import { markRestored } from './domain/restores/index.ts'
import { RESTORE } from './kernel/actor.ts'
import { findDrift } from './domain/ledger/index.ts'
import { apiSecrets, callbackSecrets } from './domain/merchants/index.ts'
import type { Manifest } from './platform/files/archive.ts'
import { extractArchive, readArchive, verifyArchive, writeArchive } from './platform/files/archive.ts'
import { realClock } from './platform/time/clock.ts'
import { ensurePrivateFolder, LAST_BACKUP } from './platform/files/data-folder.ts'
import { backUpCluster, CLUSTER } from './platform/embedded-postgres/embedded-backup.ts'
import { clusterOwner, writeConfiguration } from './platform/embedded-postgres/embedded-postgres-settings.ts'
import { startEmbeddedPostgres, stopAbandonedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { lockDatabase } from './platform/files/lock-data-folder.ts'
import { mustFitMode } from './platform/postgres/deployment-mode.ts'
import { migrate } from './platform/postgres/migrate.ts'
import { Refusal } from './platform/refusal.ts'
import { examineRows } from './platform/postgres/sealed-rows.ts'

const NOT_EMBEDDED =
  'DATABASE_URL is set, and this command is for the embedded database. For your own PostgreSQL see docs/backup.md.'
const PASSWORD = 'postgres.password'
const KEY = 'master.key'
const AUDIT_HEADS = 'audit-heads.jsonl'
const STAGING_PREFIX = 'restoring-'

/** Works with or without a running service. Returns the business time that a restore of this backup goes back to. */
export async function runBackup(config: Config, file: string, { withKey }: { withKey: boolean }): Promise<Date> {
  const { dataFolder, databaseUrl, masterKey } = config
  if (databaseUrl !== null) throw new SettingsError([NOT_EMBEDDED])
  const cluster = join(dataFolder, 'postgres')
  if (!existsSync(cluster)) throw new Refusal('NOT_FOUND', `There is no database in ${dataFolder}. Set VEZNE_DATA.`)
  const embedded = await startEmbeddedPostgres(dataFolder)
  try {
    const takenAt = await businessTime(config, embedded.url)
    await writeArchive(file, masterKey, { takenAt: takenAt.toISOString(), withKey }, async (archive) => {
      const addText = (name: string, text: string) => archive.file(name, Buffer.byteLength(text), [Buffer.from(text)])
      await addText(PASSWORD, readFileSync(join(dataFolder, PASSWORD), 'utf8'))
      if (withKey) await addText(KEY, masterKey.toString('hex'))
      await backUpCluster(embedded.url, cluster, archive)
    })
    writeFileSync(join(dataFolder, LAST_BACKUP), `${file}\n`, { mode: 0o600 })
    return takenAt
  } finally {
    await embedded.stop()
  }
}

async function businessTime(config: Config, url: string): Promise<Date> {
  const app = compose(config, url)
  try {
    await mustFitMode(app.db, config.mode, { mayLackIt: true })
    await (
      await app.clock.follow(app.db, () => undefined)
    )()
    return app.clock.now()
  } finally {
    await app.db.end()
  }
}

type Restored = { restoredTo: Date; drift: Awaited<ReturnType<typeof findDrift>>; replaced: string | null }

/**
 * Changes nothing until the archive is verified as complete and signed by this deployment. Unpacks and marks it as
 * restored in a staging folder, and moves it last, so that it can never resend payouts.
 */
export async function runRestore(
  target: ReturnType<typeof restoreTarget>,
  file: string,
  { force }: { force: boolean },
): Promise<Restored> {
  const { dataFolder, embedded } = target
  if (!embedded) throw new SettingsError([NOT_EMBEDDED])
  const { manifest, config } = await verifyBackup(target, file)
  ensurePrivateFolder(dataFolder)
  const release = lockDatabase(dataFolder)
  try {
    await mustBeFree(dataFolder, force)
    removeLeftovers(dataFolder)
    const staged = mkdtempSync(join(dataFolder, STAGING_PREFIX))
    await extractArchive(file, manifest, { folder: staged, owned: CLUSTER, owner: clusterOwner })
    writeConfiguration(join(staged, CLUSTER))
    const opened = await markAndExamine(config, staged, new Date(manifest.takenAt))
    // Checked again: a version without this lock may have started one.
    await mustBeFree(dataFolder, force)
    const replaced = replaceCluster(dataFolder, staged, { takesKey: target.masterKey === null })
    return { ...opened, replaced }
  } finally {
    removeLeftovers(dataFolder)
    release()
  }
}

/** The key in the archive is used only if there is no other: it was chosen by the author of the archive. */
async function verifyBackup(
  target: ReturnType<typeof restoreTarget>,
  file: string,
): Promise<{ manifest: Manifest; config: Config }> {
  const archive = await readArchive(file, KEY).catch((error: Error) => refuse(file, error))
  const archivedKey = archive.kept.get(KEY)?.toString() ?? null
  const masterKey = target.masterKey ?? archivedKey
  if (masterKey === null)
    throw new SettingsError([
      `VEZNE_MASTER_KEY is missing, and so is ${join(target.dataFolder, KEY)}: ${file} has no key. Set VEZNE_MASTER_KEY to the key of that deployment.`,
    ])
  const config = target.withKey(masterKey)
  try {
    const keys = [config.masterKey, config.oldMasterKey].filter((key) => key !== null)
    const manifest = verifyArchive(archive, keys)
    if (manifest.withKey !== (archivedKey !== null)) throw new Error(`its manifest and its ${KEY} do not match`)
    return { manifest, config }
  } catch (error) {
    return refuse(file, error as Error)
  }
}

function refuse(file: string, cause: Error): never {
  const message = `${file} is not a complete backup: ${cause.message}. Nothing was changed.`
  throw new Refusal('INVALID_STATE', message, { cause })
}

/** Includes leftovers of a killed restore. Call only with the lock held. */
function removeLeftovers(dataFolder: string): void {
  for (const name of readdirSync(dataFolder))
    if (name.startsWith(STAGING_PREFIX)) rmSync(join(dataFolder, name), { recursive: true, force: true })
}

async function mustBeFree(dataFolder: string, force: boolean): Promise<void> {
  if (!force && existsSync(join(dataFolder, 'postgres')))
    throw new Refusal(
      'INVALID_STATE',
      `There is a database in ${dataFolder}. With --force it is kept under another name and replaced.`,
    )
  await stopAbandonedPostgres(dataFolder)
}

async function markAndExamine(config: Config, staged: string, takenAt: Date): Promise<Omit<Restored, 'replaced'>> {
  const postgres = await startEmbeddedPostgres(staged)
  const app = compose(config, postgres.url)
  try {
    await migrate(app)
    await mustFitMode(app.db, config.mode, { mayLackIt: true })
    await (
      await app.clock.follow(app.db, () => undefined)
    )()
    const { unopened } = await examineRows(app, [deploymentSecrets, apiSecrets, callbackSecrets, connectionSecrets])
    if (unopened.length > 0)
      throw new SettingsError([`VEZNE_MASTER_KEY or ${KEY} is not the key of this backup. Nothing was changed.`])
    // The clock of this machine may be behind the one of the backup.
    const restoredTo = takenAt < app.clock.now() ? takenAt : app.clock.now()
    await markRestored(app, RESTORE, restoredTo)
    return { restoredTo, drift: await findDrift(app.db) }
  } finally {
    await app.db.end()
    await postgres.stop()
  }
}

/** The cluster is moved last: without it nothing can start. Returns the new path of the replaced one. */
function replaceCluster(dataFolder: string, staged: string, { takesKey }: { takesKey: boolean }): string | null {
  const clusterPath = join(dataFolder, 'postgres')
  const timestamp = `.before-${realClock.now().toISOString().replaceAll(/[:.]/g, '-')}`
  let suffix = timestamp
  for (let count = 2; existsSync(clusterPath + suffix); count += 1) suffix = `${timestamp}-${count}`
  const replaced = existsSync(clusterPath) ? clusterPath + suffix : null
  if (replaced) {
    renameSync(clusterPath, replaced)
    renameSync(join(dataFolder, PASSWORD), join(dataFolder, PASSWORD + suffix))
    // They are heads of the replaced database's audit.
    const heads = join(dataFolder, AUDIT_HEADS)
    if (existsSync(heads)) renameSync(heads, heads + suffix)
  }
  if (takesKey) renameSync(join(staged, KEY), join(dataFolder, KEY))
  renameSync(join(staged, PASSWORD), join(dataFolder, PASSWORD))
  renameSync(join(staged, 'postgres'), clusterPath)
  return replaced
}
