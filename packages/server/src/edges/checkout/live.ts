import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deposit, DepositWatch } from '../../domain/deposits/index.ts'
import { eventStreams } from '../web/event-streams.ts'

/** More tabs than any customer has; the oldest stream is closed, and its page polls from then on. */
const MAX_STREAMS_PER_DEPOSIT = 10

/** Event streams of open pages. They contain only version numbers. */
export function openStreams(scope: FastifyInstance, watch: DepositWatch) {
  const streams = eventStreams(scope, { perKey: MAX_STREAMS_PER_DEPOSIT })
  return (deposit: Deposit, reply: FastifyReply) =>
    streams.send(reply, deposit.id, ({ write, onClose }) => {
      const tell = (version: number) => write(`data: ${version}\n\n`)
      onClose(watch.watch(deposit, tell))
      tell(deposit.version)
    })
}
