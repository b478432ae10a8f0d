import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../platform/refusal.ts'

/** Requests that a proxy or another parser in between might interpret differently. Refused on every route. */
export function malformedRequest(request: IncomingMessage & { originalUrl?: string }): Refusal | undefined {
  const { httpVersion, headers, rawHeaders, url, originalUrl = url } = request
  // Node also accepts HTTP/0.9 and HTTP/2.0 in a request line. Many proxies and probes use HTTP/1.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return new Refusal('VALIDATION_ERROR', 'This version of HTTP is not spoken here; use HTTP/1.1.')
  if (httpVersion === '1.1' && headers.host === undefined)
    return new Refusal('VALIDATION_ERROR', 'The Host header is missing.')
  if (hasTwoHosts(rawHeaders)) return new Refusal('VALIDATION_ERROR', 'The Host header was sent more than once.')
  // Node ignores any coding listed before the last one and would take the body as it is.
  if (headers['transfer-encoding'] !== undefined && !/^chunked$/i.test(headers['transfer-encoding']))
    return new Refusal('VALIDATION_ERROR', 'Of the transfer codings, only chunked is taken.')
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
    return new Refusal('VALIDATION_ERROR', 'The Expect header asks for something we do not do.')
  // Rewritten before routing (guard-http.ts), so that it comes here.
  if (originalUrl !== url) return new Refusal('VALIDATION_ERROR', 'The path has an escape that is not UTF-8.')
  // The signed string has no separators, and a body starts with {.
  if (url?.includes('{')) return new Refusal('NOT_FOUND', 'There is nothing at this address: it has a { in it.')
  return undefined
}

/** Uses the raw list of alternating names and values: Node keeps only the first Host. */
function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
