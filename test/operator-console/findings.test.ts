import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { withdrawBody } from '../harness/examples.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
bank.behave({ submit: () => 'reset', find: () => ({ status: 500, body: {} }) })
const byBank = { ...app, connections: [bankApiConnection(bank.connection)] }
const shop = await service.merchant({ funds: 5_000_000n })
const NAMES = ['deniz.admin', 'zeynep.kasa', 'burak.kasa', 'murat.onay', 'elif.onay'] as const
for (const name of NAMES) await addPerson(service, name)

async function unknown(): Promise<string> {
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  while ((await dispatchWithdrawals(byBank)) + (await submitPayouts(byBank)) > 0);
  return id
}

/** What the page says after a finding: above the cards, and on the card. */
async function found(
  name: (typeof NAMES)[number],
  id: string,
  evidence: string,
): Promise<[above: string, card: string]> {
  const person = visitor(service)
  await person.logIn(name)
  const { location } = await person.request(`/payouts/${id}/found`, { csrf: await person.csrf('/payouts'), evidence })
  const { text } = await person.request(String(location).replace('/operator', ''))
  const [, card = ''] = text.split(`data-item="${id}"`)
  const before = text.slice(0, text.indexOf('<h1'))
  return [visibleText(before), visibleText(`<body>${card.split('</article>')[0]}`)]
}

const SAME = /İki kişi aynı/
const DIFFER = /farklı/

test('after a third finding that differs the message and the card say the same; a hyphen makes no difference', async () => {
  const id = await unknown()
  await found('zeynep.kasa', id, 'FT-9001')
  await found('burak.kasa', id, '0')
  for (const text of await found('burak.kasa', id, 'ft9001')) assert.match(text, SAME)
  for (const text of await found('murat.onay', id, 'FT-7')) {
    assert.match(text, SAME)
    assert.doesNotMatch(text, DIFFER)
  }
  assert.match((await found('elif.onay', id, 'ft 9001'))[0], /Çekim tamamlandı/)
})

test('a finding of a person who lost the right is marked, and neither message nor card counts it', async () => {
  const id = await unknown()
  await found('burak.kasa', id, 'FT-1')
  await setRoles(app, operatorActor('deniz.admin'), 'burak.kasa', ['viewer'])
  const [above, card] = await found('zeynep.kasa', id, 'FT-2')
  for (const text of [above, card]) {
    assert.match(text, /ikinci kişi bekleniyor/)
    assert.doesNotMatch(text, DIFFER)
  }
  assert.match(card, /burak\.kasa artık yetkili değil/)
})

test('what the bank responded is said in words; its text is folded', async () => {
  bank.behave({ submit: () => ({ status: 504, body: { error: 'timeout' } }), find: () => ({ status: 500, body: {} }) })
  const id = await unknown()
  const person = visitor(service)
  await person.logIn('elif.onay')
  for (const path of ['/payouts', `/transactions/${id}`]) {
    const { text } = await person.request(path)
    assert.match(
      text,
      /<details class="raw">\s*<summary>Banka zamanında yanıt vermedi<\/summary>\s*<span class="id">HTTP 504 /,
      path,
    )
    assert.doesNotMatch(text.replaceAll(/<details[^]*?<\/details>/g, ''), /HTTP 504/, path)
  }
})
