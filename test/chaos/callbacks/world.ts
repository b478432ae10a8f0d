import { UNATTRIBUTED } from '../../../packages/server/src/kernel/actor.ts'
import type { App } from '../../../packages/server/src/compose.ts'
import { compose, prepare } from '../../../packages/server/src/compose.ts'
import {
  addEndpoint,
  changeEndpoint,
  createMerchant,
  findEndpoints,
} from '../../../packages/server/src/domain/merchants/index.ts'
import { moveClock, readOffsetSeconds } from '../../../packages/server/src/platform/time/business-clock.ts'
import { testConfig } from '../../harness/database.ts'
import type { Kind } from './note.ts'
import { KINDS } from './note.ts'
import type { Receivers } from './receiver-processes.ts'
import { startReceivers } from './receiver-processes.ts'

/** An endpoint and the receiver behind it. */
export type Address = {
  merchantId: string
  endpointId: string
  receiver: number
  kind: Kind
  eventTypes: string[]
}

export type World = {
  app: App
  receivers: Receivers
  addresses: Address[]
  workerEnv: Record<string, string>
  /** Moves business time forward, for every process. */
  travel: (seconds: number) => Promise<void>
  close: () => Promise<void>
}

export const EVENT_TYPES = ['deposit.completed', 'deposit.expired', 'withdrawal.processing', 'withdrawal.completed']
/** Every third healthy endpoint wants some of the events only: what it is sent has gaps, and is in order all the same. */
const FILTERED_EVERY = 3

/** Merchants with two endpoints each, a healthy one and one that is not: neither may wait for the other. No worker runs yet. */
export async function openWorld(databaseUrl: string, folder: string): Promise<World> {
  const config = testConfig()
  const app = compose(config, databaseUrl)
  await prepare(app)
  const unfollow = await app.clock.follow(app.db, () => undefined)
  const kinds = KINDS.flatMap((kind): Kind[] => ['healthy', kind])
  const receivers = await startReceivers(kinds)
  const addresses: Address[] = []
  for (let shop = 0; shop < KINDS.length; shop++) addresses.push(...(await openShop(app, receivers, kinds, shop)))
  return {
    app,
    receivers,
    addresses,
    workerEnv: {
      DATABASE_URL: databaseUrl,
      VEZNE_DATA: folder,
      VEZNE_MASTER_KEY: config.masterKey.toString('hex'),
    },
    async travel(seconds) {
      await app.db.transaction(async (tx) => moveClock(tx, (await readOffsetSeconds(tx)) + seconds))
    },
    async close() {
      await unfollow()
      await receivers.close()
      await app.outbound.close()
      await app.db.end()
    },
  }
}

async function openShop(app: App, receivers: Receivers, kinds: Kind[], shop: number): Promise<Address[]> {
  const [first, second] = [shop * 2, shop * 2 + 1]
  const { merchantId, callbackSecret } = await createMerchant(app, UNATTRIBUTED, { name: `Kaos ${shop + 1}` })
  const [endpoint] = await findEndpoints(app.db, [merchantId])
  const eventTypes = shop % FILTERED_EVERY === 0 ? EVENT_TYPES.slice(0, 2) : []
  const healthy = await changeEndpoint(app, UNATTRIBUTED, merchantId, endpoint?.id ?? '', {
    url: receivers.urls[first] as string,
    eventTypes,
  })
  const url = receivers.urls[second] as string
  const hostile = await addEndpoint(app, UNATTRIBUTED, merchantId, { url })
  await receivers.newSecret(first, callbackSecret)
  await receivers.newSecret(second, hostile.secret)
  return [
    { merchantId, endpointId: healthy.id, receiver: first, kind: 'healthy', eventTypes },
    { merchantId, endpointId: hostile.endpoint.id, receiver: second, kind: kinds[second] as Kind, eventTypes: [] },
  ]
}
