import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import { dispatchWithdrawals, findWithdrawalById } from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { withdrawBody } from '../harness/examples.ts'
import { AYSE, openJournal } from '../harness/journal.ts'
import { addPerson, giveLogin, visitor } from '../harness/operator-console.ts'
import { hiddenIn, refusalIn } from '../harness/page-text.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'

// Two people decide about one card: who comes second is told who decided what, and when.
const service = await startService()
const { app } = service
app.connections.push(bankApiConnection((await startPlainBank()).connection))
const shop = await service.merchant({ funds: 10_000_000n })
const journal = await openJournal(app)
await giveLogin(service, 'mehmet.kaya')
await addPerson(service, 'elif.onay')
await setPayoutRules(app, UNATTRIBUTED, shop.merchantId, { approvalThreshold: 1n })

const WHEN = '\\(\\d\\d\\.\\d\\d\\.\\d{4} \\d\\d:\\d\\d\\)'
const told = (who: string, what: string) =>
  new RegExp(`${who} sizden önce karar verdi: ${what} ${WHEN}\\. Sizin kararınız işlenmedi\\.`)

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return person
}
const [mehmet, elif] = [await enter('mehmet.kaya'), await enter('elif.onay')]

/** Both have the page open; elif is first. Returns what mehmet is told. */
async function second(path: string, first: [act: string, why: string], then: [act: string, why: string]) {
  const pages = await Promise.all([elif, mehmet].map(async (one) => (await one.request('/approvals')).text))
  const send = async (person: typeof elif, page: string, [act, why]: [string, string]) => {
    const fields = Object.fromEntries(hiddenIn(page, `/operator${path}/${act}`))
    return person.request(`${path}/${act}`, { ...fields, why, note: why })
  }
  assert.equal((await send(elif, pages[0] ?? '', first)).status, 303)
  const lost = await send(mehmet, pages[1] ?? '', then)
  assert.equal(lost.status, 409)
  return refusalIn(lost.text)
}

async function withdraw(): Promise<string> {
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  await dispatchWithdrawals(app)
  assert.equal((await findWithdrawalById(app.db, transactionId))?.state, 'awaiting_approval')
  return transactionId as string
}

test('a withdrawal that another person rejected meanwhile', async () => {
  const id = await withdraw()
  const text = await second(`/withdrawals/${id}`, ['reject', 'alıcı yanlış'], ['approve', ''])
  assert.match(text, told('elif.onay', 'reddedildi'))
})

test('who sends the same form twice is told so', async () => {
  const id = await withdraw()
  const page = (await elif.request('/approvals')).text
  const fields = Object.fromEntries(hiddenIn(page, `/operator/withdrawals/${id}/reject`))
  const reject = () => elif.request(`/withdrawals/${id}/reject`, { ...fields, note: 'alıcı yanlış' })
  assert.equal((await reject()).status, 303)
  assert.match(refusalIn((await reject()).text), new RegExp(`Buna zaten karar verdiniz: reddedildi ${WHEN}`))
})

test('a journal entry that another person approved meanwhile', async () => {
  const line = await journal.arrives('debit', 799n)
  const { id } = await journal.propose('bank_charge', { lineIds: [line] })
  const text = await second(`/proposals/${id}`, ['approve', ''], ['reject', 'masraf değil'])
  assert.match(text, told('elif.onay', 'onaylandı'))
})

test('a change of settings that another person rejected meanwhile', async () => {
  const { merchantId } = await service.merchant({ allowedNetworks: [] })
  const terms = { merchantId, add: ['203.0.113.7'] }
  const live = { ...app, sandbox: false }
  const asked = await makeProposal(live, AYSE, 'merchant.networks', terms, { reason: 'asked for in ticket 14' })
  const id = asked.state === 'open' ? asked.proposal.id : assert.fail(asked.state)
  const text = await second(`/proposals/${id}`, ['reject', 'gerek yok'], ['approve', ''])
  assert.match(text, told('elif.onay', 'reddedildi'))
})
