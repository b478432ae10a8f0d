import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// PostgreSQL refuses to run as root. The user `nobody` exists on every Linux and macOS.
const NOBODY_ID = 65534
/** Owner of a cluster's files; null: the current user. */
export const clusterOwner = process.getuid?.() === 0 ? { uid: NOBODY_ID, gid: NOBODY_ID } : null

export const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=256MB',
  // Payments are short statements: compiling them costs more than running them.
  'jit=off',
  // Fewer checkpoints write fewer full-page images, the largest part of the WAL with big tables.
  'checkpoint_timeout=15min',
  'max_wal_size=4GB',
  'timezone=UTC',
]

const CONFIGURATION = {
  'postgresql.conf': '# Written by vezne, which gives its settings at the start.\n',
  'postgresql.auto.conf': '',
  'pg_hba.conf': 'host all all 127.0.0.1/32 scram-sha-256\n',
  'pg_ident.conf': '',
}

/** Replaces existing files: a setting can name a command that PostgreSQL runs. */
export function writeConfiguration(cluster: string): void {
  for (const [name, text] of Object.entries(CONFIGURATION)) {
    const file = join(cluster, name)
    rmSync(file, { force: true })
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
    if (clusterOwner) chownSync(file, clusterOwner.uid, clusterOwner.gid)
  }
}

export function isConfiguration(name: string): boolean {
  return Object.hasOwn(CONFIGURATION, name)
}
