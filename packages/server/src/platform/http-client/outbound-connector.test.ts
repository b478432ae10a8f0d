import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import https from 'node:https'
import net from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { makeCertificate } from '../../../../../test/harness/certificate.ts'
import { listen, openPost, serve, serveRaw } from '../../../../../test/harness/outbound.ts'
import { parseNetwork } from '../http/ip.ts'
import type { OutboundRules } from './outbound.ts'
import { isPrivateNetwork, openOutbound } from './outbound.ts'

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]
const NAME = 'hooks.example.com'

const trusted = makeCertificate([NAME])
const trustedIp = makeCertificate(['127.0.0.1'])
const expired = makeCertificate([NAME], { days: 0.5 })
tls.setDefaultCACertificates([trusted.cert, trustedIp.cert, expired.cert])

/** Port of an https server that returns the requested server name. */
async function serveTls(t: TestContext, certificate: { key: string; cert: string }, options: tls.TlsOptions = {}) {
  const server = https.createServer({ ...certificate, ...options }, (request, response) => {
    response.end(String((request.socket as tls.TLSSocket).servername))
  })
  return new URL(await listen(t, server)).port
}

/** Speaks TLS until the request has arrived, then sends invalid bytes. */
async function serveSpoiledTls(t: TestContext): Promise<string> {
  let spoil = () => {}
  const server = https.createServer(trusted, () => spoil())
  const { port } = new URL(await listen(t, server))
  const relay = net.createServer((socket) => {
    const inner = net.connect(Number(port), '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    spoil = () => socket.write('HTTP/1.1 200 OK\r\n\r\n')
  })
  return new URL(await listen(t, relay)).port
}

test('https: the certificate must be that of the name, though the connection goes to a number', async (t) => {
  const post = openPost(t, { resolve: () => Promise.resolve(LOOPBACK) })
  const port = await serveTls(t, trusted)
  const { outcome, body } = await post(`https://${NAME}:${port}`)
  assert.deepEqual([outcome, body], ['accepted', NAME])
  const byNumber = await serveTls(t, trustedIp)
  assert.equal((await post(`https://127.0.0.1:${byNumber}`)).outcome, 'accepted')
})

test('tls: another name, an unknown issuer, past its time, no TLS at all, or no longer', async (t) => {
  const post = openPost(t, { resolve: () => Promise.resolve(LOOPBACK) })
  const good = await serveTls(t, trusted)
  const plain = new URL(await serve(t, (_, response) => void response.end())).port
  const closing = new URL(await serveRaw(t, (socket) => socket.end())).port
  const resetting = new URL(await serveRaw(t, (socket) => socket.resetAndDestroy())).port
  const cases: [url: string, problem: RegExp][] = [
    [`https://other.example.com:${good}`, /for another host name/],
    [`https://127.0.0.1:${good}`, /for another host name/],
    [`https://${NAME}:${await serveTls(t, makeCertificate([NAME]))}`, /self-signed/],
    [`https://${NAME}:${await serveTls(t, expired)}`, /expired/],
    [`https://${NAME}:${await serveTls(t, trusted, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })}`, /version|alert/],
    [`https://${NAME}:${plain}`, /^TLS failed: [a-z ]+$/],
    [`https://${NAME}:${await serveSpoiledTls(t)}`, /^TLS failed: [a-z ]+$/],
    [`https://${NAME}:${closing}`, /closed during the TLS handshake/],
    [`https://${NAME}:${resetting}`, /closed during the TLS handshake/],
  ]
  for (const [url, problem] of cases) {
    const answer = await post(url)
    assert.equal(answer.outcome, 'tls', `${url}: ${answer.problem}`)
    assert.equal(answer.status, null)
    assert.match(answer.problem ?? '', problem)
  }
})

test('the next address is tried when one does not answer; the name is asked once for fifty connections', async (t) => {
  const url = await serve(t, (_, response) => void response.end())
  let asked = 0
  const post = openPost(t, {
    resolve: () => {
      asked++
      return Promise.resolve([{ address: '::1', family: 6 }, { address: '::1', family: 6 }, ...LOOPBACK])
    },
  })
  const named = url.replace('127.0.0.1', 'localhost')
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(named)))
  for (const { outcome } of answers) assert.equal(outcome, 'accepted')
  assert.equal(asked, 1)
})

test('localhost is resolved as the machine does it', async (t) => {
  const url = await serve(t, (request, response) => void response.end(request.headers.host))
  const named = url.replace('127.0.0.1', 'localhost')
  assert.equal((await openPost(t)(named)).body, new URL(named).host)
})

