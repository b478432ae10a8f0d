import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFinal, screenOf } from './screen.ts'

const now = new Date('2026-11-15T11:00:00Z')
const deposit = {
  status: 'pending' as const,
  bankId: 'FAST',
  collectingAccountId: 'a',
  previousAccountIds: [],
  claimedAt: null,
  accountChangedAt: null,
  expiresAt: new Date('2026-11-15T11:30:00Z'),
  amount: 125_000n,
  receivedAmount: 0n,
  reason: null,
}
type Change = Partial<Omit<Parameters<typeof screenOf>[0], never>>

const CASES: [screen: string, change: Change][] = [
  ['choose-bank', { bankId: null, collectingAccountId: null }],
  ['choose-bank', { bankId: null, collectingAccountId: null, accountChangedAt: now }],
  ['no-account', { collectingAccountId: null }],
  ['pay', {}],
  ['claimed', { claimedAt: now }],
  ['account-changed', { accountChangedAt: now }],
  ['account-changed', { accountChangedAt: now, claimedAt: now }],
  ['awaiting-bank', { expiresAt: now }],
  ['awaiting-bank', { expiresAt: now, collectingAccountId: null, previousAccountIds: ['a'] }],
  ['expired', { expiresAt: now, collectingAccountId: null }],
  ['expired', { status: 'expired' }],
  ['short', { status: 'processing', reason: 'short', receivedAmount: 100_000n }],
  ['over', { status: 'processing', reason: 'over', receivedAmount: 150_000n }],
  ['review', { status: 'processing', reason: 'third_party_sender', receivedAmount: 125_000n }],
  ['review', { status: 'processing', reason: 'late_review', receivedAmount: 100_000n }],
  ['review', { status: 'processing', reason: 'something new' as never }],
  ['completed', { status: 'completed' }],
  ['cancelled', { status: 'cancelled' }],
  ['failed', { status: 'failed', reason: 'payment_rejected' }],
]

for (const [screen, change] of CASES) {
  test(`${screen}: ${Object.keys(change).join(', ') || 'as created'}`, () => {
    assert.equal(screenOf({ ...deposit, ...change }, now), screen)
  })
}

test('a page keeps looking as long as something can still happen', () => {
  assert.ok(!isFinal('awaiting-bank') && !isFinal('expired') && !isFinal('short') && !isFinal('claimed'))
  assert.ok(isFinal('completed') && isFinal('cancelled') && isFinal('failed'))
})
