import { createServer } from 'node:http'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type * as Merchants from '../../packages/server/src/domain/merchants/index.ts'
import type * as Webhooks from '../../packages/server/src/domain/webhooks/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { working } from '../chaos/workers.ts'
import type { Child } from '../harness/child-process.ts'
import { run, vezne } from '../harness/child-process.ts'
import { pause, until } from '../harness/until.ts'
import { envOf, NEW, openOther, sourcesOf } from './upgrade.ts'

/** `late`: repeats that came after a later event of their transaction. They are allowed, as after a crash, and counted. */
export type CallbackUpgrade = { events: number; lost: number; outOfOrder: string[]; repeats: number; late: number }

const TRANSACTIONS_AT_EACH_STEP = 100
const EVENTS_EACH = 4
const STEP_WITHIN_MS = 120_000
/** Long enough that calls are under way whenever a worker starts or ends. */
const ANSWER_AFTER_MS = 20
const FAIL_EVERY = 23

/** Workers of another checkout and of this one deliver from one database, before, during and after the migration. */
export async function measureCallbacks(
  databaseUrl: string,
  dataFolder: string,
  before: string,
): Promise<CallbackUpgrade> {
  const env = envOf(databaseUrl, dataFolder)
  const receiver = await startReceiver()
  const shop = await openShop(before, { databaseUrl, dataFolder, url: receiver.url })
  const children: Child[] = []
  const start = async (root: string) => {
    const child = vezne(['work'], env, join(sourcesOf(root), 'main.ts'))
    children.push(child)
    await working(child)
    return child
  }
  const accepted = (share: number) =>
    until(
      async () => receiver.accepted.size,
      (count) => count >= share * shop.written(),
      STEP_WITHIN_MS,
    )
  try {
    const [first, second] = [await start(before), await start(before)]
    await shop.write()
    await accepted(0.3)
    const { code, errors } = await run(['migrate'], env)
    if (code !== 0) throw new Error(`migrate failed: ${errors}`)
    await shop.write()
    await accepted(0.6)
    await start(NEW)
    await start(NEW)
    // Both versions at work: two batches, the second under way when the version before ends.
    await shop.write()
    await accepted(0.95)
    await shop.write()
    await accepted(0.9)
    first.process.kill('SIGTERM')
    second.process.kill('SIGKILL')
    await Promise.all([shop.write(), first.exited, second.exited])
    await accepted(1)
    await until(
      () => shop.open(),
      (count) => count === 0,
      STEP_WITHIN_MS,
    )
    return { ...receiver.notes, events: shop.written(), lost: shop.written() - receiver.accepted.size }
  } finally {
    for (const { process } of children) process.kill('SIGKILL')
    await shop.close()
    receiver.close()
  }
}

/** A merchant of the other checkout's own code, and its events. */
async function openShop(root: string, place: { databaseUrl: string; dataFolder: string; url: string }) {
  const { app, load } = await openOther(root, place.databaseUrl, place.dataFolder)
  const { changeEndpoint, createMerchant, findEndpoints } = await load<typeof Merchants>('domain/merchants/index.ts')
  const { recordEvents } = await load<typeof Webhooks>('domain/webhooks/index.ts')
  // An older version takes no actor.
  const takesActor = createMerchant.length === 3
  const create = createMerchant as (...given: unknown[]) => ReturnType<typeof createMerchant>
  const change = changeEndpoint as (...given: unknown[]) => ReturnType<typeof changeEndpoint>
  const deps = takesActor ? [app, UNATTRIBUTED] : [app]
  const { merchantId } = await create(...deps, { name: 'Upgrade' })
  const [endpoint] = await findEndpoints(app.db, [merchantId])
  const settings = { url: place.url, maxConcurrent: 30, maxPerSecond: 10_000 }
  await change(...deps, merchantId, endpoint?.id ?? '', settings)
  let written = 0
  return {
    written: () => written,
    /** So many transactions; the events of each in commits of their own. */
    async write() {
      const ids = Array.from({ length: TRANSACTIONS_AT_EACH_STEP }, () => app.ids.next())
      for (let sequence = 1; sequence <= EVENTS_EACH; sequence++) {
        const events = ids.map((transactionId) => {
          return { merchantId, transactionId, sequence, type: 'deposit.updated', data: { transactionId, sequence } }
        })
        await app.db.transaction((tx) => recordEvents(app, tx, events))
        written += events.length
      }
    },
    async open() {
      const rows = await app.db.query(sql`
        select 1 from events where position is null union all select 1 from deliveries
        union all select 1 from delivery_claims`)
      return rows.length
    },
    close: () => app.db.end(),
  }
}

/** Notes what it is sent; refuses some at their first try. */
async function startReceiver() {
  const seen = new Set<string>()
  const accepted = new Set<string>()
  const notes = { outOfOrder: [] as string[], repeats: 0, late: 0 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => {
      const { transactionId, sequence } = (JSON.parse(body) as { data: { transactionId: string; sequence: number } })
        .data
      const key = (place: number) => `${transactionId}/${place}`
      if (sequence > 1 && !accepted.has(key(sequence - 1))) notes.outOfOrder.push(key(sequence))
      if (accepted.has(key(sequence))) notes.repeats++
      if (seen.has(key(sequence + 1))) notes.late++
      const isRefused = !seen.has(key(sequence)) && seen.size % FAIL_EVERY === 0
      seen.add(key(sequence))
      void pause(ANSWER_AFTER_MS).then(() => {
        if (!isRefused) accepted.add(key(sequence))
        response.writeHead(isRefused ? 500 : 200).end()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, accepted, notes, close }
}
