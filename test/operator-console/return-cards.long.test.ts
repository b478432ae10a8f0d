import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

const service = await startWithBank()
const shop = await service.merchantWithMoney(1_000_000n)
const journal = await openJournal(service.app)
const { ask, lineAbout } = openPayoutLines(service, shop)
await giveLogin(service, 'mehmet.kaya')
const person = visitor(service)
await person.logIn('mehmet.kaya')

for (const [costsBy, payer] of [
  ['merchant', 'satıcı öder'],
  ['operator', 'biz öderiz'],
] as const)
  test(`a return with costs, borne by the ${costsBy}: the card names withdrawal, costs and who pays`, async () => {
    const id = await ask()
    await service.work()
    const came = BigInt(AMOUNT) - 500n
    const written = await lineAbout(id, { direction: 'credit', amount: came, narrative: 'IADE' })
    const line = await journal.arrives('credit', came, written)
    const form = `/matching/${line}?entry=payout_return.with_costs&withdrawal=${id}&costs=${costsBy}`
    assert.match(visibleText((await person.request(form)).text), new RegExp(`5,00 TL masrafı ${payer}`), 'the preview')
    const { id: entry } = await journal.propose('payout_return', { lineIds: [line], withdrawalId: id, costsBy })
    const [, from = ''] = (await person.request('/approvals')).text.split(`data-item="${entry}"`)
    const card = from.split('</article>')[0] ?? ''
    const words = visibleText(`<body>${card}`)
    assert.match(card, new RegExp(`href="/operator/transactions/${id}"`))
    assert.match(words, new RegExp(`Çekim Deneme · .+ · ${id} ?: geri döndü olur; satıcıya bildirilir`))
    assert.ok(words.includes(`100,00 TL gönderilmişti, 95,00 TL geri geldi: 5,00 TL masrafı ${payer}.`), words)
  })
