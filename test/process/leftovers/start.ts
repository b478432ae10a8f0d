import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../../harness/browser.ts'
import { ready, vezne } from '../../harness/child-process.ts'
import { cloneDatabase, testConfig } from '../../harness/database.ts'
import { findBrowser } from '../../harness/find-browser.ts'

// What is started here has a folder of its own in its settings, by which the test finds it.

const place = tmpdir()

function ownFolder(name: string): string {
  const folder = mkdtempSync(join(place, `${name}-`))
  process.env['TMPDIR'] = folder
  return folder
}

export async function startService(name: string): Promise<void> {
  const folder = ownFolder(name)
  const { url } = await cloneDatabase()
  const VEZNE_MASTER_KEY = testConfig().masterKey.toString('hex')
  await ready(vezne(['serve'], { VEZNE_DATA: join(folder, 'data'), DATABASE_URL: url, VEZNE_MASTER_KEY }))
  writeFileSync(join(place, `${name}.started`), folder)
}

/** A sandbox with its own PostgreSQL and simulator, and a browser where there is one. */
export async function startEverything(name: string): Promise<void> {
  const folder = ownFolder(name)
  const sandbox = vezne(['up'], { VEZNE_DATA: join(folder, 'data') })
  if (findBrowser()) await (await openBrowser()).newPage()
  await ready(sandbox)
  writeFileSync(join(place, `${name}.started`), folder)
}
