import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Network } from './ip.ts'
import { callerAddress, callerGroup, inNetworks, maskAddress, parseAddress, parseNetwork } from './ip.ts'

const text = (address: string) => parseAddress(address)?.toString() ?? null
const networks = (...list: string[]) =>
  list.map((one) => {
    const network = parseNetwork(one)
    assert.ok(network, one)
    return network
  })

function contains(list: Network[], address: string): boolean {
  const parsed = parseAddress(address)
  assert.ok(parsed, address)
  return inNetworks(parsed, list)
}

test('IPv4 is four plain decimal parts and nothing else', () => {
  assert.equal(text('10.0.0.1'), '10.0.0.1')
  assert.equal(text('255.255.255.255'), '255.255.255.255')
  assert.equal(text('0.0.0.0'), '0.0.0.0')
  for (const address of [
    ...['010.0.0.1', '10.0.0.01', '00.0.0.0', '0x7f.0.0.1', '0x7f000001', '2130706433', '127.1', '10.0.1'],
    ...['256.0.0.1', '1.2.3.4.5', '1.2.3.', '.1.2.3', '1..2.3', '-1.2.3.4', '+1.2.3.4', '1.2.3.4 ', ' 1.2.3.4'],
    ...['1.2.3.4\n', '1.2.3.4:80', '1.2.3.4/32', '１.2.3.4', '①.2.3.4', '1e1.2.3.4', '', ' ', 'localhost', 'unknown'],
  ]) {
    assert.equal(text(address), null, JSON.stringify(address))
  }
})

test('an IPv4-mapped IPv6 address is the IPv4 address that it is', () => {
  for (const address of ['::ffff:10.0.0.1', '::FFFF:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:0a00:0001']) {
    assert.equal(text(address), '10.0.0.1', address)
    assert.ok(contains(networks('10.0.0.0/8'), address), address)
  }
})

test('the IPv4 part inside an IPv6 address is as strict as IPv4 itself', () => {
  for (const address of ['::ffff:010.0.0.1', '::ffff:10.0.0.01', '::ffff:0x0a.0.0.1', '64:ff9b::010.0.0.1']) {
    assert.equal(text(address), null, address)
  }
  assert.equal(text('::ffff:256.0.0.1'), null)
  assert.equal(text('::ffff:1.2.3'), null)
})

test('an IPv4-compatible address (::10.0.0.1) is not the mapped one: it opens no IPv4 network', () => {
  const address = parseAddress('::10.0.0.1')
  assert.ok(address === null || !inNetworks(address, networks('10.0.0.0/8')))
})

test('IPv6: zones, ports, brackets and malformed groups are refused', () => {
  assert.equal(text('::1'), '::1')
  assert.equal(text('2001:DB8::0001'), '2001:db8::1')
  for (const address of [
    ...['fe80::1%eth0', 'fe80::1%25eth0', '::1%0', '[::1]', '[::1]:80', '1::2::3', ':::', ':', '12345::', 'g::1'],
    ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '::1/128', '0x::1', '::1 ', '::ffff:10.0.0.1%eth0', '1:2:3:4:5:6:7:8::'],
  ]) {
    assert.equal(text(address), null, address)
  }
})

test('networks: the edges of the prefix, and one address alone', () => {
  const ten = networks('10.1.0.0/16')
  assert.ok(contains(ten, '10.1.0.0'))
  assert.ok(contains(ten, '10.1.255.255'))
  assert.ok(!contains(ten, '10.0.255.255'))
  assert.ok(!contains(ten, '10.2.0.0'))
  assert.ok(contains(networks('192.0.2.7'), '192.0.2.7'))
  assert.ok(!contains(networks('192.0.2.7'), '192.0.2.6'))
  assert.ok(contains(networks('192.0.2.0/31'), '192.0.2.1'))
  assert.ok(!contains(networks('192.0.2.0/31'), '192.0.2.2'))
  assert.ok(contains(networks('2001:db8::/33'), '2001:db8:7fff::'))
  assert.ok(!contains(networks('2001:db8::/33'), '2001:db8:8000::'))
  assert.ok(contains(networks('2001:db8::1/128'), '2001:db8::1'))
  assert.ok(!contains(networks('2001:db8::1/128'), '2001:db8::2'))
})

