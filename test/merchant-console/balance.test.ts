import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/payouts/index.ts'
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
