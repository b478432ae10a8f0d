import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Proxies close an idle connection after about 30 seconds. */
const HEARTBEAT_MS = 15_000

type Limits = {
  /** The oldest stream of a key is closed for a new one. */
  perKey: number
  /** Its last event. */
  replaced?: string
  /** Beyond these no stream is opened. */
  total?: number
}

export type EventStream = { write: (event: string) => void; end: () => void; onClose: (then: () => void) => void }

/** Event streams of open pages, by whom they belong to. They contain no data; the page then fetches what it may see. */
export function eventStreams(scope: FastifyInstance, limits: Limits) {
  const { perKey, replaced = '', total = Number.POSITIVE_INFINITY } = limits
  const open = new Map<string, Set<PassThrough>>()
  let [count, closing] = [0, false]
  // An open stream would keep the server from closing, and so would a page that opens a new one during shutdown.
  scope.addHook('preClose', async () => {
    closing = true
    for (const streams of open.values()) for (const stream of streams) stream.end()
  })

  function start(key: string): PassThrough {
    const stream = new PassThrough()
    const streams = open.get(key) ?? new Set()
    open.set(key, streams.add(stream))
    count += 1
    const [oldest] = streams
    if (streams.size > perKey) oldest?.end(replaced)
    const heartbeat = setInterval(() => void (stream.writable && stream.write(':\n\n')), HEARTBEAT_MS)
    stream.once('close', () => {
      clearInterval(heartbeat)
      streams.delete(stream)
      count -= 1
      if (streams.size === 0) open.delete(key)
    })
    return stream
  }

  return {
    isFull: () => count >= total,
    /** `begin` writes the first events. */
    send(reply: FastifyReply, key: string, begin: (stream: EventStream) => void): FastifyReply {
      const stream = start(key)
      begin({
        write: (event) => void (stream.writable && stream.write(event)),
        end: () => void stream.end(),
        onClose: (then) => void stream.once('close', then),
      })
      if (closing) stream.end()
      void reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // The connection closes with its stream, so that a closing server does not wait for it to become idle.
        connection: 'close',
        // Otherwise a buffering or compressing proxy would delay the events.
        'x-accel-buffering': 'no',
        'cache-control': 'no-store, no-transform',
      })
      return reply.send(stream)
    },
  }
}
