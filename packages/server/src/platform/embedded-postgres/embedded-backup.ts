import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveWriter } from '../files/archive.ts'
import { clusterOwner, isConfiguration } from './embedded-postgres-settings.ts'
import { withSession } from './embedded-postgres.ts'
import { Refusal } from '../refusal.ts'

/** Files that are recreated at every start or meaningless in a copy, as in pg_basebackup. */
const EXCLUDED =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|current_logfiles.*)$|pgsql_tmp|pg_internal\.init/
const EMPTY_FOLDERS =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/(?!archive_status$|summaries$)/
/** Folder of the cluster in an archive. */
export const CLUSTER = 'postgres/'
const CONTROL = 'global/pg_control'
// The folder belongs to PostgreSQL's user and we may be root: never follow a link or block on a pipe.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const LINK_OR_SOCKET = new Set<string | undefined>(['ELOOP', 'ENXIO'])

/**
 * Consistent copy of a running cluster by PostgreSQL's backup protocol: the WAL between start and stop repairs files
 * that change while they are copied. Resolves when the WAL is in the archive.
 */
export async function backUpCluster(url: string, folder: string, archive: ArchiveWriter): Promise<void> {
  await withSession(url, async (query) => {
    // Keeps WAL from being removed during the backup; dropped with the session.
    await query(`select pg_create_physical_replication_slot('vezne_backup_${process.pid}', true, true)`)
    const [start] = await query(`select pg_walfile_name(pg_backup_start('vezne backup', true)) as file`)
    await archive.folder(CLUSTER)
    for (const name of await filesToCopy(folder)) if (name !== CONTROL) await addFile(folder, name, archive)
    await addFile(folder, CONTROL, archive)
    const [stop] = await query(`select labelfile, pg_walfile_name(lsn) as file from pg_backup_stop(false)`)
    const label = Buffer.from(stop?.['labelfile'] ?? '')
    await archive.file(`${CLUSTER}backup_label`, label.length, [label])
    const segments = (await readdir(join(folder, 'pg_wal'))).filter(
      (name) => /^[0-9A-F]{24}$/.test(name) && name >= (start?.['file'] ?? '') && name <= (stop?.['file'] ?? ''),
    )
    if (!segments.includes(stop?.['file'] ?? '')) throw new Error('The last WAL segment is missing. Try again.')
    for (const name of segments) await addFile(folder, `pg_wal/${name}`, archive)
  })
}

/** Paths to copy; folders end with a slash. */
async function filesToCopy(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1) + (entry.isDirectory() ? '/' : ''))
    .filter((name) => !EXCLUDED.test(name) && !isConfiguration(name) && !EMPTY_FOLDERS.test(name.replace(/\/$/, '')))
    .toSorted()
}

async function addFile(folder: string, name: string, archive: ArchiveWriter): Promise<void> {
  if (name.endsWith('/')) return archive.folder(CLUSTER + name)
  // Tables dropped since the listing are gone; the WAL records that.
  const file = await open(join(folder, name), READ_FLAGS).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null
    throw LINK_OR_SOCKET.has(error.code) ? foreignFile(folder, name) : error
  })
  if (!file) return
  try {
    const stat = await file.stat()
    // Checks the owner too: a parent folder may have become a link, or the file a hard link to one of ours.
    if (!stat.isFile() || (clusterOwner && stat.uid !== clusterOwner.uid)) throw foreignFile(folder, name)
    await archive.file(CLUSTER + name, stat.size, readExactly(file, stat.size))
  } finally {
    await file.close()
  }
}

function foreignFile(folder: string, name: string): Refusal {
  return new Refusal(
    'INVALID_STATE',
    `${join(folder, name)} is not a PostgreSQL file (a link, a pipe, or a file of another user). ` +
      'Find out who made it, remove it, and back up again.',
  )
}

/** A file that became shorter is padded; the WAL truncates it again. */
async function* readExactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  const CHUNK_BYTES = 1 << 20
  for (let offset = 0; offset < size;) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - offset))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset)
    const piece = bytesRead > 0 ? chunk.subarray(0, bytesRead) : chunk
    offset += piece.length
    yield piece
  }
}
