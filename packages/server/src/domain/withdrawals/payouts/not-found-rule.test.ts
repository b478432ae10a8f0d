import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeNotFound } from './not-found-rule.ts'
import type { Payout } from './payout.ts'

const HOLIDAYS = [{ day: '2026-10-29', name: 'Cumhuriyet Bayramı', halfDay: false }]
const at = (text: string) => new Date(`${text}+03:00`)

/** Sent on Wednesday, before a holiday on Thursday. */
const SENT = {
  ...{ merchantId: 'm', withdrawalId: 'w', sourceAccountId: 'a', connection: 'bank', rail: 'eft', amount: 1n },
  ...{ currency: 'TRY', iban: 'TR1', accountName: 'A', description: 'x', purposeCode: '06', state: 'asking' },
  ...{ fence: 1, submits: 1, queries: 0, nextAt: at('2026-10-28T10:01'), bankReference: null, reason: null },
  ...{ createdAt: at('2026-10-20T10:00'), unknownSince: at('2026-10-28T10:00'), sentAt: at('2026-10-28T10:00') },
} as Payout

const SUBMIT = { kind: 'submit', outcome: 'unknown', detail: null } as const
const FIND = { kind: 'find', outcome: 'pending', detail: null } as const
const FAILED = { kind: 'find', outcome: 'unknown', detail: null } as const
const FACTS = { calls: [SUBMIT, FIND], fetchedAt: null, covered: null, holidays: HOLIDAYS }

const stateAt = (now: string, payout: Partial<Payout> = {}, facts: Partial<Parameters<typeof judgeNotFound>[1]> = {}) =>
  judgeNotFound({ ...SENT, ...payout }, { ...FACTS, now: at(now), ...facts }).state

test('the next business day after the sending must be over, not a holiday', () => {
  assert.equal(stateAt('2026-10-30T23:59'), 'early')
  assert.equal(stateAt('2026-10-31T00:00'), 'open')
  const rule = judgeNotFound(SENT, { ...FACTS, now: at('2026-10-28T10:01') })
  assert.deepEqual(rule, { state: 'early', from: at('2026-10-31T00:00') })
})

test('a file counts from when the bank took it, and a second sending anew', () => {
  assert.equal(stateAt('2026-11-02T12:00', {}, { fetchedAt: at('2026-10-30T09:00') }), 'early')
  assert.equal(stateAt('2026-11-03T00:00', {}, { fetchedAt: at('2026-10-30T09:00') }), 'open')
  assert.equal(stateAt('2026-10-31T12:00', { sentAt: at('2026-10-30T10:00') }), 'early')
})

test('a bank that is given it again and again leaves a way out after five business days', () => {
  const again = { sentAt: at('2026-11-06T10:00') }
  assert.equal(stateAt('2026-11-05T23:59', { sentAt: at('2026-11-05T23:00') }), 'early')
  assert.equal(stateAt('2026-11-06T10:01', again, { calls: [SUBMIT, FIND, SUBMIT] }), 'unproven')
})

test('then the bank must have responded since the last sending, or a statement cover both days', () => {
  for (const calls of [[], [SUBMIT], [SUBMIT, FAILED], [SUBMIT, FIND, SUBMIT]]) {
    assert.equal(stateAt('2026-11-01T00:00', {}, { calls }), 'unproven')
    assert.equal(stateAt('2026-11-01T00:00', {}, { calls, covered: '2026-10-29' }), 'unproven')
    assert.equal(stateAt('2026-11-01T00:00', {}, { calls, covered: '2026-10-30' }), 'open')
  }
})

test('by hand: the statement shows it, or people say so', () => {
  const manual = { connection: 'manual-garanti' }
  assert.equal(stateAt('2026-10-28T10:01', manual), 'unproven')
  assert.equal(stateAt('2026-10-31T00:00', manual), 'unproven')
  assert.equal(stateAt('2026-10-31T00:00', manual, { covered: '2026-10-30' }), 'open')
})

test('what was never given to a bank, or the bank has never seen, can be said at once', () => {
  const now = '2026-10-28T10:01'
  assert.equal(stateAt(now, { state: 'ready', submits: 0 }), 'open')
  assert.equal(stateAt(now, { state: 'ready' }), 'open')
  assert.equal(stateAt(now, { submits: 0, reason: 'differs_from_withdrawal' }), 'open')
  assert.equal(stateAt(now, { submits: 0, reason: 'named_on_statement' }), 'early')
})
