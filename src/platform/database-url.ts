import { accessSync, constants } from 'node:fs'
import { inNetworks, parseAddress, parseNetwork } from './ip.ts'

const LOOPBACK = ['127.0.0.0/8', '::1'].flatMap((network) => parseNetwork(network) ?? [])

/** A loopback address or `localhost`. Any other name may resolve to another machine. */
export function isLoopback(host: string): boolean {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'))
  return host === 'localhost' || (address !== null && inNetworks(address, LOOPBACK))
}

const WRITE =
  'write postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path/to/ca.pem ' +
  '(without sslrootcert the certificate authorities of Node are trusted)'

/**
 * Why live does not accept this address, or null. Over a network only `sslmode=verify-full` proves who the server is: the other
 * modes of pg 8 check no name or nothing, or will with pg 9.
 */
export function tlsProblem(url: URL): string | null {
  const given = (name: string) => url.searchParams.getAll(name)
  // As pg reads it: the last one counts, and a parameter beats the host of the address.
  const host = given('host').at(-1) || decodeURIComponent(url.hostname)
  if (host === '') return `names no host, so PGHOST would decide; ${WRITE}`
  if (host.startsWith('/') || isLoopback(host)) return null
  const [mode, ...more] = given('sslmode')
  if (mode === undefined) return `does not ask for TLS; ${WRITE}`
  if (mode !== 'verify-full' || more.length > 0) return `has an sslmode that may not verify the server; ${WRITE}`
  const strange = ['ssl', 'uselibpqcompat'].find((name) => given(name).length > 0)
  if (strange) return `has ${strange}, which changes what sslmode means; ${WRITE}`
  const missing = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => given(name).some((file) => !isReadable(file)))
  return missing ? `names a file in ${missing} that cannot be read` : null
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
