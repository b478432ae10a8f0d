import { inNetworks, isWithin, parseAddress, parseNetwork } from '../http/ip.ts'
import type { Network } from '../http/ip.ts'
import type { AddressFault, AddressProblem } from './address-problem.ts'

/**
 * Allowed destinations of callbacks. `public`: https, public addresses, ports 443 and 8443 (live). `loopback-too`: also
 * http, and loopback addresses on any port (sandbox).
 */
export type OutboundRules = 'public' | 'loopback-too'

type Address = NonNullable<ReturnType<typeof parseAddress>>

/** Ports of web servers: a callback must not reach mail servers or databases. */
const PORTS: Record<OutboundRules, readonly string[]> = {
  public: ['443', '8443'],
  // Plain http is for the sandbox only.
  'loopback-too': ['80', '443', '8443'],
}

/** All of IPv6 that is allocated. Ranges outside (NAT64, IPv4-compatible, …) often map to IPv4 addresses. */
const GLOBAL_IPV6 = network('2000::/3')

/** A public address that inside a cloud is the host of the machine. */
const CLOUD_HOSTS = [network('168.63.129.16')]

/** Where callbacks may be allowed in live. Loopback, link-local and multicast addresses are in none of these. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map(network)

/** In these, what gives a machine of a cloud its credentials: Alibaba, AWS, Google. */
const METADATA = ['100.100.100.200', 'fd00:ec2::/32', 'fd20:ce::/32'].map(network)

/** Names that never resolve on the public internet (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/

// Other programs parse or drop these differently, so the address shown to a person might not be the one used.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const AMBIGUOUS = /[\s\\\u0000-\u0020\u007f]/

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (!parsed) throw new Error(`${text} is not a network`)
  return parsed
}

const problem = (fault: AddressFault, ...named: string[]): AddressProblem => ({ fault, named })

/** What is wrong, or null. Checks everything that is known without DNS. */
export function addressProblem(url: string, rules: OutboundRules): AddressProblem | null {
  const result = readAddress(url, rules)
  return result instanceof URL ? null : result
}

/** The parsed address, or the problem with it. */
export function readAddress(text: string, rules: OutboundRules): URL | AddressProblem {
  if (AMBIGUOUS.test(text)) return problem('characters')
  const url = URL.parse(text)
  if (!url) return problem('unreadable')
  if (rules === 'public' && url.protocol !== 'https:') return problem('not_https')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return problem('not_http')
  // The parser accepts a missing or third slash; other parsers then take part of the path for the host.
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? []
  if (!authority) return problem('without_host')
  if (authority.includes('@')) return problem('with_login')
  return hostProblem(url, rules) ?? url
}

function hostProblem({ hostname, port, protocol }: URL, rules: OutboundRules): AddressProblem | null {
  const literal = parseLiteral(hostname)
  const usedPort = port || defaultPort(protocol)
  if (literal) return destinationProblem(literal, usedPort, rules)
  if (hostname.endsWith('.')) return problem('ends_with_dot')
  // A name with any port may resolve to loopback, which is checked at connect time.
  if (rules === 'loopback-too') return null
  if (LOCAL_NAME.test(hostname)) return problem('name_not_public', hostname)
  if (!hostname.includes('.')) return problem('name_not_full')
  return portProblem(usedPort, rules)
}

export function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80'
}

/** The IP address that a URL's host name is, or null if it is a name: 10.0.0.1 or [::1]. */
export function parseLiteral(hostname: string): Address | null {
  return parseAddress(hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)
}

/** Why this address and port are not allowed, or null. `allowed`: private networks. */
export function destinationProblem(
  address: Address,
  port: string,
  rules: OutboundRules,
  allowed: readonly Network[] = [],
): AddressProblem | null {
  if (rules === 'loopback-too' && address.range() === 'loopback') return null
  if (!isPublic(address) && !(isPrivate(address) && inNetworks(address, allowed)))
    return problem('address_not_public', address.toString())
  return portProblem(port, rules)
}

function portProblem(port: string, rules: OutboundRules): AddressProblem | null {
  const ports = PORTS[rules]
  if (ports.includes(port)) return null
  return problem('port', ...ports)
}

const isPrivate = (address: Address) => inNetworks(address, PRIVATE) && !inNetworks(address, METADATA)

/** Whether callbacks can be allowed to this network: a private one, without loopback, link-local and metadata addresses. */
export function isPrivateNetwork(text: string): boolean {
  const given = parseNetwork(text)
  const isIn = (networks: Network[]) => given !== null && networks.some((one) => isWithin(given, one))
  return isIn(PRIVATE) && !isIn(METADATA)
}

export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || inNetworks(address, CLOUD_HOSTS)) return false
  return address.kind() === 'ipv4' || inNetworks(address, [GLOBAL_IPV6])
}
