import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { changeNetworks } from '../../packages/server/src/domain/merchants/index.ts'
import type { Network } from '../../packages/server/src/platform/http/ip.ts'
import { parseNetwork } from '../../packages/server/src/platform/http/ip.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const LISTED = '203.0.113.7'
const trustedProxies = ['127.0.0.1', '10.0.0.0/8'].map((text) => parseNetwork(text) as Network)
const direct = await startService()
const behindProxy = await startService({ trustedProxies })
const shop = await behindProxy.merchant({ allowedNetworks: [LISTED], funds: 1_000_000n })

/** A caller as the proxy on this machine reports it. */
const from = (...hops: string[]) => ({ headers: { 'x-forwarded-for': hops } })

test('5.20 withdraw needs a listed address; an empty list refuses', async () => {
  for (const allowedNetworks of [[], [LISTED]]) {
    const shop = await direct.merchant({ funds: 50_000n, allowedNetworks })
    refused(await shop.post('/v1/withdraw', withdrawBody()), 403, 'IP_NOT_WHITELISTED')
  }
})

test('5.21 the bank list is checked only when the merchant has a list', async () => {
  accepted(await (await direct.merchant({ allowedNetworks: [] })).get('/v1/available-banks'), 200)
  const listed = await direct.merchant({ allowedNetworks: [LISTED] })
  refused(await listed.get('/v1/available-banks'), 403, 'IP_NOT_WHITELISTED')
})

test('5.22 a deposit is accepted from any address', async () => {
  const shop = await direct.merchant({ allowedNetworks: [LISTED] })
  accepted(await shop.post('/v1/deposit', depositBody()), 201)
})

test('5.23 an address counts as soon as it is registered, and no longer than it is', async () => {
  const shop = await direct.merchant({ funds: 1_000_000n, allowedNetworks: [] })
  const ask = async () => (await shop.post('/v1/withdraw', withdrawBody({ amount: 1 }))).status
  assert.equal(await ask(), 403)
  await changeNetworks(direct.app, UNATTRIBUTED, shop.merchantId, { add: ['127.0.0.0/8'] })
  await until(ask, (status) => status === 201)
  await changeNetworks(direct.app, UNATTRIBUTED, shop.merchantId, { remove: ['127.0.0.0/8'] })
  await until(ask, (status) => status === 403)
})

for (const [list, address, allowed] of [
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.7/32', '203.0.113.7', true],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.0/25', '203.0.113.128', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '198.51.100.1', false],
  ['2001:db8::1', '2001:0db8:0:0::1', true],
  ['2001:db8::1', '2001:DB8::1', true],
  ['2001:db8::1', '2001:db8::2', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['203.0.113.7', '::ffff:203.0.113.7', true],
  ['203.0.113.0/24', '::ffff:cb00:7109', true],
  ['::ffff:203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '::203.0.113.7', false],
  // As octal it would be 8.0.0.1, as decimal 10.0.0.1: it is neither.
  ['8.0.0.0/8', '010.0.0.1', false],
  ['203.0.113.7', '203.0.113.07', false],
  ['203.0.113.7', '3405803783', false],
  ['203.0.113.7', 'unknown', false],
  ['203.0.113.7', '', false],
] as const) {
  const word = allowed ? 'lets in' : 'keeps out'
  test(`5.24 the list ${list} ${word} ${JSON.stringify(address)}`, async () => {
    const shop = await behindProxy.merchant({ allowedNetworks: [list] })
    const answer = await shop.get('/v1/balance', from(address))
    if (allowed) accepted(answer, 200)
    else refused(answer, 403, 'IP_NOT_WHITELISTED')
  })
}

test('5.25 any address of the list is enough', async () => {
  const shop = await behindProxy.merchant({ allowedNetworks: ['198.51.100.0/24', '2001:db8::/32', LISTED] })
  for (const address of [LISTED, '198.51.100.9', '2001:db8::9'])
    accepted(await shop.get('/v1/balance', from(address)), 200)
})

test('5.26 without a trusted proxy X-Forwarded-For is not believed', async () => {
  const shop = await direct.merchant({ allowedNetworks: [LISTED] })
  refused(await shop.post('/v1/withdraw', withdrawBody(), from(LISTED)), 403, 'IP_NOT_WHITELISTED')
  const here = await direct.merchant({ allowedNetworks: ['127.0.0.1'], funds: 50_000n })
  accepted(await here.post('/v1/withdraw', withdrawBody(), from('198.51.100.1')), 201)
})

for (const [name, hops, allowed] of [
  ['the address that the proxy saw', [LISTED], true],
  ['another address', ['198.51.100.1'], false],
  ['a listed address that the caller wrote itself', [`${LISTED}, 198.51.100.1`], false],
  ['the same in a header of its own', [LISTED, '198.51.100.1'], false],
  ['a listed address behind a second trusted proxy', [`${LISTED}, 10.1.2.3`], true],
  ['a forged one left of the true one, behind two proxies', [`${LISTED}, 198.51.100.1, 10.1.2.3`], false],
  ['whatever a caller wrote, left of its listed address', [`nonsense, 198.51.100.1,  ${LISTED}`], true],
  ['nothing: the proxy itself', [], false],
  ['nonsense from a trusted proxy', [`${LISTED}, nonsense`], false],
] as const) {
  test(`5.27 behind a trusted proxy, ${name}: ${allowed ? '201' : '403 IP_NOT_WHITELISTED'}`, async () => {
    const answer = await shop.post('/v1/withdraw', withdrawBody(), hops.length > 0 ? from(...hops) : {})
    if (allowed) accepted(answer, 201)
    else refused(answer, 403, 'IP_NOT_WHITELISTED')
  })
}

test('5.28 other headers that name an address are not believed', async () => {
  for (const name of ['forwarded', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']) {
    const headers = { [name]: name === 'forwarded' ? `for=${LISTED}` : LISTED, 'x-forwarded-for': '198.51.100.1' }
    refused(await shop.post('/v1/withdraw', withdrawBody(), { headers }), 403, 'IP_NOT_WHITELISTED')
  }
})
