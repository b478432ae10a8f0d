import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Command, Kind, Note, Reply } from './note.ts'

export type ReceiverNotes = {
  notes: Note[]
  canary: number
  mostAtOnce: Map<number, number>
  /** Event loop delay (p99) of the process with the healthy receivers. */
  lateMs: number
}

/** All merchants' servers. A receiver's number is its place in the list of kinds. */
export type Receivers = {
  urls: string[]
  newSecret: (receiver: number, secret: string) => Promise<void>
  becomeHealthy: () => Promise<void>
  collectNotes: () => Promise<ReceiverNotes>
  close: () => Promise<void>
}

type ReceiverProcess = { ask: (command: Command) => Promise<Reply>; close: () => Promise<void> }

const RECEIVERS = join(import.meta.dirname, 'receivers.ts')

/** Healthy receivers in one process, the others in another, so that hostile ones do not delay those that are measured. */
export async function startReceivers(kinds: Kind[]): Promise<Receivers> {
  const processes = [startReceiverProcess(), startReceiverProcess()] as const
  const processOf = (receiver: number) => processes[kinds[receiver] === 'healthy' ? 0 : 1]
  const urls: string[] = []
  const lists = processes.map((one) => {
    return kinds.flatMap((kind, receiver) => (processOf(receiver) === one ? [{ receiver, kind }] : []))
  })
  for (const [index, { ask }] of processes.entries()) {
    const { opened } = await ask({ open: lists[index] ?? [] })
    for (const { receiver, url } of opened ?? []) urls[receiver] = url
  }
  return {
    urls,
    newSecret: async (receiver, secret) => void (await processOf(receiver).ask({ newSecret: { receiver, secret } })),
    becomeHealthy: async () => void (await Promise.all(processes.map(({ ask }) => ask({ becomeHealthy: true })))),
    async collectNotes() {
      const all = await Promise.all(processes.map(({ ask }) => ask({ report: true })))
      return {
        notes: all.flatMap(({ notes }) => notes ?? []),
        canary: all.reduce((sum, { canary }) => sum + (canary ?? 0), 0),
        lateMs: all[0]?.lateMs ?? 0,
        mostAtOnce: new Map(all.flatMap(({ mostAtOnce }) => mostAtOnce ?? [])),
      }
    },
    close: async () => void (await Promise.all(processes.map(({ close }) => close()))),
  }
}

/** Runs one command at a time. */
function startReceiverProcess(): ReceiverProcess {
  const child = fork(RECEIVERS, { serialization: 'advanced' })
  const exited = once(child, 'exit').then(() => {
    throw new Error('The receivers ended by themselves.')
  })
  exited.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async (command: Command): Promise<Reply> => {
    child.send(command)
    const [reply] = (await Promise.race([once(child, 'message'), exited])) as [Reply]
    return reply
  }
  return {
    ask(command) {
      const answer = last.then(() => inTurn(command))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      child.disconnect()
      await exited.catch(() => undefined)
    },
  }
}
