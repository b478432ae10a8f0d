import { OrdersProfileError, readOrdersProfile } from '@vezne/bank-formats'
import { listFileExchanges } from '../../../connections/index.ts'
import type { OrderConnection } from './batch.ts'
import type { BatchDeps } from './cut-batches.ts'
import { cutBatches } from './cut-batches.ts'
import { releaseBatches } from './release-batches.ts'

/**
 * Puts payouts that are due into batches, if `mayCut`, and takes every batch a step further, for all connections that exchange
 * files and are not disabled. Returns how much was done.
 */
export async function sendOrderFiles(app: BatchDeps, mayCut: boolean): Promise<number> {
  const exchanges = await listFileExchanges(app)
  const connections = exchanges.flatMap(({ name, folder, orders }) => orderConnection(app, name, folder, orders) ?? [])
  const taken = mayCut ? await cutBatches(app, connections) : 0
  return taken + (await releaseBatches(app, exchanges))
}

/** Null without a profile, or with one that cannot be used: then its payouts wait. */
function orderConnection(
  { log }: BatchDeps,
  name: string,
  folder: string,
  orders: Record<string, unknown> | null,
): OrderConnection | null {
  if (orders === null) return null
  try {
    return { name, folder, profile: readOrdersProfile(orders) }
  } catch (error) {
    if (!(error instanceof OrdersProfileError)) throw error
    log.error({ connection: name, why: error.message }, 'no order file is made; see: vezne connection change --orders')
    return null
  }
}
