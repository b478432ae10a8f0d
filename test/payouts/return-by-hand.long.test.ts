import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { returnByHand } from '../../packages/server/src/domain/matching/index.ts'
import { queryPayoutStatus, findPayout, callsOf } from '../../packages/server/src/domain/withdrawals/index.ts'
import { setMatching } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import type { Why } from '../../packages/server/src/kernel/refusals/refuse.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind, checkHistory } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(5_000_000n)
const { ask, sent, lineAbout, faults, available } = openPayoutLines(service, shop)
const STRANGER = makeIban('0046', '77777777')
const BY = 'ayse.yilmaz'
await addOperator(app, UNATTRIBUTED, BY, DECIDING)

afterEach(async () => {
  await service.call('DELETE', 'faults')
  await travelTo(app, 0)
  assert.deepEqual(await findDrift(app.db), [])
})

/** Money that came from somewhere else, with our text; in suspense. Answers the id of its line. */
async function held(id: string, changes: object = {}): Promise<string> {
  const bankReference = app.ids.next()
  const back = { direction: 'credit', narrative: `IADE ${id}`, senderIban: STRANGER, bankReference } as const
  await ingest(app, [await lineAbout(id, { ...back, ...changes })])
  await matchAll(app)
  const line = (await listLines(app.db, 'suspense', 1000)).find((one) => one.bankReference === bankReference)
  assert.ok(line)
  return line.id
}

async function completed(): Promise<string> {
  const id = await ask()
  await service.work()
  return id
}

const refusal = (code: string, why: Why) => ({ code, why })

async function cashOf(id: string): Promise<bigint> {
  const source = (await findPayout(app.db, id))?.sourceAccountId
  return (await bankCash(app.db)).find(({ collectingAccountId }) => collectingAccountId === source)?.amount ?? 0n
}

test('from the limit on, money of which only the amount speaks is no return on one person’s word', async () => {
  const id = await completed()
  const line = await held(id, { narrative: 'kira', senderName: 'BASKA BIRI' })
  const say = () => returnByHand(app, operatorActor(BY), line, id)
  const { amount } = (await findPayout(app.db, id)) ?? assert.fail('no payout')
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: amount })
  await assert.rejects(say(), refusal('INVALID_STATE', 'return_by_amount_only'))
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: amount + 1n })
  assert.equal(await say(), 'credited')
  await setMatching(app, UNATTRIBUTED, shop.merchantId, { approveFrom: null })
})

