import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, findMerchant, merchantInForce } from '../../packages/server/src/domain/merchants/index.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn, visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
await addPerson(service, 'ayse.yilmaz')
await addPerson(service, 'only.viewer', ['viewer'], 'ayse.yilmaz')
const { merchantId } = await service.merchant()
const PATH = `/merchants/${merchantId}`

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return { ...person, csrf: await person.csrf() }
}

test('the page of a merchant shows its matching rules and its deadline, and has forms for both', async () => {
  const person = await enter('ayse.yilmaz')
  const before = visibleText((await person.request(PATH)).text)
  assert.match(before, /Farklı tutar tam tutar gerekir; fark incelenir Geç gelen para yatırıma yazılır/)
  assert.match(before, /Yalnızca EFT ile ödenebilen yatırım öbürleri gibi yarım saat bekler/)
  const rules = { amount: 'exact', tolerance: '5,00', late: 'review', nameCheck: 'require', why: 'sözleşme böyle' }
  const saved = await person.request(`${PATH}/matching`, { csrf: person.csrf, ...rules })
  assert.match(saved.location ?? '', /said=changeMade/)
  const { matching } = await merchantInForce(app, merchantId)
  assert.deepEqual(matching, {
    amount: 'exact',
    tolerance: 500n,
    late: 'review',
    nameCheck: 'require',
    approveFrom: null,
  })
  const looser = await person.request(`${PATH}/matching`, { csrf: person.csrf, ...rules, amount: 'tolerance' })
  assert.match(looser.location ?? '', /said=proposalMade/, 'for a second person')
  const wrong = await person.request(`${PATH}/matching`, { csrf: person.csrf, ...rules, late: 'never' })
  assert.equal(wrong.status, 409)
  const set = await person.request(`${PATH}/deadline`, { csrf: person.csrf, eftHours: '4' })
  assert.match(set.location ?? '', /said=deadlineSet/)
  assert.equal((await findMerchant(app, merchantId)).eftDeadlineHours, 4)
  const { text } = await person.request(PATH)
  assert.match(visibleText(text), /tam tutar gerekir; fark incelenir Geç gelen para incelenir/)
  assert.match(visibleText(text), /EFT açıldıktan sonra 4 saat bekler/)
  assert.ok(hiddenIn(text, `/operator${PATH}/deadline`).length > 0)
  const last = (await changesOf(app.db, merchantId)).at(-1)
  assert.deepEqual([last?.after, last?.changedBy], [{ eft_deadline: 4 }, 'ayse.yilmaz'])
})

test('a deadline that is out of range is refused in Turkish, none lifts it, and a viewer may not', async () => {
  const person = await enter('ayse.yilmaz')
  const refused = await person.request(`${PATH}/deadline`, { csrf: person.csrf, eftHours: '49' })
  assert.match(refusalIn(refused.text), /EFT süresi: 1 ile 48 arasında olmalı/)
  await person.request(`${PATH}/deadline`, { csrf: person.csrf, eftHours: '' })
  assert.equal((await findMerchant(app, merchantId)).eftDeadlineHours, null)
  const viewer = await enter('only.viewer')
  assert.equal((await viewer.request(`${PATH}/deadline`, { csrf: viewer.csrf, eftHours: '4' })).status, 403)
})
