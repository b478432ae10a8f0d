import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import type { Network } from '../../packages/server/src/platform/http/ip.ts'
import { parseNetwork } from '../../packages/server/src/platform/http/ip.ts'
import { send } from '../harness/client.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

// One address that asks for many pages at once. Amounts of work are counted: how long they take depends on the machine.
const PER_SECOND = 2
const BURST = 5 * PER_SECOND
const CONNECTIONS = 300
const PIPELINED = 4

const proxies = [parseNetwork('127.0.0.1') as Network]
const direct = await startService({ checkoutRequestsPerSecond: PER_SECOND })
const proxied = await startService({ checkoutRequestsPerSecond: PER_SECOND, trustedProxies: proxies })
const sockets: Socket[] = []
after(() => sockets.forEach((socket) => socket.destroy()))

/** The page of a new deposit, with the cookie that opens it. Costs one request of the budget of 127.0.0.9. */
async function openDeposit({ merchant, baseUrl }: typeof direct) {
  const { hostname, port } = new URL(baseUrl)
  const shop = await merchant()
  const link = new URL((await shop.post('/v1/deposit', depositBody())).body.data.checkoutUrl as string)
  const at = { hostname, port, agent: false as const }
  const first = await send({ ...at, path: link.pathname + link.search, localAddress: '127.0.0.9' })
  const [cookie = ''] = String(first.headers['set-cookie']).split(';')
  return { at, path: String(first.headers.location), cookie }
}

/** How many answers of each status have come. */
function flood(port: string, request: string): Map<string, number> {
  const statuses = new Map<string, number>()
  for (let index = 0; index < CONNECTIONS; index++) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request.repeat(PIPELINED)))
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (part: Buffer) => {
      for (const [, status = ''] of String(part).matchAll(/HTTP\/1\.1 (\d+)/g))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
  }
  return statuses
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)

test('requests of one address past its budget are refused before any work; another address is served meanwhile', async () => {
  const { at, path, cookie } = await openDeposit(direct)
  const began = performance.now()
  const statuses = flood(at.port, `GET ${path}/qr.svg HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
  const other = await send({ ...at, path: `${path}/qr.svg`, headers: { cookie }, localAddress: '127.0.0.2' })
  assert.equal(other.status, 200)
  await until(
    async () => sum(statuses),
    (answers) => answers === CONNECTIONS * PIPELINED,
  )
  const most = BURST + PER_SECOND * Math.ceil((performance.now() - began) / 1000)
  const served = statuses.get('200') ?? 0
  assert.ok(served >= BURST && served <= most, `${served} of at most ${most}`)
  assert.equal(statuses.get('429'), CONNECTIONS * PIPELINED - served)
})

test('a flood of refused requests is counted, not written to the log line by line', async () => {
  const { at, path } = await openDeposit(direct)
  const lines: { status: number; notLogged?: number }[] = []
  const began = performance.now()
  direct.app.log.info = (line: object) => void lines.push(line as (typeof lines)[number])
  const throttled = () => lines.filter(({ status }) => status === 429)
  const statuses = flood(at.port, `GET ${path}/qr.svg HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  await until(
    async () => sum(statuses),
    (answers) => answers === CONNECTIONS * PIPELINED,
  )
  // The next line, at the latest in a second, has the number of those that were not logged.
  const counted = () => throttled().reduce((all, { notLogged = 0 }) => all + 1 + notLogged, 0)
  await until(
    async () => (await send({ ...at, path }), counted()),
    (count) => count >= (statuses.get('429') ?? 0),
  )
  const most = 5 * Math.ceil((performance.now() - began) / 1000 + 1)
  assert.ok(throttled().length <= most, `${throttled().length} of at most ${most}`)
})

test('the refusal says when to come back, in both languages, and shows nothing of a deposit', async () => {
  const { at, path, cookie } = await openDeposit(direct)
  const from = { ...at, path, headers: { cookie }, localAddress: '127.0.0.3' }
  const refused = await until(
    () => send(from),
    ({ status }) => status === 429,
  )
  assert.equal(refused.headers['retry-after'], '1')
  assert.match(String(refused.headers['content-type']), /^text\/html/)
  assert.equal(refused.headers['cache-control'], 'no-store')
  assert.match(refused.text, /Çok fazla istek[^]*Too many requests/)
  assert.ok(!refused.text.includes(path.slice(-24)))
})

test('behind a trusted proxy the budget is that of the forwarded address, not the proxy’s', async () => {
  const { at, path, cookie } = await openDeposit(proxied)
  const from = (address: string) => send({ ...at, path, headers: { cookie, 'x-forwarded-for': address } })
  await until(
    () => from('203.0.113.1'),
    ({ status }) => status === 429,
  )
  assert.equal((await from('203.0.113.2')).status, 200)
})
