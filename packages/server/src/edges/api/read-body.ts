import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import { parseStrictJson } from '../../platform/json/strict-json.ts'
import { unusuallyWritten } from '../../platform/json/written-number.ts'

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** The parsed body, not yet validated against its schema. Undefined if there is none. */
export function readBody(
  request: FastifyRequest,
  body: Buffer,
  { needsBody, hasAmount }: { needsBody: boolean; hasAmount: boolean },
): unknown {
  if (request.method === 'GET') {
    if (announcesBody(request.raw)) throw new Refusal('VALIDATION_ERROR', 'A GET request carries no body.')
    return undefined
  }
  if (body.length === 0) {
    if (needsBody) throw new Refusal('VALIDATION_ERROR', 'The request body is missing; send a JSON object.')
    return undefined
  }
  if (request.contentType !== 'application/json' && !JSON_TYPE.test(request.contentType)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.')
  }
  // The signed string has no separators; requiring { as the first byte keeps a body from being read as the end of a path.
  if (body[0] !== 0x7b) throw new Refusal('VALIDATION_ERROR', notAnObject(body))
  const value = parseStrictJson(body)
  if (hasAmount) checkAmount(body)
  return value
}

function notAnObject(body: Buffer): string {
  if (body.subarray(0, 3).equals(BYTE_ORDER_MARK))
    return 'The request body starts with a byte order mark (BOM); send UTF-8 without one.'
  if (body[0] === 0x22) return 'The request body is a JSON string: it was encoded twice. Send the object itself.'
  return 'The request body must be a JSON object, from its first byte on.'
}

/** The body of a GET is not read; only its headers show that there is one. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** JSON parses 1250.00 as 1250 kuruş, but a caller who writes it means lira. */
function checkAmount(body: Buffer): void {
  const written = unusuallyWritten(body, 'amount')
  if (written === null) return
  const example = 'write whole kuruş without a point or an exponent: 125000 for 1.250,00 TL'
  throw invalidField('amount', `is written as ${written.slice(0, 40)}; ${example}`)
}
