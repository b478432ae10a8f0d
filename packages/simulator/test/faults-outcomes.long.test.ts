import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AMOUNT, endingIn, find, fundedBank, FUNDS, plan, setFaults, submit, witness } from './faults-scope.ts'
import type { Made } from './simulator.ts'
import { balances, CLIENT, moneyOf, OTHER, start, statement, temporaryFolder } from './simulator.ts'

for (const [digits, reason] of [
  ['0001', 'account_closed'],
  ['0002', 'name_mismatch'],
  ['0003', 'limit_exceeded'],
] as const) {
  test(`a receiver ending in ${digits} is rejected: ${reason}`, async (t) => {
    const bank = await fundedBank(t)
    const body = { reference: 'p1', status: 'rejected', reason }
    assert.deepEqual(await submit(bank, 'p1', { toIban: endingIn(digits) }), { status: 201, body })
    assert.deepEqual(await find(bank, 'p1'), { status: 200, body })
    assert.deepEqual(await witness(bank), [])
    const paid = await bank.api('POST', '/payments', { toIban: endingIn(digits), amount: 1, description: '' })
    assert.equal(paid.status, 201, 'a customer of the bank can pay there all the same')
  })
}

for (const [digits, status, told, moved] of [
  ['0004', 504, undefined, true],
  ['0005', 504, undefined, false],
  ['0006', 500, undefined, true],
  ['0007', 201, 'pending', true],
  ['0008', 201, 'accepted', true],
  ['0009', undefined, undefined, true],
] as const) {
  test(`a receiver ending in ${digits}: the first call ends so, the second has the outcome`, async (t) => {
    const bank = await fundedBank(t)
    // A plan leaves these receivers alone; only its delay is theirs too.
    await setFaults(bank, { kinds: ['error_before'], delayMs: 5 })
    const first = await submit(bank, 'p1', { toIban: endingIn(digits) })
    assert.deepEqual([first?.status, first?.body.status], [status, told])
    assert.equal((await find(bank, 'p1')).body.status, moved ? 'accepted' : undefined)
    const second = await submit(bank, 'p1', { toIban: endingIn(digits) })
    assert.deepEqual([second?.status, second?.body.status], [moved ? 200 : 201, 'accepted'])
    assert.equal((await witness(bank)).length, 1)
    assert.equal((await plan(bank)).counts.error_before, 0)
  })
}

const sendBack = (bank: Awaited<ReturnType<typeof start>>, reference: string) =>
  bank.api<Made>('POST', `/transfers/${reference}/return`)

test('a return brings the money back once, with its own line and reference', async (t) => {
  const bank = await fundedBank(t)
  const money = await moneyOf(bank)
  const toIban = endingIn('0008')
  const sent = await submit(bank, 'p1', { toIban })
  const body = { ...sent?.body, status: 'returned' }
  assert.deepEqual(await sendBack(bank, 'p1'), { status: 200, body })
  assert.deepEqual(await sendBack(bank, 'p1'), { status: 200, body })
  assert.deepEqual(await find(bank, 'p1'), { status: 200, body })
  assert.deepEqual(await submit(bank, 'p1', { toIban }), { status: 200, body })
  const lines = (await statement(bank)).slice(1)
  assert.deepEqual(
    lines.map(({ account, direction, amount, narrative, senderIban }) => [
      account,
      direction,
      amount,
      narrative,
      senderIban,
    ]),
    [
      [CLIENT, 'debit', AMOUNT, 'Ödeme REF:p1', toIban],
      [toIban, 'credit', AMOUNT, 'Ödeme', CLIENT],
      [toIban, 'debit', AMOUNT, 'IADE p1', CLIENT],
      [CLIENT, 'credit', AMOUNT, 'IADE p1', toIban],
    ],
  )
  assert.equal(new Set(lines.map(({ reference }) => reference)).size, 2)
  const sums = await balances(bank)
  assert.deepEqual([sums[CLIENT], sums[toIban], await moneyOf(bank)], [FUNDS, 0, money])
  assert.deepEqual(
    (await witness(bank)).map(({ reversed }) => reversed),
    [true],
  )
})