test('everything of one family is nothing of the other', () => {
  assert.ok(contains(networks('0.0.0.0/0'), '203.0.113.9'))
  assert.ok(contains(networks('0.0.0.0/0'), '::ffff:203.0.113.9'))
  assert.ok(!contains(networks('0.0.0.0/0'), '2001:db8::1'))
  assert.ok(contains(networks('::/0'), '2001:db8::1'))
  assert.ok(!contains(networks('::/0'), '10.0.0.1'))
  assert.ok(!contains(networks('::/0'), '::ffff:10.0.0.1'))
  assert.ok(!contains([], '127.0.0.1'))
})

test('networks that are not written plainly are refused', () => {
  for (const network of [
    ...['10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/+8', '10.0.0.0/8/8', '10.0.0.0/255.0.0.0'],
    ...['10.0.0.0/1e1', '10.0.0.0/ 8', '10/8', '010.0.0.0/8', '::/129', '::ffff:10.0.0.0/104', '::ffff:10.0.0.0/8'],
    ...['fe80::%eth0/64', '/8', '', '*', 'any'],
  ]) {
    assert.equal(parseNetwork(network), null, JSON.stringify(network))
  }
})

test('an IPv4 address is in exactly the networks that share its first bits', () => {
  const quad = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
  const uint32 = fc.nat({ max: 0xffffffff })
  fc.assert(
    fc.property(uint32, uint32, fc.nat({ max: 32 }), (a, other, bits) => {
      const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0
      const near = ((a & mask) | (other & ~mask)) >>> 0
      const [network] = networks(`${quad(a)}/${bits}`)
      assert.ok(contains([network as Network], quad(near)))
      assert.equal(contains([network as Network], quad(other)), ((a ^ other) & mask) === 0)
    }),
  )
})

const trusted = networks('10.0.0.0/8', '::1')
const caller = (socket: string | undefined, forwarded?: string) =>
  callerAddress(socket, forwarded, trusted)?.toString() ?? null

test('X-Forwarded-For from a stranger is worth nothing', () => {
  assert.equal(caller('203.0.113.9', '10.0.0.1'), '203.0.113.9')
  assert.equal(caller('203.0.113.9', '192.0.2.1, 10.0.0.1'), '203.0.113.9')
  assert.equal(callerAddress('10.0.0.1', '192.0.2.1', [])?.toString(), '10.0.0.1')
})

test('behind trusted proxies: the nearest stranger from the right, whatever the caller wrote to the left', () => {
  assert.equal(caller('10.0.0.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(caller('::ffff:10.0.0.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(caller('10.0.0.1', '192.0.2.1, 203.0.113.9'), '203.0.113.9')
  assert.equal(caller('10.0.0.1', '192.0.2.1,203.0.113.9 , 10.0.0.2,::1'), '203.0.113.9')
  assert.equal(caller('10.0.0.1', '10.0.0.9, 203.0.113.9'), '203.0.113.9')
  assert.equal(caller('10.0.0.1', '192.0.2.1, ::ffff:203.0.113.9'), '203.0.113.9')
})

test('a proxy that says nothing is the caller itself', () => {
  assert.equal(caller('10.0.0.1'), '10.0.0.1')
  assert.equal(caller('10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3')
})

test('what cannot be read is nobody: never the address to the left of it', () => {
  for (const hop of [
    'unknown',
    '_hidden',
    '010.0.0.2',
    '203.0.113.9:443',
    '[::1]',
    '',
    ' ',
    'fe80::1%eth0',
    '10.0.0.2 x',
  ]) {
    assert.equal(caller('10.0.0.1', `192.0.2.1, ${hop}`), null, JSON.stringify(hop))
  }
  assert.equal(caller(undefined, '192.0.2.1'), null)
  assert.equal(caller('', '192.0.2.1'), null)
  assert.equal(caller('/var/run/socket', '192.0.2.1'), null)
})

test('one caller is an IPv4 address or an IPv6 /64; a masked address names its network only', () => {
  const of = (text: string) => parseAddress(text) ?? assert.fail(text)
  assert.equal(callerGroup(of('203.0.113.7')), '203.0.113.7')
  assert.equal(callerGroup(of('::ffff:203.0.113.7')), '203.0.113.7')
  assert.equal(callerGroup(of('2001:db8:1:2::a')), callerGroup(of('2001:db8:1:2:ffff::b')))
  assert.notEqual(callerGroup(of('2001:db8:1:2::a')), callerGroup(of('2001:db8:1:3::a')))
  assert.equal(maskAddress(of('203.0.113.7')), '203.0.113.0/24')
  assert.equal(maskAddress(of('2001:db8:1:2::a')), '2001:db8:1::/48')
})
