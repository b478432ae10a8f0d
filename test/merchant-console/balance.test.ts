import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { withdrawBody } from '../harness/examples.ts'
import { cheap, merchantUser, PASSWORD } from '../harness/logins.ts'
import { visitor } from '../harness/operator-console.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service

test('the figures of the balance and the overview add up while a payout is in transit', async () => {
  const shop = await service.merchant({ funds: 100_000n })
  await merchantUser(cheap(app), shop.merchantId, 'owner@mine.example')
  const person = visitor(service, 'merchant')
  await person.logIn('owner@mine.example', PASSWORD)
  await shop.post('/v1/withdraw', withdrawBody({ amount: 30_000 }))
  assert.equal(await dispatchWithdrawals({ ...app, connections: [manualConnection] }), 1)
  await shop.post('/v1/withdraw', withdrawBody({ amount: 10_000 }))
  for (const path of ['', '/balance']) {
    const { text } = await person.request(path)
    const figures = [...text.matchAll(/<dt>(\S+) \(TRY\)<\/dt>\s*<dd>([^<]*)<\/dd>/g)].map(([, label, sum]) => [
      label,
      sum,
    ])
    assert.deepEqual(figures.slice(0, 3), [
      ['Kullanılabilir', '600,00 TL'],
      ['Ayrılan', '100,00 TL'],
      ['Yolda', '300,00 TL'],
    ])
  }
})

test('the statement to print opens in the browser, under a policy that allows its own style and nothing else', async () => {
  const shop = await service.merchant({ name: '<script>alert(1)</script>', funds: 100_000n })
  await merchantUser(cheap(app), shop.merchantId, 'owner@print.example')
  const person = visitor(service, 'merchant')
  await person.logIn('owner@print.example', PASSWORD)
  const { text: balance } = await person.request('/balance')
  const [, path = ''] = /href="\/merchant(\/balance\/statement[^"]*)"/.exec(balance) ?? []
  const { headers, text } = await person.request(path)
  assert.match(headers.get('content-disposition') ?? '', /^inline; filename="[^"]+\.html"$/)
  assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8$/)
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    headers.get('content-security-policy'),
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`,
  )
  assert.doesNotMatch(text, /<script/)
})