test('only what was accepted and is still there can be sent back', async (t) => {
  const bank = await fundedBank(t)
  assert.deepEqual(await sendBack(bank, 'p1'), { status: 404, body: { error: 'never_seen' } })
  await submit(bank, 'p1', { toIban: endingIn('0001') })
  assert.equal((await sendBack(bank, 'p1')).body.error, 'not_accepted')
  await submit(bank, 'p2')
  await submit(bank, 'p3', { fromIban: OTHER, toIban: endingIn('1111') })
  assert.deepEqual(await sendBack(bank, 'p2'), { status: 409, body: { error: 'insufficient_funds' } })
  await bank.api('POST', `/accounts/${OTHER}/close`)
  assert.equal((await sendBack(bank, 'p3')).body.error, 'account_closed')
})

test('funding takes from the world: the sum stays, and clients still cannot overdraw', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const money = await moneyOf(bank)
  assert.equal((await submit(bank, 'p1'))?.body.reason, 'insufficient_funds')
  const funded = await bank.api<Made>('POST', `/accounts/${CLIENT}/fund`, { amount: AMOUNT })
  assert.equal(funded.status, 201)
  const [line, ...more] = await statement(bank)
  assert.deepEqual([line?.account, line?.direction, line?.reference], [CLIENT, 'credit', funded.body.bankReference])
  assert.deepEqual(more, [], "the world's side is not on it")
  assert.equal((await submit(bank, 'p2'))?.body.status, 'accepted')
  assert.equal((await submit(bank, 'p3', { amount: 1 }))?.body.reason, 'insufficient_funds')
  assert.equal(await moneyOf(bank), money)
  const world = line?.senderIban ?? ''
  assert.deepEqual((await submit(bank, 'p4', { fromIban: world }))?.body, { error: 'not_your_account' })
  for (const [iban, amount] of [
    [world, 1],
    ['TR00', 1],
    [CLIENT, 0],
  ] as const) {
    assert.equal((await bank.api('POST', `/accounts/${iban}/fund`, { amount })).status, 400)
  }
})

test('the witness goes on from a cursor', async (t) => {
  const bank = await fundedBank(t)
  await submit(bank, 'p1')
  const { body } = await bank.api<{ cursor: string }>('GET', '/ledger/transfers')
  await submit(bank, 'p2')
  const later = await bank.api('GET', `/ledger/transfers?since=${body.cursor}`)
  const transfer = {
    reference: 'p2',
    amount: AMOUNT,
    currency: 'TRY',
    toIban: OTHER,
    at: '2026-11-14T22:30:00.000Z',
    reversed: false,
  }
  assert.deepEqual(later.body, { transfers: [transfer], cursor: '2' })
  assert.equal((await bank.api('GET', '/ledger/transfers?since=3')).status, 400)
})

test('after a restart every effect of a fault is still there, and none happens again', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await fundedBank(t, folder)
  const kinds = ['error_before', 'error_after', 'reset_after', 'late_status', 'accept_then_reject']
  for (const kind of kinds) {
    await setFaults(bank, { kinds: [kind] })
    await submit(bank, kind)
  }
  await setFaults(bank, {})
  await submit(bank, 'returned', { toIban: endingIn('0008') })
  await sendBack(bank, 'returned')
  const known = async (at: typeof bank) => ({
    lines: await statement(at),
    balances: await balances(at),
    witness: await witness(at),
    found: await Promise.all([...kinds, 'returned'].map((reference) => find(at, reference))),
  })
  const before = await known(bank)
  assert.equal(before.witness.length, 5)
  await bank.stop()
  const again = await start(t, folder)
  assert.deepEqual(await known(again), before)
  for (const reference of kinds.slice(1)) assert.equal((await submit(again, reference))?.status, 200)
  assert.deepEqual(await witness(again), before.witness)
})

test('a journal from before there was a world gets one', async (t) => {
  const folder = temporaryFolder(t)
  const first = await start(t, folder)
  const money = await moneyOf(first)
  await first.stop()
  const path = join(folder, 'bank.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.filter((line) => !line.includes('"world"')).join('\n'))
  assert.equal(await moneyOf(await start(t, folder)), money)
})

test('many at once: each answered, each once, and all of them on disk', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await fundedBank(t, folder)
  const calls = Array.from({ length: 300 }, (_, index) => submit(bank, `p${index % 150}`, { amount: 10 }))
  const answers = (await Promise.all(calls)).map((answer) => answer?.status)
  assert.equal(answers.filter((status) => status === 201).length, 150)
  assert.equal(answers.filter((status) => status === 200).length, 150)
  const onDisk = readFileSync(join(folder, 'bank.jsonl'), 'utf8').match(/"book":"transfer"/g)
  assert.deepEqual([onDisk?.length, (await witness(bank)).length], [150, 150])
})
