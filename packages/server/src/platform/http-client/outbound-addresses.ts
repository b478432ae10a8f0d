import { inNetworks, parseAddress, parseNetwork } from '../http/ip.ts'
import type { Network } from '../http/ip.ts'

/**
 * Where callbacks may go. `public`: https, public addresses, ports 443 and 8443 (live). `loopback-too`: also http, and
 * loopback addresses on any port (sandbox).
 */
export type OutboundRules = 'public' | 'loopback-too'

type Address = NonNullable<ReturnType<typeof parseAddress>>

/** Ports where web servers live: a callback must not become a way to talk to mail servers or databases. */
const PORTS: Record<OutboundRules, readonly string[]> = {
  public: ['443', '8443'],
  // Plain http is for the sandbox only.
  'loopback-too': ['80', '443', '8443'],
}

/** All of IPv6 that was ever given out. What lies outside (NAT64, IPv4-compatible, …) often leads to IPv4 in disguise. */
const GLOBAL_IPV6 = network('2000::/3')

/** Public by its number, but inside of a cloud it is the machine's own host. */
const HOSTS_OF_CLOUDS = [network('168.63.129.16')]

/** Names that never lead to the public internet (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/

// Other programs read these differently, or drop them: what is shown to a person would not be where it goes.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNCLEAR = /[\s\\\u0000-\u0020\u007f]/

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (!parsed) throw new Error(`${text} is not a network`)
  return parsed
}

/** A problem in words for people, or null. Everything that can be known without DNS. */
export function addressProblem(url: string, rules: OutboundRules): string | null {
  const read = readAddress(url, rules)
  return typeof read === 'string' ? read : null
}

/** The address as it will be used, or what is wrong with it. */
export function readAddress(text: string, rules: OutboundRules): URL | string {
  if (UNCLEAR.test(text)) return 'must not contain spaces, control characters or backslashes'
  const url = URL.parse(text)
  if (!url) return 'is not a web address'
  if (rules === 'public' && url.protocol !== 'https:') return 'must be https'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be http or https'
  // The parser forgives a missing or a third slash; others then take a part of the path for the host.
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? []
  if (!authority) return 'must name a host after //'
  if (authority.includes('@')) return 'must not carry a user name or password'
  return hostProblem(url, rules) ?? url
}

function hostProblem({ hostname, port, protocol }: URL, rules: OutboundRules): string | null {
  const literal = parseLiteral(hostname)
  const usedPort = port || defaultPort(protocol)
  if (literal) return placeProblem(literal, usedPort, rules)
  if (hostname.endsWith('.')) return 'must not end its host name with a dot'
  // A name with any port may lead to loopback: known when it is resolved.
  if (rules === 'loopback-too') return null
  if (LOCAL_NAME.test(hostname)) return `${hostname} is not a public name`
  if (!hostname.includes('.')) return 'must name its host in full, such as hooks.example.com'
  return portProblem(usedPort, rules)
}

export function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80'
}

/** The address that a host name of a URL is, when it is no name: 10.0.0.1 or [::1]. */
export function parseLiteral(hostname: string): Address | null {
  return parseAddress(hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)
}

/** Why nothing is sent to this place, or null. */
export function placeProblem(address: Address, port: string, rules: OutboundRules): string | null {
  if (rules === 'loopback-too' && address.range() === 'loopback') return null
  if (!isPublic(address)) return `${address.toString()} is not a public address`
  return portProblem(port, rules)
}

function portProblem(port: string, rules: OutboundRules): string | null {
  const ports = PORTS[rules]
  if (ports.includes(port)) return null
  return `must use port ${ports.slice(0, -1).join(', ')} or ${ports.at(-1)}`
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || inNetworks(address, HOSTS_OF_CLOUDS)) return false
  return address.kind() === 'ipv4' || inNetworks(address, [GLOBAL_IPV6])
}
