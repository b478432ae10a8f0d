import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import type { Plan } from './faults-scope.ts'
import { AMOUNT, find, fundedBank, FUNDS, plan, setFaults, submit, witness } from './faults-scope.ts'
import type { Running } from './simulator.ts'
import { balances, CLIENT, KEY, moneyOf, OTHER, start, statement, temporaryFolder } from './simulator.ts'

const DELAY = 20
const ERROR = { status: 500, body: { error: 'internal_error' } }
const TIMEOUT = { status: 504, body: { error: 'timeout' } }

/** What the caller is told, whether the money moved, and what asking later says. */
const KINDS = [
  { kind: 'timeout_before', told: TIMEOUT, moved: false },
  { kind: 'timeout_after', told: TIMEOUT, moved: true },
  { kind: 'error_before', told: ERROR, moved: false },
  { kind: 'error_after', told: ERROR, moved: true },
  { kind: 'reset_before', told: null, moved: false },
  { kind: 'reset_after', told: null, moved: true },
  { kind: 'slow', told: [201, 'accepted'], moved: true },
  { kind: 'duplicate_answer', told: [200, 'accepted'], moved: true },
  { kind: 'late_status', told: [201, 'pending'], moved: true },
  { kind: 'accept_then_reject', told: [201, 'accepted'], moved: true, found: ['rejected', 'reversed'] },
]

for (const { kind, told, moved, found = ['accepted', undefined] } of KINDS) {
  test(`${kind}: one call ends as it says, and any number of calls move money at most once`, async (t) => {
    const bank = await fundedBank(t)
    const money = await moneyOf(bank)
    await setFaults(bank, { kinds: [kind], delayMs: DELAY })
    const began = performance.now()
    const answer = await submit(bank, 'p1')
    const waited = performance.now() - began
    assert.deepEqual(Array.isArray(told) ? [answer?.status, answer?.body.status] : answer, told)
    if (/timeout|slow/.test(kind)) assert.ok(waited >= DELAY - 1, `${waited} ms`)
    assert.equal((await witness(bank)).length, moved ? 1 : 0)
    assert.deepEqual((await plan(bank)).counts[kind], 1)
    const afterwards = await find(bank, 'p1')
    if (moved) assert.deepEqual([afterwards.body.status, afterwards.body.reason], found)
    else assert.deepEqual(afterwards, { status: 404, body: { error: 'never_seen' } })

    await Promise.all([1, 2, 3].map(() => submit(bank, 'p1', { amount: 1 })))
    await setFaults(bank, {})
    const last = await submit(bank, 'p1')
    assert.deepEqual([last?.status, last?.body.status, last?.body.reason], [moved ? 200 : 201, ...found])
    assert.deepEqual(
      (await witness(bank)).map(({ reference, amount, toIban, reversed }) => [reference, amount, toIban, reversed]),
      [['p1', AMOUNT, OTHER, kind === 'accept_then_reject']],
    )
    const paid = kind === 'accept_then_reject' ? 0 : AMOUNT
    const sums = await balances(bank)
    assert.deepEqual([sums[CLIENT], sums[OTHER], await moneyOf(bank)], [FUNDS - paid, paid, money])
  })
}

test('find_error: asking fails, sending does not', async (t) => {
  const bank = await fundedBank(t)
  await setFaults(bank, { kinds: ['find_error'] })
  assert.equal((await submit(bank, 'p1'))?.status, 201)
  assert.deepEqual(await find(bank, 'p1'), ERROR)
  assert.deepEqual(await find(bank, 'p2'), ERROR)
  assert.equal((await plan(bank)).counts.find_error, 2)
  await bank.api('DELETE', '/faults')
  assert.equal((await find(bank, 'p1')).body.status, 'accepted')
  const { kinds, counts } = await plan(bank)
  assert.deepEqual([kinds, counts.find_error], [[], 2], 'off: no kind is on, and what happened can still be read')
  assert.equal((await setFaults(bank, { rate: 0.1 })).body.counts.find_error, 0, 'a new plan counts anew')
})

test('what was taken back has a return line of its own', async (t) => {
  const bank = await fundedBank(t)
  await setFaults(bank, { kinds: ['accept_then_reject'] })
  const answer = await submit(bank, 'p1')
  const [, debit, , , credit] = await statement(bank)
  assert.deepEqual([debit?.reference, debit?.narrative], [answer?.body.bankReference, 'Ödeme REF:p1'])
  assert.deepEqual([credit?.account, credit?.direction, credit?.narrative], [CLIENT, 'credit', 'IADE p1'])
  assert.notEqual(credit?.reference, debit?.reference)
  const poor = await submit(bank, 'p2', { amount: FUNDS + 1 })
  assert.equal(poor?.body.reason, 'insufficient_funds')
  assert.equal((await plan(bank)).counts.accept_then_reject, 1, 'a rejection is not taken back')
})

