import ipaddr from 'ipaddr.js'
import { memoize } from '../concurrency/memoize.ts'

/** The only implementation for addresses: strict decimal IPv4, IPv6, and IPv4-mapped IPv6 treated as IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = { address: Address; bits: number }

export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null
  // The old form ::10.0.0.1 does not mean 10.0.0.1; only ::ffff:10.0.0.1 does, in strict decimal.
  const [, tail] = /^::ffff:([^:]+)$/i.exec(text) ?? []
  if (text.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(tail ?? '')) return null
  const v6 = ipaddr.IPv6.parse(text)
  return v6.isIPv4MappedAddress() ? v6.toIPv4Address() : v6
}

/** "10.0.0.0/8", "2001:db8::/32", or one address. Null if it is none of these. */
export function parseNetwork(text: string): Network | null {
  const [host = '', prefix, ...more] = text.split('/')
  const address = parseAddress(host)
  if (!address || more.length > 0) return null
  const size = address.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return { address, bits: size }
  // A mapped network such as ::ffff:10.0.0.0/104 would need its prefix translated: use the IPv4 form.
  if (host.includes(':') && size === 32) return null
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > size) return null
  return { address, bits: Number(prefix) }
}

export function inNetworks(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    (network) => address.kind() === network.address.kind() && address.match(network.address, network.bits),
  )
}

/** All of one network is in the other, and it is written without bits of a host in it: not 10.1.2.3/8. */
export function isWithin({ address, bits }: Network, outer: Network): boolean {
  const host = address
    .toByteArray()
    .flatMap((byte) => Array.from({ length: 8 }, (_, place) => (byte >> (7 - place)) & 1))
  return bits >= outer.bits && inNetworks(address, [outer]) && !host.slice(bits).includes(1)
}

/** Only for sockets: header values are unbounded and chosen by the sender. */
const socketAddressOf = memoize(parseAddress)

/**
 * The caller's address: the socket's, or behind a trusted proxy the rightmost address in X-Forwarded-For that is not a
 * trusted proxy. Entries further left are written by the caller.
 */
export function callerAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Network[],
): Address | null {
  let caller = socketAddressOf(socketAddress ?? '')
  const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? []
  while (caller && hops.length > 0 && inNetworks(caller, trusted)) caller = parseAddress(hops.pop() ?? '')
  return caller
}

/** The unit for limits: an IPv4 address, or an IPv6 /64, which one customer usually owns. */
export function callerGroup(address: Address): string {
  return address instanceof ipaddr.IPv4 ? address.toString() : `${hex(address.parts.slice(0, 4))}::/64`
}

/** The network of an address, for logs that must not identify a person: 203.0.113.0/24, 2001:db8:1::/48. */
export function maskAddress(address: Address): string {
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0/24`
  return `${hex(address.parts.slice(0, 3))}::/48`
}

function hex(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(':')
}
