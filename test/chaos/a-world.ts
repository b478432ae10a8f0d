import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { cloneDatabase } from '../harness/database.ts'

/** A run's world with its own database and folder; it ends with the test file. */
export async function aWorld<World extends { close: () => Promise<void> }>(
  openWorld: (databaseUrl: string, folder: string) => Promise<World>,
): Promise<World> {
  const database = await cloneDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'vezne-chaos-'))
  const world = await openWorld(database.url, folder)
  after(async () => {
    await world.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  return world
}