test('a pending transfer that is then rejected says so when asked', async (t) => {
  const bank = await fundedBank(t)
  await setFaults(bank, { kinds: ['late_status'] })
  assert.deepEqual((await submit(bank, 'p1', { amount: FUNDS + 1 }))?.body, { reference: 'p1', status: 'pending' })
  assert.equal((await find(bank, 'p1')).body.reason, 'insufficient_funds')
})

/** Every call of 40 transfers, twice each, and what the bank made of it. */
async function play(bank: Running, order: 1 | -1) {
  await setFaults(bank, { seed: 7, rate: 0.5, delayMs: 1 })
  const references = Array.from({ length: 40 }, (_, index) => `p${index}`)
  if (order === -1) references.reverse()
  const told: Record<string, unknown> = {}
  for (const reference of references) {
    for (const call of [1, 2]) {
      const answer = await submit(bank, reference, { amount: 100 })
      told[`${reference}/${call}`] = answer && [answer.status, answer.body.status]
    }
    told[`${reference}/find`] = (await find(bank, reference)).status
  }
  return { told, counts: (await plan(bank)).counts }
}

test('a seed decides, not the order of the calls; another seed decides otherwise', async (t) => {
  const [one, two] = [await fundedBank(t), await fundedBank(t)]
  const first = await play(one, 1)
  assert.deepEqual(await play(two, -1), first)
  const happened = Object.values(first.counts).reduce((sum, count) => sum + count, 0)
  assert.ok(happened > 30 && happened < 90, `${happened} of 120 calls`)
  const references = (await witness(one)).map(({ reference }) => reference)
  assert.equal(new Set(references).size, references.length)
  await setFaults(two, { seed: 8, rate: 0.5, delayMs: 1 })
  for (let index = 0; index < 40; index++) await submit(two, `p${index}`, { amount: 100 })
  assert.notDeepEqual((await plan(two)).counts, first.counts)
})

test('the plan is shown, checked, kept over a restart and turned off', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await start(t, folder)
  const off = await plan(bank)
  assert.deepEqual([off.rate, off.delayMs, off.kinds.length], [0, 60_000, 0])
  const wanted = { seed: 3, rate: 0.25, kinds: ['slow', 'find_error'], delayMs: 5 }
  const { counts, ...shown } = (await setFaults(bank, wanted)).body
  assert.deepEqual([shown, new Set(Object.values(counts))], [wanted, new Set([0])])
  for (const wrong of [{ rate: 2 }, { rate: '1' }, { kinds: ['x'] }, { seed: 0.5 }, { delayMs: -1 }, { chance: 1 }]) {
    assert.equal((await setFaults(bank, wrong)).status, 400, JSON.stringify(wrong))
  }
  await bank.stop()
  const again = await start(t, folder)
  assert.deepEqual((await plan(again)).kinds, wanted.kinds)
  assert.deepEqual((await again.api<Plan>('DELETE', '/faults')).body, off)
  await setFaults(again, wanted)
  assert.deepEqual((await setFaults(again, {})).body, off)
})

/** Sends a transfer and leaves when the bank has it. */
async function callAndGo(bank: Running, reference: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const call = request(`${bank.url}/api/transfers`, { method: 'POST', headers })
  const gone = new Promise<void>((resolve) => {
    call.on('error', () => resolve())
  })
  const transfer = { reference, fromIban: CLIENT, toIban: OTHER, toName: 'X', amount: 1, description: '' }
  call.end(JSON.stringify(transfer))
  while ((await plan(bank)).counts.timeout_after === 0) await find(bank, reference)
  call.destroy()
  await gone
}

test('a caller who gives up is let go, and one who waits does not keep the bank open', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await fundedBank(t, folder)
  await setFaults(bank, { kinds: ['timeout_after'] })
  await callAndGo(bank, 'p1')
  const waiting = submit(bank, 'p2')
  while ((await plan(bank)).counts.timeout_after !== 2) await find(bank, 'p2')
  await bank.stop()
  assert.equal(await waiting, null)
  assert.deepEqual(
    (await witness(await start(t, folder))).map(({ reference }) => reference),
    ['p1', 'p2'],
  )
})
