import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import { bankApiConnection, manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout, submitPayouts } from '../../packages/server/src/domain/withdrawals/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { refusalIn, visibleText } from '../harness/page-text.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { over } from '../harness/payout-subjects.ts'
import { neverSeen, startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'
import { travelTo } from '../harness/until.ts'

// A line on a statement names an open payout: no one says that it was not sent without having looked at the line.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
const shop = await service.merchant({ funds: 5_000_000n })
await addPerson(service, 'deniz.admin', ['admin'])
for (const name of ['kasa.bir', 'kasa.iki']) await addPerson(service, name, ['cashier'], 'deniz.admin')
const AMOUNT = 10_000

async function open(connection: typeof manualConnection): Promise<string> {
  const { transactionId } = (await shop.post('/v1/withdraw', withdrawBody({ amount: AMOUNT }))).body.data
  const on = over(app, connection)
  while ((await dispatchWithdrawals(on)) + (await submitPayouts(on)) > 0);
  assert.equal((await findPayout(app.db, transactionId))?.state, 'asking')
  return transactionId
}

/** A debit that names it, with another amount: neither its own nor anyone else's. Returns the line. */
async function debitNaming(id: string, state: 'new' | 'needs_review' = 'needs_review'): Promise<string> {
  const account = await app.banks.account((await findPayout(app.db, id))?.sourceAccountId ?? '')
  const [bookedAt, bankReference] = [app.clock.now(), app.ids.next()]
  await ingest(app, [
    {
      ...{ accountIban: account?.iban ?? '', bankReference, amount: BigInt(AMOUNT) + 500n, direction: 'debit' },
      ...{ valueDate: istanbul(bookedAt).day, bookedAt, senderName: '', senderIban: null },
      narrative: `Para cekme ${id}`,
    },
  ])
  if (state === 'needs_review') await matchAll(app)
  const lines = await listLines(app.db, state, 100)
  return lines.find((one) => one.bankReference === bankReference)?.id ?? assert.fail('no line')
}

async function enter(name: string) {
  const person = visitor(service)
  await person.logIn(name)
  return { ...person, token: await person.csrf('/payouts') }
}

const cardOf = (text: string, id: string) => (text.split(`data-item="${id}"`)[1] ?? '').split('</article>')[0] ?? ''

/** `page`: where its card is. */
async function endsByTwoWhoSawIt(page: string, id: string, line: string): Promise<void> {
  const people = [await enter('kasa.bir'), await enter('kasa.iki')]
  const fields = { evidence: 'bankaya soruldu', unproven: 'yes' }
  for (const one of people) {
    const card = cardOf((await one.request(page)).text, id)
    assert.ok(card.includes(`href="/operator/matching/${line}"`), 'the card links it')
    assert.match(card, new RegExp(`name="notLine" value="${line}" required`))
    assert.match(visibleText(`<body>${card}`), new RegExp(`${line} satırına baktım ve bankaya sordum`))
    const refused = await one.request(`${page}/${id}/not-found`, { csrf: one.token, ...fields })
    assert.equal(refused.status, 409)
    assert.match(refusalIn(refused.text), new RegExp(`Ekstredeki ${line} satırında bu çekimin no’su var`))
    const other = await one.request(`${page}/${id}/not-found`, { csrf: one.token, ...fields, notLine: 'f'.repeat(24) })
    assert.equal(other.status, 409, 'another line')
  }
  const { text } = await people[0]!.request(`/transactions/${id}`)
  assert.ok(text.includes(`href="/operator/matching/${line}"`), 'the page of the withdrawal links it')
  assert.equal((await mustFind(app, id)).status, 'processing')
  for (const one of people) {
    const said = await one.request(`${page}/${id}/not-found`, { csrf: one.token, ...fields, notLine: line })
    assert.equal(said.status, 303, refusalIn(said.text))
  }
  assert.equal((await mustFind(app, id)).status, 'failed')
  const entries = await listAudit(app.db, { subject: `withdrawal:${id}`, action: 'payout.decide' }, 9)
  assert.deepEqual(
    entries.map(({ after }) => (after as { notLines?: string[] }).notLines),
    [[line], [line]],
  )
}

test('to be sent by hand: not sent is refused until both people say that the line is not of it', async () => {
  const id = await open(manualConnection)
  await endsByTwoWhoSawIt('/payouts/by-hand', id, await debitNaming(id, 'new'))
  const judged = await open(manualConnection)
  await endsByTwoWhoSawIt('/payouts', judged, await debitNaming(judged))
})

test('its outcome is unknown: not found is refused in the same way', async () => {
  bank.behave({ submit: () => 'reset', find: () => neverSeen })
  const id = await open(bankApiConnection(bank.connection))
  const line = await debitNaming(id)
  await travelTo(app, 7 * 86_400)
  await endsByTwoWhoSawIt('/payouts', id, line)
})

test('found needs no word about the line, which its page still links', async () => {
  const id = await open(manualConnection)
  const line = await debitNaming(id)
  const [one, two] = [await enter('kasa.bir'), await enter('kasa.iki')]
  for (const person of [one, two]) {
    const said = await person.request(`/payouts/${id}/found`, { csrf: person.token, evidence: 'FT-1042' })
    assert.equal(said.status, 303)
  }
  assert.equal((await mustFind(app, id)).status, 'completed')
  const { text } = await one.request(`/transactions/${id}`)
  assert.ok(text.includes(`href="/operator/matching/${line}"`), 'its debit still has to be explained')
})
