import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIban } from '../src/iban.ts'
import type { Accounts, Made, Running, Statement } from './simulator.ts'
import { balances, CLIENT, customerIban, moneyOf, OTHER, start, statement, temporaryFolder } from './simulator.ts'

const MILLION = 100_000_000
const THIRD = 'TR270004600000000001000040'

const pay = async (bank: Running, payment: object = {}) => {
  const body = { toIban: CLIENT, toName: 'Vezne A.Ş.', amount: 125_000, description: 'K7XM2Q9R', ...payment }
  const answer = await bank.api<{ payments: Made[]; error?: string }>('POST', '/payments', body)
  return { ...answer, payments: answer.body.payments ?? [] }
}

const transfer = (bank: Running, fields: object = {}) =>
  bank.api<Made>('POST', '/transfers', {
    reference: 'payout-1',
    fromIban: CLIENT,
    toIban: OTHER,
    toName: 'Fatma Kaya',
    amount: 50_000,
    description: 'Müşteri ödemesi 0001',
    ...fields,
  })

test('without the key there is nothing, not even a 404', async (t) => {
  const { url } = await start(t, temporaryFolder(t))
  for (const path of ['/api/statement', '/api/no-such-thing', '/api/transfers/x']) {
    for (const authorization of ['', 'Bearer wrong', 'Basic test-bank-key']) {
      assert.equal((await fetch(url + path, { headers: { authorization } })).status, 401, path)
    }
  }
})

test('five customers with a million each, at valid IBANs', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const { body } = await bank.api<Accounts>('GET', '/accounts')
  const accounts = body.accounts.filter(({ customer }) => customer)
  assert.equal(accounts.length, 5)
  for (const { iban, balance } of accounts) {
    assert.ok(isIban(iban), iban)
    assert.equal(balance, MILLION)
  }
})

test('a payment reaches the statement with what the bank knows of it', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const { status, payments } = await pay(bank)
  assert.equal(status, 201)
  assert.match(payments[0]?.bankReference ?? '', /^\d{10}$/)
  assert.deepEqual(await statement(bank), [
    {
      account: CLIENT,
      reference: payments[0]?.bankReference,
      amount: 125_000,
      direction: 'credit',
      // Half past one at night in Istanbul: the bank's day is already the next one.
      valueDate: '2026-11-15',
      bookedAt: '2026-11-14T22:30:00.000Z',
      senderName: 'Ayşe Yılmaz',
      senderIban: await customerIban(bank, 0),
      narrative: 'K7XM2Q9R',
    },
  ])
})

test('money only moves: the sum stays, nobody falls below zero, references are unique', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const atFirst = await moneyOf(bank)
  const outcomes: string[] = []
  for (const amount of [1, 60_000_000, 60_000_000, 39_999_999, 1]) {
    outcomes.push(...(await pay(bank, { amount })).payments.map(({ status }) => status))
  }
  assert.deepEqual(outcomes, ['accepted', 'accepted', 'rejected', 'accepted', 'rejected'])
  await transfer(bank, { toIban: await customerIban(bank, 2) })
  const sums = await balances(bank)
  assert.equal(await moneyOf(bank), atFirst)
  assert.ok(Object.values(sums).every((balance) => balance >= 0))
  const references = (await statement(bank)).map(({ reference }) => reference)
  assert.equal(new Set(references).size, references.length)
})

test('paid twice: two movements; five at once stop where the money ends', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  assert.equal((await pay(bank, { times: 2 })).payments.length, 2)
  assert.equal((await statement(bank)).length, 2)
  const { payments } = await pay(bank, { times: 5, amount: 30_000_000 })
  assert.deepEqual(
    payments.map(({ status }) => status),
    ['accepted', 'accepted', 'accepted', 'rejected', 'rejected'],
  )
})

test('another name, and a wallet whose holder stands in the text', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  await pay(bank, { senderName: 'Hasan Çelik' })
  await pay(bank, { fromIban: await customerIban(bank, 4) })
  assert.deepEqual(
    (await statement(bank)).map(({ senderName, narrative }) => [senderName, narrative]),
    [
      ['Hasan Çelik', 'K7XM2Q9R'],
      ['PAPARA ELEKTRONİK PARA A.Ş.', 'Gönderen: ELİF KAYA K7XM2Q9R'],
    ],
  )
})

test('a held payment is not on the statement, is not to spend, and moves once when released', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const [held] = (await pay(bank, { amount: MILLION, hold: true })).payments
  assert.equal(held?.status, 'held')
  assert.deepEqual(await statement(bank), [])
  assert.equal((await pay(bank, { amount: 1 })).payments[0]?.reason, 'insufficient_funds')
  const list = await bank.api<{ payments: (Made & { amount: number })[] }>('GET', '/payments/held')
  assert.deepEqual(
    list.body.payments.map(({ reference, amount }) => [reference, amount]),
    [[held?.reference, MILLION]],
  )
  const first = await bank.api<Made>('POST', `/payments/${held?.reference}/release`)
  const second = await bank.api<Made>('POST', `/payments/${held?.reference}/release`)
  assert.equal(first.body.status, 'accepted')
  assert.deepEqual(second, first)
  assert.equal((await statement(bank)).length, 1)
  assert.equal((await bank.api('POST', '/payments/P0/release')).status, 404)
})

