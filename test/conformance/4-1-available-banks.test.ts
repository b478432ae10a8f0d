import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setBankLimits, switchBank } from '../../packages/server/src/domain/banks/index.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { depositBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const PATH = '/v1/available-banks'
const service = await startService()
const shop = await service.merchant()

type Shop = typeof shop

async function codes(of: Shop): Promise<string[]> {
  const { banks } = accepted(await of.get(PATH), 200)
  return banks.map(({ code }: { code: string }) => code)
}

test('4.1.1 answers 200 with data.banks, an array and nothing else', async () => {
  const data = accepted(await shop.get(PATH), 200)
  assert.deepEqual(Object.keys(data), ['banks'])
  assert.ok(Array.isArray(data.banks))
})

test('4.1.2 401 INVALID_API_KEY', async () => {
  refused(await shop.get(PATH, { headers: { 'x-api-key': 'vk_unknown' } }), 401, 'INVALID_API_KEY')
})

test('4.1.3 401 INVALID_SIGNATURE', async () => {
  refused(await shop.get(PATH, { signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
})

test('4.1.4 403 IP_NOT_WHITELISTED when the merchant has a list and the caller is not on it', async () => {
  const elsewhere = await service.merchant({ allowedNetworks: ['203.0.113.7'] })
  refused(await elsewhere.get(PATH), 403, 'IP_NOT_WHITELISTED')
})

test('4.1.5 has an ETag that stays the same while the list does', async () => {
  const [first, second] = [await shop.get(PATH), await shop.get(PATH)]
  assert.match(String(first.headers['etag']), /^"[^"]+"$/)
  assert.equal(first.headers['etag'], second.headers['etag'])
})

test('4.1.6 If-None-Match with the ETag: 304 without a body', async () => {
  const { etag } = (await shop.get(PATH)).headers
  const answer = await shop.get(PATH, { headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([answer.status, answer.text, answer.headers['etag']], [304, '', etag])
})

test('4.1.7 If-None-Match with another ETag: 200 with the list', async () => {
  accepted(await shop.get(PATH, { headers: { 'if-none-match': '"older"' } }), 200)
})

// RFC 9110, 13.1.2: a list of tags, compared weakly; a compressing proxy makes every tag weak.
for (const [name, header] of [
  ['a weak form of the tag', (etag: string) => `W/${etag}`],
  ['a list with the tag in it', (etag: string) => `"older", ${etag}`],
  ['a star', () => '*'],
] as const) {
  test(`4.1.8 If-None-Match with ${name}: 304`, async () => {
    const { etag } = (await shop.get(PATH)).headers
    assert.equal((await shop.get(PATH, { headers: { 'if-none-match': header(String(etag)) } })).status, 304)
  })
}

test('4.1.9 a 304 needs a right signature like any other answer', async () => {
  const { etag } = (await shop.get(PATH)).headers
  const headers = { 'if-none-match': String(etag) }
  refused(await shop.get(PATH, { headers, signature: '0'.repeat(64) }), 401, 'INVALID_SIGNATURE')
})

// At once, because each waits for a cache of one second.
suite('4.1 changes of the list', { concurrency: true }, () => {
  test('4.1.10 a bank that is switched off for one merchant leaves that list only, and its deposits are refused', async () => {
    const [one, other] = [await service.merchant(), await service.merchant()]
    const { banks } = accepted(await one.get(PATH), 200)
    const akbank = banks.find(({ code }: { code: string }) => code === '0046')._id
    accepted(await one.post('/v1/deposit', depositBody({ bankCode: akbank })), 201)
    await switchBank(service.app, UNATTRIBUTED, '0046', false, one.merchantId)
    await until(
      () => codes(one),
      (list) => !list.includes('0046'),
    )
    assert.ok((await codes(other)).includes('0046'))
    refused(await one.post('/v1/deposit', depositBody({ bankCode: akbank })), 400, 'VALIDATION_ERROR')
  })

  test('4.1.11 without FAST the list has only banks, and bankCode "FAST" is refused', async () => {
    const one = await service.merchant()
    await switchBank(service.app, UNATTRIBUTED, 'FAST', false, one.merchantId)
    await until(
      () => codes(one),
      (list) => !list.includes('FAST'),
    )
    assert.ok((await codes(one)).length > 0)
    refused(await one.post('/v1/deposit', depositBody({ bankCode: 'FAST' })), 400, 'VALIDATION_ERROR')
  })

  test('4.1.12 a changed limit shows in the list, changes the ETag, and counts for deposits', async () => {
    const { etag } = (await shop.get(PATH)).headers
    await setBankLimits(service.app, UNATTRIBUTED, 'FAST', 'TRY', { minAmount: 5000n, maxAmount: 6000n })
    const answer = await until(
      () => shop.get(PATH),
      ({ body }) => body.data.banks[0].maxAmount === 6000,
    )
    assert.equal(answer.body.data.banks[0].minAmount, 5000)
    assert.notEqual(answer.headers['etag'], etag)
    refused(await shop.post('/v1/deposit', depositBody({ amount: 6001 })), 400, 'AMOUNT_OUT_OF_RANGE')
  })

  test('4.1.13 a bank that is switched off for all leaves every list', async () => {
    await switchBank(service.app, UNATTRIBUTED, '0064', false)
    await until(
      () => codes(shop),
      (list) => !list.includes('0064'),
    )
  })
})
