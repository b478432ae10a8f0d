import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Compose from '../../packages/server/src/compose.ts'
import type * as Matching from '../../packages/server/src/domain/matching/index.ts'
import type * as Merchants from '../../packages/server/src/domain/merchants/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Child } from '../harness/child-process.ts'
import { ready, run, vezne } from '../harness/child-process.ts'
import { client } from '../harness/client.ts'
import { testConfig } from '../harness/database.ts'
import { until } from '../harness/until.ts'
import type { Balancer } from './balancer.ts'
import { startBalancer } from './balancer.ts'
import type { Call } from './load.ts'
import { startLoad } from './load.ts'

export type Upgrade = { requests: number; failed: string[] }

const CLIENTS = 8
/** Requests at each step: the version before alone, on the new schema, mixed, the new version alone. */
const AT_EACH_STEP = 300
const STEP_WITHIN_MS = 60_000
const FUNDS = 1_000_000_000n
export const NEW = join(import.meta.dirname, '../..')

export function envOf(databaseUrl: string, dataFolder: string) {
  return {
    DATABASE_URL: databaseUrl,
    VEZNE_DATA: dataFolder,
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
    VEZNE_DRAIN_SECONDS: '1',
  }
}

/** Two servers and a worker of another checkout are replaced one by one under load. No request may fail. */
export async function measureUpgrade(databaseUrl: string, dataFolder: string, before: string): Promise<Upgrade> {
  const env = envOf(databaseUrl, dataFolder)
  const children: Child[] = []
  const start = (root: string, role: 'serve' | 'work') => {
    const child = vezne([role], env, join(sourcesOf(root), 'main.ts'))
    children.push(child)
    return child
  }
  const credentials = await merchantOf(before, databaseUrl, dataFolder)
  const balancer = await startBalancer()
  try {
    const old = [start(before, 'serve'), start(before, 'serve')]
    const oldWorker = start(before, 'work')
    for (const server of old) await enlist(balancer, server)
    const load = startLoad(client(balancer.url, credentials), CLIENTS)
    const some = () => moreCalls(load.calls)
    await some()
    const { code, errors } = await run(['migrate'], env)
    if (code !== 0) throw new Error(`migrate failed: ${errors}`)
    await some()
    for (const server of old) {
      await enlist(balancer, start(NEW, 'serve'))
      await leave(balancer, server)
    }
    start(NEW, 'work')
    await stop(oldWorker)
    await some()
    // This version turns its readiness off before it stops listening, so a signal is enough.
    const next = start(NEW, 'serve')
    await enlist(balancer, next)
    await stop(children.at(-3) as Child)
    await some()
    await load.stop()
    const failed = load.calls.filter(({ outcome }) => outcome !== 'acknowledged').map(({ said }) => said)
    return { requests: load.calls.length, failed }
  } finally {
    for (const { process } of children) process.kill('SIGKILL')
    await balancer.close()
  }
}

async function moreCalls(calls: Call[]): Promise<void> {
  const wanted = calls.length + AT_EACH_STEP
  await until(
    async () => calls.length,
    (count) => count >= wanted,
    STEP_WITHIN_MS,
  )
}

/** In rotation once a probe found it ready. */
async function enlist(balancer: Balancer, server: Child): Promise<void> {
  const baseUrl = await ready(server)
  balancer.add(baseUrl)
  await until(
    async () => balancer.ready(),
    (urls) => urls.includes(baseUrl),
    STEP_WITHIN_MS,
  )
}

/** A version without a drain delay is taken out of rotation first. */
async function leave(balancer: Balancer, server: Child): Promise<void> {
  balancer.remove(await ready(server))
  await stop(server)
}

async function stop(child: Child): Promise<void> {
  child.process.kill('SIGTERM')
  await child.exited
}

/** Releases before 0.2 had the sources at the root. */
export function sourcesOf(root: string): string {
  const server = join(root, 'packages/server/src')
  return existsSync(server) ? server : join(root, 'src')
}

/** Made by the other checkout's own code: the schema must stay at its version. */
export async function openOther(root: string, databaseUrl: string, dataFolder: string) {
  const load = <Module>(path: string) => import(pathToFileURL(join(sourcesOf(root), path)).href) as Promise<Module>
  const { compose, prepare } = await load<typeof Compose>('compose.ts')
  const app = compose(testConfig({ dataFolder }), databaseUrl)
  await prepare(app)
  return { app, load }
}

async function merchantOf(root: string, databaseUrl: string, dataFolder: string) {
  const { app, load } = await openOther(root, databaseUrl, dataFolder)
  const { createMerchant, findMerchant } = await load<typeof Merchants>('domain/merchants/index.ts')
  const owner = existsSync(join(sourcesOf(root), 'domain/matching')) ? 'matching' : 'deposits'
  const { fundMerchant } = await load<typeof Matching>(`domain/${owner}/index.ts`)
  try {
    const merchant = {
      name: 'Upgrade',
      allowedNetworks: ['127.0.0.1', '::1'],
      requestsPerSecond: 100_000,
      maxOpenDeposits: 1_000_000,
    }
    // An older version takes no actor.
    const create = createMerchant as (...given: unknown[]) => ReturnType<typeof createMerchant>
    const credentials = await create(...(createMerchant.length === 3 ? [app, UNATTRIBUTED, merchant] : [app, merchant]))
    await fundMerchant(app, await findMerchant(app, credentials.merchantId), FUNDS, 'TRY')
    return credentials
  } finally {
    await app.db.end()
  }
}