test('a person says that it is the return: credited once, told, with the name under it', async () => {
  const id = await completed()
  const line = await held(id)
  const [before, cash] = [await available(), await cashOf(id)]
  const answers = await Promise.allSettled([1, 2, 3].map(() => returnByHand(app, operatorActor(BY), line, id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  assert.equal(await available(), before + BigInt(AMOUNT))
  assert.equal(await cashOf(id), cash)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  const calls = await callsOf(app.db, shop.merchantId, id)
  assert.deepEqual(calls.at(-1)?.detail, note('call_person_line', { person: BY, line }))
  const again = returnByHand(app, operatorActor(BY), await held(id), id)
  await assert.rejects(again, refusal('INVALID_STATE', 'return_has_line'))
})

test('refused: another amount, a payout that is not known to have left, a line that is not in suspense, unknown ids', async () => {
  const id = await completed()
  const less = await held(id, { amount: BigInt(AMOUNT) - 500n })
  await assert.rejects(
    returnByHand(app, operatorActor(BY), less, id),
    refusal('INVALID_STATE', 'return_amount_differs'),
  )
  const debit = (await listLines(app.db, 'matched', 1000)).find((line) => line.withdrawalId === id)
  await assert.rejects(
    returnByHand(app, operatorActor(BY), debit?.id ?? '', id),
    refusal('INVALID_STATE', 'line_not_in_state'),
  )
  await assert.rejects(returnByHand(app, operatorActor(BY), app.ids.next(), id), refusal('NOT_FOUND', 'line_unknown'))
  await assert.rejects(
    returnByHand(app, operatorActor(BY), less, app.ids.next()),
    refusal('NOT_FOUND', 'payout_unknown'),
  )
  await faults('error_before', 'find_error')
  const doubtful = await sent()
  const line = await held(doubtful)
  await assert.rejects(
    returnByHand(app, operatorActor(BY), line, doubtful),
    refusal('INVALID_STATE', 'payout_not_known_to_have_left'),
  )
  assert.equal((await mustFind(app, doubtful)).state, 'unknown')
  const refused = await sent({ iban: makeIban('0062', '90000001') })
  await assert.rejects(
    returnByHand(app, operatorActor(BY), await held(refused), refused),
    refusal('INVALID_STATE', 'return_without_debit'),
  )
})

test('the bank had told of the return before its line was found: noted, out of suspense, credited once', async () => {
  await faults('error_after')
  const before = await available()
  const id = await sent()
  await service.call('POST', `transfers/${id}/return`)
  const cash = await cashOf(id)
  const line = await held(id)
  assert.equal(await cashOf(id), cash + BigInt(AMOUNT))
  await travelTo(app, 90)
  await queryPayoutStatus(app)
  assert.equal(await returnByHand(app, operatorActor(BY), line, id), 'noted')
  assert.deepEqual([await available(), await cashOf(id)], [before, cash])
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
})

test('a refused payout that left all the same: its debit and the return from elsewhere cancel each other', async () => {
  const id = await sent({ iban: makeIban('0062', '90000001') })
  const [before, cash] = [await available(), await cashOf(id)]
  await ingest(app, [await lineAbout(id, {})])
  const line = await held(id)
  assert.equal(await returnByHand(app, operatorActor(BY), line, id), 'cancelled')
  assert.deepEqual([await available(), await cashOf(id)], [before, cash])
  const states = (await listLines(app.db, undefined, 1000)).filter((one) => one.withdrawalId === id)
  assert.deepEqual(new Set(states.map(({ state }) => state)), new Set(['matched']))
})

test('returned by hand while another credit waits for the debit: the debit credits nothing more', async () => {
  const before = await available()
  const id = await sent()
  const waiting = await held(id, { senderIban: null })
  const chosen = await held(id)
  assert.equal(await returnByHand(app, operatorActor(BY), chosen, id), 'credited')
  await ingest(app, [await lineAbout(id, {})])
  await matchAll(app)
  assert.equal(await available(), before)
  assert.deepEqual(await checkHistory(app, id), ['processing', 'completed', 'returned'])
  assert.ok((await listLines(app.db, 'suspense', 1000)).some((line) => line.id === waiting))
})

test('vezne line list shows the candidate; vezne line return books it', async () => {
  const masterKey = app.config.masterKey.toString('hex')
  const { run, stop } = openCommandLine({ DATABASE_URL: service.databaseUrl, VEZNE_MASTER_KEY: masterKey })
  try {
    const id = await completed()
    const line = await held(id)
    assert.match(
      (await run(['line', 'list', '--state', 'suspense'])).output,
      new RegExp(`payout_other_sender +${id}\\?`),
    )
    const { output } = await run(['line', 'list', '--state', 'suspense', '--json'])
    const { lines } = JSON.parse(output) as { lines: { id: string; candidateWithdrawalId: string }[] }
    assert.equal(lines.find((one) => one.id === line)?.candidateWithdrawalId, id)
    assert.equal((await run(['line', 'return', line, '--withdrawal', id, '--as', 'nobody'])).code, 1)
    const { code, output: words } = await run(['line', 'return', line, '--withdrawal', id])
    assert.deepEqual([code, words.trim()], [0, 'The payout came back: its merchant has the money.'])
    assert.equal((await mustFind(app, id)).state, 'returned')
  } finally {
    stop()
  }
})