test('a transfer happens once, however often it is asked for', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  await pay(bank)
  const first = await transfer(bank)
  assert.equal(first.status, 201)
  assert.equal(first.body.status, 'accepted')
  assert.deepEqual(await transfer(bank, { amount: 1 }), { status: 200, body: first.body })
  assert.deepEqual(await bank.api('GET', '/transfers/payout-1'), { status: 200, body: first.body })
  const sums = await balances(bank)
  assert.deepEqual([sums[CLIENT], sums[OTHER]], [75_000, 50_000])
  const lines = (await statement(bank)).slice(1)
  assert.deepEqual(
    lines.map(({ account, direction, senderName, senderIban }) => [account, direction, senderName, senderIban]),
    [
      [CLIENT, 'debit', 'Fatma Kaya', OTHER],
      [OTHER, 'credit', 'Vezne A.Ş.', CLIENT],
    ],
  )
})

test('a rejection is an outcome too: it is kept, even when the reason has gone', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const poor = await transfer(bank)
  assert.deepEqual(poor, {
    status: 201,
    body: { reference: 'payout-1', status: 'rejected', reason: 'insufficient_funds' },
  })
  await pay(bank)
  assert.deepEqual(await transfer(bank), { status: 200, body: poor.body })
  const wrongIban = await transfer(bank, { reference: 'b', toIban: 'TR330003200000000000000001' })
  assert.equal(wrongIban.body.reason, 'invalid_iban')
  await bank.api('POST', `/accounts/${OTHER}/close`)
  assert.equal((await transfer(bank, { reference: 'c' })).body.reason, 'account_closed')
  assert.equal((await balances(bank))[CLIENT], 125_000)
  assert.deepEqual(await bank.api('GET', '/transfers/d'), { status: 404, body: { error: 'never_seen' } })
})

test('what is not an instruction is a 400 and leaves no trace', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  const wrong = [
    { amount: 0 },
    { amount: 1.5 },
    { amount: '5' },
    { reference: '' },
    { toName: null },
    { toIban: CLIENT },
  ]
  for (const fields of [...wrong, { fromIban: 'TR00' }, { fromIban: await customerIban(bank, 1) }]) {
    const { status, body } = await transfer(bank, fields)
    assert.equal(status, 400, JSON.stringify(fields))
    assert.equal(typeof body.error, 'string')
  }
  for (const fields of [{ amount: -1 }, { times: 6 }, { times: 0 }, { toIban: 'TR12' }, { fromIban: OTHER }]) {
    assert.equal((await pay(bank, fields)).status, 400, JSON.stringify(fields))
  }
  assert.equal((await bank.api('GET', '/transfers/payout-1')).status, 404)
})

test('the statement pages by cursor, in journal order, losing and repeating nothing', async (t) => {
  const bank = await start(t, temporaryFolder(t))
  for (const amount of [1, 2, 3]) await pay(bank, { amount })
  await transfer(bank, { amount: 4 })
  const seen: number[] = []
  let cursor = '0'
  for (let more = true; more;) {
    const { body } = await bank.api<Statement>('GET', `/statement?since=${cursor}&limit=2`)
    seen.push(...body.lines.map(({ amount }) => amount))
    ;({ cursor, more } = body)
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 4])
  assert.deepEqual((await bank.api<Statement>('GET', `/statement?since=${cursor}`)).body, {
    lines: [],
    cursor,
    more: false,
  })
  await pay(bank, { amount: 9 })
  const { body } = await bank.api<Statement>('GET', `/statement?since=${cursor}`)
  assert.deepEqual(
    body.lines.map(({ amount }) => amount),
    [9],
  )
  for (const query of ['since=99', 'since=x', 'since=-1', 'limit=0', 'limit=1001', 'limit=2&limit=3']) {
    assert.equal((await bank.api('GET', `/statement?${query}`)).status, 400, query)
  }
})

test('an account has the currency of its first movement, and a transfer in another one is rejected', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await start(t, folder)
  await bank.api('POST', `/accounts/${CLIENT}/fund`, { amount: 100_000, currency: 'EUR' })
  const refused = async (fields: object) => (await transfer(bank, fields)).body.reason
  assert.equal(await refused({ reference: 'lira' }), 'wrong_currency')
  assert.equal(await refused({ reference: 'dollars', currency: 'USD' }), 'wrong_currency')
  assert.equal((await transfer(bank, { currency: 'EUR' })).body.status, 'accepted')
  await bank.api('POST', `/accounts/${THIRD}/fund`, { amount: 100_000 })
  assert.equal(await refused({ reference: 'to-lira', toIban: THIRD, currency: 'EUR' }), 'wrong_currency')
  assert.equal(await refused({ reference: 'from-lira', fromIban: THIRD, currency: 'EUR' }), 'wrong_currency')
  // A customer pays what the receiver's account takes, unless told otherwise.
  assert.equal((await pay(bank)).payments[0]?.status, 'accepted')
  assert.equal((await pay(bank, { currency: 'TRY' })).payments[0]?.reason, 'wrong_currency')
  assert.equal((await transfer(bank, { reference: 'bad', currency: 'euro' })).status, 400)
  await bank.stop()
  const again = await start(t, folder)
  assert.equal((await transfer(again, { reference: 'lira-again' })).body.reason, 'wrong_currency')
})
