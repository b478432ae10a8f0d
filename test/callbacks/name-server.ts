import dgram from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import type { TestContext } from 'node:test'

/** What a name is answered with, for the nth time: addresses, or `=other.name` for an alias. Null: there is no such name. */
type Zone = (name: string, nth: number) => string[] | null

const A = 1
const CNAME = 5

/** A name server that says what the test wants, and a resolver that asks it and nobody else. */
export async function openNameServer(t: TestContext, zone: Zone) {
  /** How often each name was looked up; the question for IPv6 that goes along is not counted. */
  const asked = new Map<string, number>()
  const server = dgram.createSocket('udp4')
  server.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    if (type === A) asked.set(name, (asked.get(name) ?? 0) + 1)
    const answers = zone(name, asked.get(name) ?? 1)
    server.send(reply(query.subarray(0, end), type, answers), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const resolver = new dns.promises.Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  t.after(() => server.close())

  async function resolve(host: string): Promise<{ address: string; family: number }[]> {
    // One after the other, so that the zone can count: first IPv4, then IPv6 for the same turn.
    const [v4, v6] = [await resolver.resolve4(host).catch(asError), await resolver.resolve6(host).catch(asError)]
    if (v4 instanceof Error && v6 instanceof Error) throw v4
    return [
      ...(v4 instanceof Error ? [] : v4.map((address) => ({ address, family: 4 }))),
      ...(v6 instanceof Error ? [] : v6.map((address) => ({ address, family: 6 }))),
    ]
  }
  return { resolve, asked }
}

function asError(error: unknown): Error {
  return error as Error
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, answers: string[] | null): Buffer {
  const records = (answers ?? []).flatMap((answer) => {
    if (answer.startsWith('=')) return [record(CNAME, encodeName(answer.slice(1)))]
    return isIPv4(answer) === (type === A) ? [record(type, encodeAddress(answer))] : []
  })
  const message = Buffer.concat([question, ...records])
  message.writeUInt16BE(answers ? 0x8180 : 0x8183, 2)
  message.writeUInt16BE(1, 4)
  message.writeUInt16BE(records.length, 6)
  message.writeUInt32BE(0, 8)
  return message
}

/** Its owner is the name in question; nothing may be remembered. */
function record(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(content.length, 10)
  return Buffer.concat([head, content])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'))
  return Buffer.concat([...labels, Buffer.of(0)])
}

/** IPv6 in its eight groups, or with one `::`. */
function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
