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
import type { OutboundRules } from './outbound.ts'

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
