import type { LookupAddress } from 'node:dns'
import type { Socket } from 'node:net'
import net from 'node:net'
import tls from 'node:tls'
import type { Network } from '../http/ip.ts'
import { parseAddress } from '../http/ip.ts'
import type { AddressProblem } from './address-problem.ts'
import { addressText } from './address-problem.ts'
import type { OutboundRules } from './outbound-addresses.ts'
import { defaultPort, destinationProblem, isPublic, parseLiteral } from './outbound-addresses.ts'

/** Why a connection could not be made. */
export class ConnectFailure extends Error {
  readonly outcome: 'tls' | 'dns' | 'refused'

  constructor(outcome: ConnectFailure['outcome'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConnectFailure'
    this.outcome = outcome
  }
}

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>
/** Those that people have allowed for a sender. */
export type PrivateNetworks = (sender: string) => Promise<readonly Network[]>
type Target = { protocol: string; hostname: string; port: string }
type Done = (...outcome: [null, Socket] | [Error, null]) => void

/** Connects, then calls back. Returns a function that aborts. */
export type Connect = (target: Target, done: Done) => () => void
export type ConnectFor = (sender: string) => Connect

type Address = NonNullable<ReturnType<typeof parseAddress>>
type Attempt = { stopped: boolean; socket: Socket | null }

/** A name with many dead addresses must not use up the whole deadline. */
const MAX_ADDRESSES = 4
/** Per address, except the last: after this time the next one is tried. */
const TIMEOUT_MS = 2_000

type Options = { rules: OutboundRules; resolve: Resolve; privateNetworks?: PrivateNetworks | undefined }

/**
 * Connects only to checked addresses: a name is resolved once per connection, all its addresses must be allowed, and
 * the connection uses a checked one. This defeats DNS rebinding.
 */
export function openConnector({ rules, resolve, privateNetworks }: Options): ConnectFor {
  const lookups = new Map<string, Promise<LookupAddress[]>>()

  /** Concurrent connections to one name share a lookup: a stalled name server must not occupy every resolver thread. */
  function lookup(host: string): Promise<LookupAddress[]> {
    const existing = lookups.get(host)
    if (existing) return existing
    const started = Promise.try(resolve, host).finally(() => lookups.delete(host))
    lookups.set(host, started)
    return started
  }

  /** None while the database does not say: the callback is tried again. */
  const allowedNow = async (sender: string) => (await privateNetworks?.(sender).catch(() => [])) ?? []

  async function addressesOf(sender: string, { hostname, port, protocol }: Target): Promise<Address[]> {
    const usedPort = port || defaultPort(protocol)
    const literal = parseLiteral(hostname)
    const addresses = literal ? [literal] : await resolved(lookup(hostname), hostname)
    // An address that is written in the endpoint itself was checked when it was saved, and is never private.
    const allowed = literal || addresses.every(isPublic) ? [] : await allowedNow(sender)
    for (const address of addresses) {
      const problem = destinationProblem(address, usedPort, rules, allowed)
      if (!problem) continue
      // Does not reveal the address to someone who does not own the name: it may be the name of an internal machine.
      throw new ConnectFailure('refused', literal ? addressText(problem) : nameProblem(problem, hostname))
    }
    return interleaveFamilies(addresses)
  }

  async function connect(sender: string, target: Target, attempt: Attempt, done: Done): Promise<void> {
    let socket: Socket
    try {
      socket = await connectToAny(await addressesOf(sender, target), target, attempt)
    } catch (error) {
      done(error as Error, null)
      return
    }
    done(null, socket)
  }

  return (sender) => (target, done) => {
    const attempt: Attempt = { stopped: false, socket: null }
    void connect(sender, target, attempt, done)
    return () => {
      attempt.stopped = true
      attempt.socket?.destroy()
    }
  }
}

async function resolved(lookup: Promise<LookupAddress[]>, host: string): Promise<Address[]> {
  const found = await lookup.catch((error: NodeJS.ErrnoException) => {
    throw new ConnectFailure('dns', `${host} could not be resolved (${error.code ?? error.message})`, error)
  })
  if (found.length === 0) throw new ConnectFailure('dns', `${host} has no address`)
  return found.map(({ address }) => {
    const parsed = parseAddress(address)
    if (!parsed) throw new ConnectFailure('refused', `the address of ${host} is not a public address`)
    return parsed
  })
}

function nameProblem(problem: AddressProblem, host: string): string {
  return problem.fault === 'port' ? addressText(problem) : `the address of ${host} is not a public address`
}

/** The resolver's order, but with the other IP family second, in case one of them is unreachable. */
function interleaveFamilies(addresses: Address[]): Address[] {
  const [first, ...rest] = addresses
  if (!first) return []
  const other = rest.find((address) => address.kind() !== first.kind())
  const others = rest.filter((address) => address !== other)
  return [first, ...(other ? [other] : []), ...others].slice(0, MAX_ADDRESSES)
}

async function connectToAny(addresses: Address[], target: Target, attempt: Attempt): Promise<Socket> {
  for (const [index, address] of addresses.entries()) {
    if (attempt.stopped) break
    // By index: a name may have the same address twice, as the same object.
    const isLast = index === addresses.length - 1
    try {
      return await dial(address.toString(), target, attempt, isLast ? 0 : TIMEOUT_MS)
    } catch (error) {
      // The server was reached; its other addresses would fail in the same way.
      if (isLast || (error as ConnectFailure).outcome === 'tls') throw error
    }
  }
  throw new ConnectFailure('refused', 'the connection attempt was stopped')
}

function dial(address: string, target: Target, attempt: Attempt, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = target.protocol === 'https:'
    const options = { host: address, port: Number(target.port || defaultPort(target.protocol)), noDelay: true }
    const socket = secure ? tls.connect({ ...options, ...tlsIdentity(target.hostname) }) : net.connect(options)
    attempt.socket = socket
    const abort = () => socket.destroy(new ConnectFailure('refused', 'the connection could not be made in time'))
    const timer = timeoutMs > 0 ? setTimeout(abort, timeoutMs) : undefined
    let connected = false
    socket.once('connect', () => {
      connected = true
      if (parseAddress(socket.remoteAddress ?? '')?.toString() !== address)
        socket.destroy(new ConnectFailure('refused', 'the connection leads to another address than the checked one'))
    })
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      if (!socket.destroyed) resolve(socket)
    })
    // Stays for the life of the socket: an error without a listener would end the process.
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(asFailure(error, secure && connected))
    })
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new ConnectFailure('refused', 'the connection was closed'))
    })
  })
}

/**
 * The certificate must match the name, although the connection uses an IP address. Explicit, so that no Node setting
 * changes it.
 */
function tlsIdentity(hostname: string): tls.ConnectionOptions {
  const name = parseLiteral(hostname) ? {} : { servername: hostname }
  return { ...name, rejectUnauthorized: true, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] }
}

const MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
}

const TLS_MESSAGES: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  ECONNRESET: 'the connection was closed during the TLS handshake',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an issuer that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an issuer that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificates between the server's and its issuer's are missing",
}

type NodeError = NodeJS.ErrnoException & { reason?: string }

function asFailure(error: NodeError, handshake: boolean): ConnectFailure {
  if (error instanceof ConnectFailure) return error
  const { code = '', message } = error
  if (handshake) return new ConnectFailure('tls', tlsProblem(error), error)
  return new ConnectFailure('refused', MESSAGES[code] ?? message, error)
}

/** OpenSSL's message starts with numbers and ends with a file name; only its reason is useful to people. */
export function tlsProblem({ code = '', message, reason }: NodeError): string {
  return TLS_MESSAGES[code] ?? `TLS failed: ${reason ?? message}`
}
