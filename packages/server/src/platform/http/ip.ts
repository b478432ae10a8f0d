import ipaddr from 'ipaddr.js'
import { memoize } from '../concurrency/memoize.ts'

/** One implementation decides about addresses: strict decimal IPv4, IPv6, and IPv4-mapped IPv6 read as the IPv4 it is. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = { address: Address; bits: number }

export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return null
  // The old ::10.0.0.1 is no way to write 10.0.0.1; only ::ffff:10.0.0.1 is, and strict decimal there too.
  const [, tail] = /^::ffff:([^:]+)$/i.exec(text) ?? []
  if (text.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(tail ?? '')) return null
  const v6 = ipaddr.IPv6.parse(text)
  return v6.isIPv4MappedAddress() ? v6.toIPv4Address() : v6
}

/** "10.0.0.0/8", "2001:db8::/32", or one address. Null when it is not one of these. */
export function parseNetwork(text: string): Network | null {
  const [host = '', prefix, ...more] = text.split('/')
  const address = parseAddress(host)
  if (!address || more.length > 0) return null
  const size = address.kind() === 'ipv4' ? 32 : 128
  if (prefix === undefined) return { address, bits: size }
  // A mapped network such as ::ffff:10.0.0.0/104 would need its prefix translated: write it as IPv4 instead.
  if (host.includes(':') && size === 32) return null
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > size) return null
  return { address, bits: Number(prefix) }
}

export function inNetworks(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    (network) => address.kind() === network.address.kind() && address.match(network.address, network.bits),
  )
}

/** Only those of sockets: what stands in a header is as long, and as often new, as its sender likes. */
const socketAddressOf = memoize(parseAddress)

/**
 * The caller's address: the socket's, unless that is a trusted proxy. Then the nearest address in X-Forwarded-For, read
 * from the right, that is not itself a trusted proxy. Whatever stands further left was written by the caller.
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

/** What counts as one caller: an IPv4 address, or an IPv6 /64, which a single customer has all of. */
export function callerGroup(address: Address): string {
  return address instanceof ipaddr.IPv4 ? address.toString() : `${hex(address.parts.slice(0, 4))}::/64`
}

/** The network that an address lies in, for logs that must not name a person: 203.0.113.0/24, 2001:db8:1::/48. */
export function maskAddress(address: Address): string {
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0/24`
  return `${hex(address.parts.slice(0, 3))}::/48`
}

function hex(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(':')
}
