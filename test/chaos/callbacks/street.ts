import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Kind, Note, Order, Told } from './note.ts'

export type Testimony = {
  notes: Note[]
  canary: number
  mostAtOnce: Map<number, number>
  /** Of the healthy: how late their own clock ticked, 99 times of 100. */
  lateMs: number
}

/** All merchants' servers. A receiver's number is its place in the list of kinds. */
export type Street = {
  urls: string[]
  newSecret: (receiver: number, secret: string) => Promise<void>
  becomeHealthy: () => Promise<void>
  testify: () => Promise<Testimony>
  close: () => Promise<void>
}

type House = { ask: (order: Order) => Promise<Told>; close: () => Promise<void> }

const RECEIVERS = join(import.meta.dirname, 'receivers.ts')

/** The healthy in one process, the others in another: what bombs cost does not hold up those whose time is measured. */
export async function openStreet(kinds: Kind[]): Promise<Street> {
  const houses = [openHouse(), openHouse()] as const
  const houseOf = (receiver: number) => houses[kinds[receiver] === 'healthy' ? 0 : 1]
  const urls: string[] = []
  const lists = houses.map((house) => {
    return kinds.flatMap((kind, receiver) => (houseOf(receiver) === house ? [{ receiver, kind }] : []))
  })
  for (const [index, house] of houses.entries()) {
    const { opened } = await house.ask({ open: lists[index] ?? [] })
    for (const { receiver, url } of opened ?? []) urls[receiver] = url
  }
  return {
    urls,
    newSecret: async (receiver, secret) => void (await houseOf(receiver).ask({ newSecret: { receiver, secret } })),
    becomeHealthy: async () => void (await Promise.all(houses.map(({ ask }) => ask({ becomeHealthy: true })))),
    async testify() {
      const all = await Promise.all(houses.map(({ ask }) => ask({ tell: true })))
      return {
        notes: all.flatMap(({ notes }) => notes ?? []),
        canary: all.reduce((sum, { canary }) => sum + (canary ?? 0), 0),
        lateMs: all[0]?.lateMs ?? 0,
        mostAtOnce: new Map(all.flatMap(({ mostAtOnce }) => mostAtOnce ?? [])),
      }
    },
    close: async () => void (await Promise.all(houses.map(({ close }) => close()))),
  }
}

/** One question at a time, each answered in its turn. */
function openHouse(): House {
  const child = fork(RECEIVERS, { serialization: 'advanced' })
  const exited = once(child, 'exit').then(() => {
    throw new Error('The receivers ended by themselves.')
  })
  exited.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async (order: Order): Promise<Told> => {
    child.send(order)
    const [told] = (await Promise.race([once(child, 'message'), exited])) as [Told]
    return told
  }
  return {
    ask(order) {
      const answer = last.then(() => inTurn(order))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      child.disconnect()
      await exited.catch(() => undefined)
    },
  }
}
