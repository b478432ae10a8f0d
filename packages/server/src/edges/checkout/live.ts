import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deposit, DepositWatch } from '../../domain/deposits/index.ts'

/** Proxies close an idle connection after about 30 seconds. */
const HEARTBEAT_MS = 15_000
/** More tabs than any customer has; the oldest stream is closed, and its page polls from then on. */
const MAX_STREAMS_PER_DEPOSIT = 10

/** Event streams of open pages. They contain only version numbers; the page then fetches what it may see. */
export function openStreams(scope: FastifyInstance, watch: DepositWatch) {
  const open = new Map<string, Set<PassThrough>>()
  let closing = false
  // An open stream would keep the server from closing, and so would a page that opens a new one during shutdown.
  scope.addHook('preClose', async () => {
    closing = true
    for (const streams of open.values()) for (const stream of streams) stream.end()
  })

  function start(deposit: Deposit): PassThrough {
    const stream = new PassThrough()
    const streams = open.get(deposit.id) ?? new Set()
    open.set(deposit.id, streams.add(stream))
    const [oldest] = streams
    if (streams.size > MAX_STREAMS_PER_DEPOSIT) oldest?.end()
    const tell = (version: number) => void (stream.writable && stream.write(`data: ${version}\n\n`))
    const unwatch = watch.watch(deposit, tell)
    const heartbeat = setInterval(() => void (stream.writable && stream.write(':\n\n')), HEARTBEAT_MS)
    stream.once('close', () => {
      clearInterval(heartbeat)
      unwatch()
      streams.delete(stream)
      if (streams.size === 0) open.delete(deposit.id)
    })
    tell(deposit.version)
    if (closing) stream.end()
    return stream
  }

  return (deposit: Deposit, reply: FastifyReply) => {
    void reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      // The connection closes with its stream, so that a closing server does not wait for it to become idle.
      connection: 'close',
      // Otherwise a buffering proxy would delay the events.
      'x-accel-buffering': 'no',
    })
    return reply.send(start(deposit))
  }
}
