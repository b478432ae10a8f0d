import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import type { OutboundRules } from '../../packages/server/src/platform/http-client/outbound.ts'
import { addressText } from '../../packages/server/src/platform/http-client/address-problem.ts'
import { addressProblem, openOutbound } from '../../packages/server/src/platform/http-client/outbound.ts'
import { serve } from '../harness/outbound.ts'
import { HOSTS, URLS } from './hostile-addresses.ts'
import { openNameServer } from './name-server.ts'

// A public address by every rule, in a part of IPv6 that was never given to anybody: nobody is bothered.
const NOBODYS = '2d00::1'

/** Servers on both loopback addresses that nobody may ever reach. Those on low ports only where the machine lets us. */
async function openCanaries(t: TestContext) {
  let reached = 0
  let port = 0
  for (const wanted of [0, 80, 443, 8443]) {
    for (const host of ['127.0.0.1', '::1']) {
      const server = net.createServer((socket) => {
        reached++
        socket.destroy()
      })
      server.listen(wanted || port, host)
      const listening = await once(server, 'listening').catch(() => null)
      if (!listening) continue
      port ||= (server.address() as AddressInfo).port
      t.after(() => server.close())
    }
  }
  return { port, reached: () => reached }
}

/** Every connection that this process begins, wherever it goes. */
function countSockets(t: TestContext): () => number {
  let begun = 0
  const count = () => void begun++
  subscribe('net.client.socket', count)
  t.after(() => unsubscribe('net.client.socket', count))
  return () => begun
}

function open(t: TestContext, rules: OutboundRules, options: Partial<Parameters<typeof openOutbound>[0]> = {}) {
  const outbound = openOutbound({ rules, ...options })
  t.after(() => outbound.close())
  return (url: string) => outbound.post(url, {}, '{}')
}

function hostileUrls(port: number): [kind: string, url: string][] {
  const hosts = Object.entries(HOSTS).flatMap(([kind, list]) =>
    list.flatMap((host) => [
      [kind, `https://${host}/hook`] as [string, string],
      [kind, `https://${host}:${port}/hook`] as [string, string],
    ]),
  )
  const urls = Object.entries(URLS).flatMap(([kind, list]) =>
    list.map((url) => [kind, url.replaceAll('PORT', String(port))] as [string, string]),
  )
  return [...hosts, ...urls]
}

test('what is not a public https address is refused as it is written: no name is asked, no connection begun', async (t) => {
  const { port, reached } = await openCanaries(t)
  const post = open(t, 'public', { resolve: () => assert.fail('a name was resolved') })
  const sockets = countSockets(t)
  const list = hostileUrls(port)
  assert.ok(list.length >= 500, `${list.length} addresses`)
  assert.ok(new Set(Object.values(HOSTS).flat()).size + Object.values(URLS).flat().length >= 200)
  for (const [kind, url] of list) {
    const problem = addressProblem(url, 'public')
    assert.ok(problem, `${kind}: ${JSON.stringify(url)} is let through`)
    const answer = await post(url)
    assert.deepEqual(
      [answer.outcome, answer.problem, answer.status],
      ['refused', addressText(problem), null],
      `${kind}: ${url}`,
    )
  }
  assert.equal(sockets(), 0)
  assert.equal(reached(), 0)
})

test('the canaries and the counter do notice a connection', async (t) => {
  const { port, reached } = await openCanaries(t)
  const sockets = countSockets(t)
  assert.equal((await open(t, 'loopback-too')(`http://127.0.0.1:${port}/`)).outcome, 'refused')
  assert.equal(sockets(), 1)
  assert.equal(reached(), 1)
})

test('honest addresses are let through', () => {
  for (const url of [
    ...[
      'https://hooks.example.com',
      'https://hooks.example.com/a/b?c=d#e',
      'https://hooks.example.com:443/',
      'HTTPS://EXAMPLE.COM',
    ],
    ...[
      'https://hooks.example.com:8443/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'https://[2606:4700::1111]:8443/',
    ],
    ...[
      'https://çiçek.example.com/ödeme',
      'https://xn--iek-1ka9b.example.com/',
      'https://hooks.example.com/a@b',
      'https://a.co?x=@y',
    ],
    ...[
      'https://internal.example.com/',
      'https://localhost.example.com/',
      'https://[::ffff:8.8.8.8]/',
      'https://1.1.1.1/127.0.0.1',
    ],
  ]) {
    assert.equal(addressProblem(url, 'public'), null, url)
    assert.equal(addressProblem(url, 'loopback-too'), null, url)
  }
})

const LEADING_HOME: Record<string, string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  '127.0.0.1.nip.example.com': ['127.0.0.1'],
  'private.example.com': ['10.0.0.1'],
  'private172.example.com': ['172.16.5.4'],
  'private192.example.com': ['192.168.1.1'],
  'metadata.example.com': ['169.254.169.254'],
  'zero.example.com': ['0.0.0.0'],
  'zero6.example.com': ['0::'],
  'cgnat.example.com': ['100.64.0.1'],
  'benchmark.example.com': ['198.18.0.1'],
  'documentation.example.com': ['203.0.113.7'],
  'multicast.example.com': ['224.0.0.1'],
  'broadcast.example.com': ['255.255.255.255'],
  'azure.example.com': ['168.63.129.16'],
  'mapped.example.com': ['0:0:0:0:0:ffff:7f00:1'],
  'compatible.example.com': ['0:0:0:0:0:0:7f00:1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  '6to4.example.com': ['2002:7f00:1::'],
  'teredo.example.com': ['2001::7f00:1'],
  'ula.example.com': ['fd00:ec2::254'],
  'link-local.example.com': ['fe80::1'],
  'site-local.example.com': ['fec0::1'],
  // One address that leads home spoils the name, wherever it stands.
  'mixed-first.example.com': ['127.0.0.1', '8.8.8.8'],
  'mixed-last.example.com': ['8.8.8.8', '1.1.1.1', '9.9.9.9', '127.0.0.1'],
  'mixed-families.example.com': ['8.8.8.8', '::1'],
  'mixed-families-2.example.com': ['2606:4700::1111', '10.0.0.1'],
  'alias.example.com': ['=loopback.example.com', '127.0.0.1'],
  'alias-metadata.example.com': ['=metadata.example.com', '169.254.169.254'],
}

