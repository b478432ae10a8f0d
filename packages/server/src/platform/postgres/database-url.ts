import { accessSync, constants } from 'node:fs'
import { inNetworks, parseAddress, parseNetwork } from '../http/ip.ts'

const LOOPBACK = ['127.0.0.0/8', '::1'].flatMap((network) => parseNetwork(network) ?? [])

/** A loopback address or `localhost`. Any other name may resolve to another machine. */
export function isLoopback(host: string): boolean {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'))
  return host === 'localhost' || (address !== null && inNetworks(address, LOOPBACK))
}

const USE_INSTEAD =
  'write postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path/to/ca.pem ' +
  '(without sslrootcert the certificate authorities of Node are trusted)'

/**
 * Why live mode does not accept this address, or null. Over a network only `sslmode=verify-full` authenticates the
 * server: other modes of pg 8 check no name or nothing, or will with pg 9.
 */
export function tlsProblem(url: URL): string | null {
  const valuesOf = (name: string) => url.searchParams.getAll(name)
  // As pg reads it: the last value counts, and a parameter overrides the host of the address.
  const host = valuesOf('host').at(-1) || decodeURIComponent(url.hostname)
  if (host === '') return `names no host, so PGHOST would decide; ${USE_INSTEAD}`
  if (host.startsWith('/') || isLoopback(host)) return null
  const [mode, ...more] = valuesOf('sslmode')
  if (mode === undefined) return `does not ask for TLS; ${USE_INSTEAD}`
  if (mode !== 'verify-full' || more.length > 0) return `has an sslmode that may not verify the server; ${USE_INSTEAD}`
  const unsupported = ['ssl', 'uselibpqcompat'].find((name) => valuesOf(name).length > 0)
  if (unsupported) return `has ${unsupported}, which changes what sslmode means; ${USE_INSTEAD}`
  const missing = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => valuesOf(name).some((file) => !isReadable(file)))
  return missing ? `names a file in ${missing} that cannot be read` : null
}

/** The hosts of an address and the one that new connections use. */
export type Hosts = {
  all: readonly string[]
  count: number
  /** Whether a host must accept writes to be chosen. */
  writable: boolean
  current: () => string
  /** Switches to the next host, unless another one is current already. */
  failed: (url: string) => void
}

/** Splits an address into one per host: postgres://u:p@h1:5432,h2:5432/name becomes two. Null if it is invalid. */
export function splitHosts(text: string): URL[] | null {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (before === undefined || hosts === undefined) return null
  const urls = hosts.split(',').map((host) => URL.parse(before + host + after))
  return urls.every((url) => url !== null) ? urls : null
}

/** A password with / ? or # ends the host early; what follows would be shown in errors. */
export function passwordProblem(urls: URL[]): string | null {
  const isCut = urls.some(({ pathname, search, hash }) => (pathname + search + hash).includes('@'))
  return isCut ? 'has an @ after its host; write / ? # @ of a password as %2F %3F %23 %40' : null
}

/** The hosts of an address, for messages: never its password. */
export function hostsOf(text: string): string {
  return (
    splitHosts(text)
      ?.map(({ host }) => decodeURIComponent(host))
      .join(',') || 'DATABASE_URL'
  )
}

/** Its name, as pg reads it. */
export function databaseOf(text: string): string {
  return decodeURIComponent(splitHosts(text)?.[0]?.pathname.slice(1) ?? '')
}

const ATTRIBUTES = 'target_session_attrs'

/** The problem with an address of several hosts, or null. */
export function hostsProblem([first, ...others]: URL[]): string | null {
  const wanted = first?.searchParams.get(ATTRIBUTES) ?? 'any'
  if (!['any', 'read-write', 'primary'].includes(wanted))
    return `has ${ATTRIBUTES}=${wanted}; Vezne writes, so use read-write, or leave it out`
  if (others.length > 0 && [first, ...others].some((url) => url?.searchParams.has('host') || url?.hostname === ''))
    return 'lists several hosts and an empty one, or a host parameter too; write postgres://user:password@host1:5432,host2:5432/name'
  return null
}

/** With several hosts, only a writable one is used; a single host is checked if the address asks for it. */
export function openHosts(text: string): Hosts {
  const urls = splitHosts(text) ?? []
  const wanted = urls[0]?.searchParams.get(ATTRIBUTES) ?? 'any'
  const hosts = urls.length > 1 ? urls.map(({ href }) => href) : [text]
  let index = 0
  const current = () => hosts[index] as string
  return {
    all: hosts,
    count: hosts.length,
    writable: hosts.length > 1 || wanted !== 'any',
    current,
    failed(url) {
      if (url === current()) index = (index + 1) % hosts.length
    },
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}
