import { randomBytes } from 'node:crypto'
import { openJournal } from '../journal.ts'
import type { Now } from '../time.ts'
import type { Basket } from './basket.ts'

const DEPOSIT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'expired', 'cancelled'] as const
type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

/** `asked`: the deposit was requested and there is no response yet. `refused`: it was refused. */
export type OrderStatus = DepositStatus | 'asked' | 'refused'

export type Order = {
  id: string
  processId: string
  customerName: string
  basket: Basket
  amount: bigint
  status: OrderStatus
  /** Sequence of the deposit at the last update: older updates are ignored. */
  sequence: number
  checkoutUrl: string | null
  receivedAmount: bigint
  /** Time of the last callback about it. */
  toldAt: string | null
  createdAt: string
}

/** State of a deposit, from a response or a callback. */
export type DepositUpdate = {
  status: OrderStatus
  sequence?: number
  checkoutUrl?: string | null
  receivedAmount?: bigint
  toldAt?: string
}

/** What customers see of the id, in the shop and on the payment page. */
export const orderNumber = (id: string): string => id.slice(0, 6)

export type Orders = {
  place: (order: Pick<Order, 'customerName' | 'basket' | 'amount'>) => Order
  find: (id: string) => Order | null
  findByProcessId: (processId: string) => Order | null
  applyUpdate: (order: Order, update: DepositUpdate) => Order
  stop: () => void
}

const PREFIX = 'order-'
const FINAL = new Set<OrderStatus>(['completed', 'failed', 'cancelled'])

export function openOrders({ path, now }: { path: string; now: Now }): Orders {
  const { journal, entries } = openJournal(path)
  const orders = new Map<string, Order>()
  // Each line is a complete order: the last one counts.
  for (const entry of entries) put(orders, readOrder(entry))
  const save = (order: Order) => {
    journal.append([order])
    return put(orders, order)
  }
  const find = (id: string) => orders.get(id) ?? null
  return {
    find,
    findByProcessId: (processId) => (processId.startsWith(PREFIX) ? find(processId.slice(PREFIX.length)) : null),
    place(order) {
      const id = randomBytes(8).toString('hex')
      const initial = { status: 'asked', sequence: -1, checkoutUrl: null, receivedAmount: 0n, toldAt: null } as const
      return save({ id, processId: PREFIX + id, ...order, ...initial, createdAt: now().toISOString() })
    },
    applyUpdate(order, update) {
      const current = find(order.id) ?? order
      const next = { ...current, ...withoutUndefined(update) }
      const unchanged = JSON.stringify(next, plain) === JSON.stringify(current, plain)
      return unchanged || isOutdated(current, update) ? current : save(next)
    },
    stop: () => journal.close(),
  }
}

export function depositStatus(value: unknown): DepositStatus | null {
  return DEPOSIT_STATUSES.find((status) => status === value) ?? null
}

function isOutdated(current: Order, { status, sequence }: DepositUpdate): boolean {
  if (sequence !== undefined) return sequence < current.sequence
  return FINAL.has(current.status) && status !== current.status
}

function withoutUndefined(update: DepositUpdate): DepositUpdate {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)) as DepositUpdate
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function put(orders: Map<string, Order>, order: Order): Order {
  orders.set(order.id, order)
  return order
}

function readOrder(entry: object): Order {
  const { amount, receivedAmount } = entry as { amount: number; receivedAmount: number }
  return { toldAt: null, ...entry, amount: BigInt(amount), receivedAmount: BigInt(receivedAmount) } as Order
}
