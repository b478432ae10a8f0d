import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { dismissLine } from '../harness/line-proposals.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { giveLogin, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const [ayse, mehmet] = [visitor(service), visitor(service)]
for (const [person, name] of [
  [ayse, 'ayse.yilmaz'],
  [mehmet, 'mehmet.kaya'],
] as const) {
  await giveLogin(service, name)
  await person.logIn(name)
}
const WHY = 'bankada yok, şube söyledi'
const send = async (person: typeof ayse, path: string, fields: Record<string, string>) =>
  person.request(path, { csrf: await person.csrf('/approvals'), ...fields })
const page = async (person: typeof ayse, path: string) => (await person.request(path)).text
const tile = async (person: typeof ayse) => /Öneri (\S+)/.exec(visibleText(await page(person, '')))?.[1]
const cardOf = async (person: typeof ayse, line: string) => {
  const cards = (await page(person, '/approvals')).split('<article').map((card) => `<body><article${card}`)
  return cards.find((card) => card.includes(`/matching/${line}"`)) ?? ''
}
/** The second person approves, or anyone ends, what the card of the line shows. */
const decide = async (person: typeof ayse, line: string, act: 'approve' | 'reject', why = 'ekstrede yok') => {
  const card = await cardOf(person, line)
  const id = /data-item="(\w{24})"/.exec(card)?.[1] ?? assert.fail('no card')
  const seen = /name="seen" value="(\w+)"/.exec(card)?.[1] ?? ''
  return send(person, `/proposals/${id}/${act}`, act === 'approve' ? { seen } : { why })
}

test('one person says that the bank does not count a line: it waits, with who and why, on the first page, in the list, on the line and in Approvals', async () => {
  const line = await journal.arrives('credit', 12_300n)
  assert.equal(await tile(mehmet), 'yok')
  const said = await send(ayse, `/matching/${line}/dismiss`, { why: WHY })
  assert.match(
    said.location ?? '',
    /^\/operator\/matching\?.*said=lineDismissalProposed(&|$)/,
    'no other line was opened',
  )
  assert.equal(await tile(mehmet), '1')
  const shown = await page(mehmet, `/matching/${line}`)
  assert.match(visibleText(shown), /öneri bekliyor/)
  assert.match(
    visibleText(shown),
    /Bankada geçersiz satır \(ayse\.yilmaz\), onay bekliyor ?: bankada yok, şube söyledi/,
  )
  assert.doesNotMatch(shown, new RegExp(`/matching/${line}/(dismiss|retry)"`), 'nothing else is said meanwhile')
  assert.match(visibleText(await cardOf(mehmet, line)), /123,00 TL .*ayse\.yilmaz ?: bankada yok, şube söyledi/)
  assert.doesNotMatch(await cardOf(ayse, line), /\/approve"/)
  await assert.rejects(journal.propose('interest', { lineIds: [line] }), { why: 'proposal_open' })

  const agreed = await decide(mehmet, line, 'approve')
  assert.equal(agreed.location, '/operator/approvals?said=proposalApplied')
  assert.equal((await findLine(app.db, line))?.state, 'dismissed')
  assert.equal(await tile(mehmet), 'yok')
})

test('its author takes it back, another person rejects it: the line takes other proposals again', async () => {
  const line = await journal.arrives('credit', 45_600n)
  for (const person of [ayse, mehmet]) {
    await dismissLine(app, AYSE, line, WHY)
    const ended = await decide(person, line, 'reject')
    assert.equal(ended.location, '/operator/approvals?said=proposalRejected')
    assert.equal(await tile(mehmet), 'yok')
    assert.equal((await findLine(app.db, line))?.state, 'suspense')
  }
  await journal.propose('interest', { lineIds: [line] })
})

test('a line that two people dismissed is brought back by two: on its page, then in Approvals', async () => {
  const line = await journal.arrives('credit', 78_900n)
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, WHY)
  const why = 'şube satırı doğruladı'
  const before = await tile(mehmet)
  const shown = await page(ayse, `/matching/${line}`)
  assert.match(visibleText(shown), /Defterde değil İki kişi, bankanın bu satırı saymadığını söyledi/)
  const said = await send(ayse, `/matching/${line}/restore`, { why })
  assert.equal(said.location, `/operator/matching/${line}?said=lineRestoreProposed`)
  assert.notEqual(await tile(mehmet), before)
  assert.doesNotMatch(await page(mehmet, `/matching/${line}`), new RegExp(`/matching/${line}/restore"`), 'it waits')
  assert.match(visibleText(await cardOf(mehmet, line)), /Satır yeniden geçerli .*ayse\.yilmaz ?: şube satırı doğruladı/)
  assert.doesNotMatch(await cardOf(ayse, line), /\/approve"/)
  const agreed = await decide(mehmet, line, 'approve')
  assert.equal(agreed.location, '/operator/approvals?said=proposalApplied')
  assert.equal((await findLine(app.db, line))?.state, 'new')
  assert.equal(await tile(mehmet), before)
})

test('the word that a line counts again is rejected: the line stays out of the books', async () => {
  const line = await journal.arrives('credit', 78_901n)
  for (const actor of [AYSE, MEHMET]) await dismissLine(app, actor, line, WHY)
  await send(ayse, `/matching/${line}/restore`, { why: 'yanlış hatırladım' })
  const ended = await decide(mehmet, line, 'reject')
  assert.equal(ended.location, '/operator/approvals?said=proposalRejected')
  assert.equal((await findLine(app.db, line))?.state, 'dismissed')
  assert.match(await page(mehmet, `/matching/${line}`), new RegExp(`/matching/${line}/restore"`))
})
