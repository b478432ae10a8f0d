import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** `policy`: the browser shows it, under this content security policy. */
export type Download = { name: string; type: string; body: Readable | Buffer; policy?: string }

export function sendDownload(reply: FastifyReply, { name, type, body, policy }: Download): FastifyReply {
  if (policy !== undefined) void reply.header('content-security-policy', policy)
  const how = policy === undefined ? 'attachment' : 'inline'
  return reply.header('content-disposition', `${how}; filename="${name}"`).type(type).send(body)
}
