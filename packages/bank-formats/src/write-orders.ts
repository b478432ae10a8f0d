import type { OrderBatch, OrdersProfile } from './orders.ts'
import { OrderError } from './orders.ts'
import { writeTable } from './orders-table.ts'
import { writePain001 } from './pain001.ts'

/** The exact bytes of an order file. The same batch and profile always give the same bytes. */
export function writeOrders(batch: OrderBatch, profile: OrdersProfile): Uint8Array {
  const { orders } = batch
  if (orders.length === 0 || orders.length > profile.maxOrders)
    throw new OrderError(batch.id, {
      code: 'order_count_unfit',
      facts: { orders: orders.length, most: profile.maxOrders },
    })
  const seen = new Set<string>()
  for (const { endToEndId } of orders) {
    if (seen.has(endToEndId)) throw new OrderError(endToEndId, { code: 'order_twice', facts: {} })
    seen.add(endToEndId)
  }
  return 'columns' in profile ? writeTable(batch, profile) : writePain001(batch, profile)
}
