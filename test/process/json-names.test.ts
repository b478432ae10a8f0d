import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, DepositTransaction, WithdrawalTransaction } from '@vezne/contract'
import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { openCommandLineOf } from '../harness/command-line.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const eventWithAttempts = ENDPOINTS.getEvent.data
const shownEvent = ENDPOINTS.listEvents.data.properties.events.items
const delivery = shownEvent.properties.deliveries.items
const attempt = eventWithAttempts.properties.attempts.items
const bank = ENDPOINTS.availableBanks.data.properties.banks.items

// What a command shows with --json has the names, units and times of the API, so that a program reads both in the same way.
const service = await startService()
const { app } = service
const shop = await service.merchant({ funds: 10_000_000n, callbackUrl: 'http://127.0.0.1:9/callbacks' })
const run = openCommandLineOf(service)
const deposit = accepted(await shop.post('/v1/deposit', depositBody({ bankCode: 'FAST' })), 201).transactionId
const withdrawal = accepted(await shop.post('/v1/withdraw', withdrawBody()), 201).transactionId
accepted(await shop.post(`/v1/transactions/${deposit}/cancel`, undefined), 200)
await distributeEvents(app)
await addOperator(app, UNATTRIBUTED, 'ayse.yilmaz', DECIDING)

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, output, errors } = await run([...args, '--json'])
  assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
  return JSON.parse(output) as Record<string, unknown>
}

const of = ['--merchant', shop.merchantId]
const firstOf = (list: unknown) => (list as Record<string, unknown>[])[0] ?? assert.fail('it is empty')

type Case = [command: string[], contract: TObject, pick: (result: Record<string, unknown>) => unknown]

/** Every command that shows a thing of the API, and the part of its contract that describes the thing. */
const COMMANDS: Case[] = [
  [['deposit', 'show', deposit], DepositTransaction, (result) => result],
  [['withdrawal', 'show', withdrawal], WithdrawalTransaction, ({ withdrawal: shown }) => shown],
  [['withdrawal', 'list', '--state', 'queued'], WithdrawalTransaction, ({ withdrawals }) => firstOf(withdrawals)],
  [
    ['withdrawal', 'stop', withdrawal, '--as', 'ayse.yilmaz', '--why', 'asked for by the merchant'],
    WithdrawalTransaction,
    (result) => result,
  ],
  [['events', 'list', ...of], shownEvent, ({ events }) => firstOf(events)],
  [['events', 'list', ...of], delivery, ({ events }) => firstOf(firstOf(events)['deliveries'])],
  [['bank', 'list'], bank, ({ banks }) => (banks as { code: string }[]).find(({ code }) => code === '0046')],
]

/** Other names for what the API names already: none may be left beside it. */
const FORMER = new Set(['id', 'body', 'position', 'nextAt'])

for (const [command, contract, pick] of COMMANDS)
  test(`${command.slice(0, 2).join(' ')}: ${nameOf(contract)}`, async () => {
    const shown = pick(await json(...command)) as Record<string, unknown>
    const { properties, required } = contract
    const named = Object.fromEntries(Object.entries(shown).filter(([name]) => name in properties))
    // Names and values: what the API always has is there, and each is of its type; what only operators see is beside it.
    assert.deepEqual(
      required.filter((name) => !(name in shown)),
      [],
    )
    const problems = Value.Errors(contract, named).map((one) => `${one.instancePath} ${one.message}`)
    assert.deepEqual(problems, [], JSON.stringify(named))
    assert.deepEqual(
      Object.keys(shown).filter((name) => FORMER.has(name) && !(name in properties)),
      [],
    )
  })

test('events show: with every attempt', async () => {
  const { events } = await json('events', 'list', ...of)
  const shown = await json('events', 'show', String(firstOf(events)['eventId']), ...of)
  assert.deepEqual(Object.keys(shown).toSorted(), Object.keys(eventWithAttempts.properties).toSorted())
  assert.ok('durationMs' in attempt.properties && Array.isArray(shown['attempts']))
})

test('a deposit and a withdrawal are the same as in the API, field by field', async () => {
  for (const [type, id] of [['deposit', deposit] as const, ['withdrawal', withdrawal] as const]) {
    const shown = await json(type, 'show', id)
    const here = (type === 'deposit' ? shown : shown['withdrawal']) as Record<string, unknown>
    const api = accepted(await shop.get(`/v1/transactions/${id}`), 200) as Record<string, unknown>
    for (const [name, value] of Object.entries(api)) assert.deepEqual(here[name], value, `${type} ${name}`)
  }
})

test('merchants, endpoints and what was found are named by the ids of the API', async () => {
  const merchant = await json('merchant', 'show', shop.merchantId)
  assert.equal(merchant['merchantId'], shop.merchantId)
  const { merchants } = await json('merchant', 'list')
  assert.ok((merchants as { merchantId: string }[]).some(({ merchantId }) => merchantId === shop.merchantId))
  const { endpoints } = await json('endpoint', 'list', shop.merchantId)
  assert.match(String(firstOf(endpoints)['endpointId']), /^\w{24}$/)
  const { found } = await json('find', deposit)
  assert.deepEqual([firstOf(found)['type'], firstOf(found)['transactionId']], ['deposit', deposit])
  // Refused, because its callbacks wait; that is shown by the same names.
  const erased = await run(['erase', '--transaction', deposit, '--dry-run', '--json'])
  const { transactions } = JSON.parse(erased.output) as { transactions: unknown }
  assert.deepEqual([firstOf(transactions)['type'], firstOf(transactions)['transactionId']], ['deposit', deposit])
  for (const one of [merchant, firstOf(merchants), firstOf(endpoints), firstOf(found), firstOf(transactions)])
    assert.ok(!('id' in one), JSON.stringify(one))
})

function nameOf(contract: TObject): string {
  return Object.keys(contract.properties).slice(0, 3).join(', ')
}
