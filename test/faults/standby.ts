import { measure } from './measure.ts'
import type { Row } from './measure.ts'
import { STANDBY_NAME, startReplicated } from '../harness/standby.ts'
import { openWorld } from './world.ts'

export const STANDBY = 'synchronous standby promoted'

/** A primary with a synchronous standby; the primary is killed under load and the standby promoted. */
export async function measurePromotion(folder: string): Promise<Row> {
  const servers = await startReplicated(folder, { ofPrimary: [`synchronous_standby_names=${STANDBY_NAME}`] })
  try {
    const world = await openWorld(servers.url, servers.url, folder)
    try {
      return await measure(world, {
        name: STANDBY,
        forMs: 0,
        async begin() {
          await servers.promote()
          return async () => undefined
        },
      })
    } finally {
      await world.close()
    }
  } finally {
    await servers.stop()
  }
}
