import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { FileResult } from '../../packages/server/src/domain/statements/index.ts'
import { testConfig } from './database.ts'

const VEZNE = join(import.meta.dirname, '..', '..', 'bin', 'vezne.mjs')
const PEAK_MEMORY = pathToFileURL(join(import.meta.dirname, 'peak-memory.ts')).href

export type MeasuredImport = { result: Pick<FileResult, 'new'>; seconds: number; peakRssMb: number }

/** Imports a file with `vezne statement import`, in its own process and with the flags of the launcher. */
export async function importByCommand(
  databaseUrl: string,
  file: string,
  onStart: (kill: () => void) => void = () => undefined,
): Promise<MeasuredImport> {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-import-'))
  const peaks = join(folder, 'peaks')
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
    NODE_OPTIONS: `--import=${PEAK_MEMORY}`,
    PEAK_FILE: peaks,
  }
  const start = performance.now()
  try {
    const args = [VEZNE, 'statement', 'import', file, '--yes', '--json']
    const running = promisify(execFile)(process.execPath, args, { env })
    onStart(() => void running.child.kill())
    const result = JSON.parse((await running).stdout) as MeasuredImport['result']
    const seconds = (performance.now() - start) / 1000
    // One number for the launcher and one for the command.
    return { result, seconds, peakRssMb: Math.max(...readFileSync(peaks, 'utf8').trim().split('\n').map(Number)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
