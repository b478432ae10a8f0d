import { setTimeout as pause } from 'node:timers/promises'
import type { VezneEvent } from '@vezne/sdk'
import type { Gate } from '../../../../platform/concurrency/gate.ts'
import { openGate } from '../../../../platform/concurrency/gate.ts'
import { Explained } from '../../core/context.ts'
import { printToStderr } from '../../core/output.ts'
import type { Answer } from './post-event.ts'
import { postEvent } from './post-event.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10_000
/** Transactions whose events are sent concurrently. */
const MAX_CONCURRENT = 8

type Settings = {
  url: string
  secret: string
  /** Drop an event after this many refusals; null: never. */
  skipAfter: number | null
  /** Try each event once, then stop. */
  once: boolean
  /** Interrupts the wait between two attempts. */
  stop: AbortSignal
  onThrough: (event: VezneEvent, answer: Answer, skipped: boolean) => void
}

/**
 * Each transaction has its own queue, as in the service: an event waits until the previous one is accepted or dropped, and a refusal in one
 * queue does not block the others.
 */
export function forwardEvents(settings: Settings) {
  const queues = new Map<string, VezneEvent[]>()
  const gate = openGate(MAX_CONCURRENT)
  const drains = new Set<Promise<void>>()
  const stopped: string[] = []
  const broken = Promise.withResolvers<never>()
  // Callers await it later; without a handler now, an early rejection would end the process.
  broken.promise.catch(() => undefined)

  async function drain(transactionId: string, queue: VezneEvent[]): Promise<void> {
    for (let event = queue[0]; event; event = queue[0]) {
      const refused = await send(settings, gate, event)
      if (refused !== null) return void stopped.push(`${refused}. It is the first to be sent next time.`)
      queue.shift()
    }
    queues.delete(transactionId)
  }

  return {
    take(event: VezneEvent): void {
      const queue = queues.get(event.transactionId)
      if (queue) return void queue.push(event)
      const fresh = [event]
      queues.set(event.transactionId, fresh)
      const drained = drain(event.transactionId, fresh).catch(broken.reject)
      drains.add(drained)
      void drained.finally(() => drains.delete(drained))
    },
    /** Rejects if forwarding itself fails. */
    broken: broken.promise,
    /** Waits until every queue is empty or stopped at a refused event. */
    async finish(): Promise<void> {
      while (drains.size > 0) await Promise.race([Promise.all(drains), broken.promise])
      if (stopped.length > 0) throw new Explained(stopped)
    },
  }
}

/** Null once the event is accepted or dropped. With `once`, a refused event stays queued and the text says what happened. */
async function send(settings: Settings, gate: Gate, event: VezneEvent): Promise<string | null> {
  const { url, secret, skipAfter, once, stop, onThrough } = settings
  for (let tries = 1, refusals = 0; ; tries++) {
    const answer = await gate(url, () => postEvent(url, secret, event))
    if (answer.refused) refusals++
    const answered = answer.status === null ? 'did not answer' : 'answered'
    const words = `${event.type} ${event.eventId}: ${url} ${answered} ${answerText(answer)}`
    const skipped = skipAfter !== null && refusals >= skipAfter
    if (skipped) printToStderr(`${words}; skipped after ${refusals} refusals`)
    if (answer.accepted || skipped) {
      onThrough(event, answer, skipped)
      return null
    }
    if (once && (skipAfter === null || !answer.refused)) return words
    const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1))
    printToStderr(`${words}; again in ${wait / 1000} s`)
    await pause(wait, undefined, { signal: stop })
  }
}

/** "200: ok", or in brackets the reason why there was no response. */
export function answerText({ status, text }: Answer): string {
  if (status === null) return `(${text})`
  return text === '' ? String(status) : `${status}: ${text}`
}