test('names that lead home are refused after one question, and do not tell where they lead', async (t) => {
  const { port, reached } = await openCanaries(t)
  const { resolve, asked } = await openNameServer(t, (name) => LEADING_HOME[name] ?? null)
  const post = open(t, 'public', { resolve })
  const sockets = countSockets(t)
  for (const name of Object.keys(LEADING_HOME)) {
    for (const url of [`https://${name}/`, `https://${name}:8443/`, `https://${name}:${port}/`]) {
      const answer = await post(url)
      assert.equal(answer.outcome, 'refused', url)
      assert.match(
        answer.problem ?? '',
        url.includes(`:${port}`) ? /must use port/ : /^the address of \S+ is not a public address$/,
      )
    }
    assert.equal(asked.get(name), 2, name)
  }
  assert.equal((await post('https://nobody.example.com/')).outcome, 'dns')
  assert.equal(sockets(), 0)
  assert.equal(reached(), 0)
})

test('a name that is public at one time and ours at the next never leads home', async (t) => {
  const { reached } = await openCanaries(t)
  const { resolve, asked } = await openNameServer(t, (_, nth) => [nth % 2 ? NOBODYS : '127.0.0.1'])
  const post = open(t, 'public', { resolve, deadlineMs: 300 })
  for (const turn of [1, 2, 3, 4]) {
    const answer = await post('https://rebind.example.com/')
    assert.match(answer.outcome, turn % 2 ? /refused|timeout/ : /refused/)
    if (turn % 2 === 0) assert.match(answer.problem ?? '', /not a public address/)
    assert.equal(asked.get('rebind.example.com'), turn, 'one question for one connection')
  }
  assert.equal(reached(), 0)
})

test('a connection goes where the checked answer said, and is asked for once', async (t) => {
  let closing = false
  const url = await serve(t, (_, response) => {
    if (closing) response.setHeader('connection', 'close')
    response.end('the checked one')
  })
  const { port, reached } = await openCanaries(t)
  assert.notEqual(new URL(url).port, String(port))
  // Where it led at first, and from the second question on: the neighbourhood, and this machine under another name.
  const { resolve, asked } = await openNameServer(t, (_, nth) =>
    nth === 1 ? ['127.0.0.1'] : ['169.254.169.254', '::1'],
  )
  const post = open(t, 'loopback-too', { resolve })
  const named = url.replace('127.0.0.1', 'rebind.example.com')
  for (const last of [false, false, true]) {
    closing = last
    const { outcome, body } = await post(named)
    assert.deepEqual([outcome, body], ['accepted', 'the checked one'])
    assert.equal(asked.get('rebind.example.com'), 1)
  }
  const { outcome, problem } = await post(named)
  assert.deepEqual([outcome, problem], ['refused', 'the address of rebind.example.com is not a public address'])
  assert.equal(asked.get('rebind.example.com'), 2)
  assert.equal(reached(), 0)
})

test('the sandbox reaches this machine, and no other that is not public', async (t) => {
  const url = await serve(t, (_, response) => void response.end('hello'))
  const { port } = new URL(url)
  const names: Record<string, string[]> = {
    'me.example.com': ['127.0.0.1'],
    'you.example.com': ['10.0.0.1'],
    'them.example.com': [NOBODYS],
  }
  const { resolve } = await openNameServer(t, (name) => names[name] ?? null)
  const post = open(t, 'loopback-too', { resolve })
  for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'me.example.com']) {
    assert.equal((await post(`http://${host}:${port}/`)).body, 'hello', host)
  }
  const sockets = countSockets(t)
  const loopback = new Set([
    'loopback in every spelling',
    'loopback, mapped',
    'IPv6 of this machine',
    'names that stay at home',
  ])
  const hosts = Object.entries(HOSTS).flatMap(([kind, list]) => (loopback.has(kind) ? [] : list))
  for (const host of [...hosts, '0.0.0.0', '[::]', 'you.example.com', 'them.example.com']) {
    for (const scheme of ['http', 'https']) {
      const answer = await post(`${scheme}://${host}:${port}/`)
      assert.equal(answer.outcome, 'refused', `${scheme}://${host}`)
    }
  }
  for (const address of URLS['other schemes'] ?? []) {
    assert.ok(addressProblem(address.replace('PORT', port), 'loopback-too'), address)
  }
  const wrongPort = addressProblem(`http://8.8.8.8:${port}/`, 'loopback-too')
  assert.deepEqual(wrongPort, { fault: 'port', named: ['80', '443', '8443'] })
  assert.equal(sockets(), 0)
})