test('proxies and lax TLS from the environment change nothing', async (t) => {
  let canary = 0
  const proxy = await listen(
    t,
    net.createServer((socket) => {
      canary++
      socket.end('HTTP/1.1 200 OK\r\n\r\n')
    }),
  )
  const target = await serve(t, (_, response) => void response.end('target'))
  const untrusted = `https://127.0.0.1:${await serveTls(t, trustedIp)}`
  const script = `
    const { openOutbound } = await import(${JSON.stringify(join(import.meta.dirname, 'outbound.ts'))})
    const outbound = openOutbound({ rules: ${JSON.stringify('loopback-too' satisfies OutboundRules)} })
    const answers = [await outbound.post('${target}', {}, ''), await outbound.post('${untrusted}', {}, '')]
    process.stdout.write(JSON.stringify(answers.map(({ outcome, body }) => [outcome, body])))
    await outbound.close()`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const env = Object.fromEntries(names.map((name) => [name, proxy]))
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...env, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  assert.deepEqual(JSON.parse(stdout), [
    ['accepted', 'target'],
    ['tls', ''],
  ])
  assert.equal(canary, 0)
})

test('private networks that were allowed are reached, by name and after resolution; nothing else that is not public', async (t) => {
  const networks = ['10.20.0.0/16', '100.64.0.0/10', '192.168.7.7', 'fc00::/7'].flatMap(
    (text) => parseNetwork(text) ?? [],
  )
  const problemOf = async (address: string) => {
    const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }])
    const allowed = { rules: 'public', deadlineMs: 50, privateNetworks: () => Promise.resolve(networks) } as const
    return (await openPost(t, { ...allowed, resolve })(`https://${NAME}`)).problem ?? ''
  }
  const isRefused = async (address: string) => (await problemOf(address)).includes('not a public address')
  for (const address of ['10.20.0.1', '10.20.255.254', '100.64.0.1', '192.168.7.7', 'fd12::1', '::ffff:10.20.0.1'])
    assert.equal(await isRefused(address), false, address)
  const never = ['127.0.0.1', '::1', '169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '168.63.129.16']
  const metadata = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:100.100.100.200']
  for (const address of [...never, ...metadata, '10.21.0.1', '192.168.7.8', '64:ff9b::a14:1'])
    assert.equal(await isRefused(address), true, address)
  const asked: string[] = []
  const bySender = openOutbound({
    ...{ rules: 'public', deadlineMs: 50, resolve: () => Promise.resolve([{ address: '10.20.0.1', family: 4 }]) },
    privateNetworks: (sender) => Promise.resolve(asked.push(sender) > 0 && sender === 'a' ? networks : []),
  })
  t.after(() => bySender.close())
  const post = async (sender?: string) => (await bySender.post(`https://${NAME}`, {}, '', sender)).problem ?? ''
  for (const [sender, isAllowed] of [
    ['a', true],
    ['b', false],
    [undefined, false],
  ] as const)
    assert.equal(!(await post(sender)).includes('not a public address'), isAllowed, sender)
  assert.deepEqual(asked, ['a', 'b', ''])
  const literal = openPost(t, { rules: 'public', privateNetworks: () => Promise.resolve(networks) })
  assert.match((await literal('https://10.20.0.1')).problem ?? '', /not a public address/)
  const unknown = openPost(t, {
    ...{ rules: 'public', resolve: () => Promise.resolve([{ address: '10.20.0.1', family: 4 }]) },
    privateNetworks: () => Promise.reject(new Error('the database is away')),
  })
  assert.match((await unknown(`https://${NAME}`)).problem ?? '', /not a public address/)
})

test('what can be allowed: networks in private ranges, written as what they are', () => {
  for (const text of ['10.0.0.0/8', '10.1.2.3', '172.16.0.0/12', '192.168.1.0/24', '100.64.0.0/10', 'fd12:3456::/32'])
    assert.ok(isPrivateNetwork(text), text)
  const wide = [
    '0.0.0.0/0',
    '8.0.0.0/6',
    '10.0.0.0/7',
    '::/0',
    '2000::/3',
    'fe80::/10',
    '127.0.0.0/8',
    '::1',
    '127.0.0.1',
  ]
  const metadata = ['169.254.169.254', '169.254.0.0/16', '100.100.100.200', 'fd00:ec2::254', 'fd00:ec2::/32']
  for (const text of [...wide, ...metadata, '203.0.113.0/24', '10.1.2.3/8', 'fd12::1/32', 'intranet', ''])
    assert.ok(!isPrivateNetwork(text), text)
})
