import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startFaultProxy } from '../harness/fault-proxy.ts'
import type { Site } from './faults.ts'
import type { SmallDisk } from './small-disk.ts'
import { openWorld } from './world.ts'

export type Place = { serverUrl: string; dataFolder: string; folder: string; disk: SmallDisk | null }

/** A database with a plain role as its owner, a proxy before it, and a service behind that. */
export async function openSite({
  serverUrl,
  dataFolder,
  folder,
  disk,
}: Place): Promise<Site & { close: () => Promise<void> }> {
  const id = randomBytes(4).toString('hex')
  const [database, role, password] = [`faults_${id}`, `faults_app_${id}`, randomBytes(12).toString('hex')]
  const admin = await connectAgain(serverUrl)
  await admin.query(`create role ${role} login password '${password}'`)
  if (disk) await admin.query(`create tablespace small_${id} location '${disk.folder}'`)
  await admin.query(`create database ${database} owner ${role}${disk ? ` tablespace small_${id}` : ''}`)
  const url = new URL(serverUrl)
  Object.assign(url, { username: role, password, pathname: `/${database}` })
  const proxy = await startFaultProxy(url.href)
  const files = join(folder, id)
  mkdirSync(files, { recursive: true })
  const world = await openWorld(url.href, proxy.url, files)
  const site = { world, proxy, database, role, dataFolder, disk, admin }
  return {
    ...site,
    async close() {
      await world.close()
      await proxy.close()
      await admin.end().catch(() => undefined)
    },
  }
}

/** A connection that is made anew after the server was killed. */
async function connectAgain(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
