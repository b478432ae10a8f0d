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
  updatedAt: new Date('2026-11-15T11:00:00Z'),
}
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const SHORT = { status: 'processing', reason: 'short', receivedAmount: 100_000n } as const
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
  ['claimed', { expiresAt: now, claimedAt: now }],
  ['expired', { expiresAt: now, collectingAccountId: null }],
  ['expired', { status: 'expired' }],
  ['short', SHORT],
  ['short', { ...SHORT, claimedAt: minutesAgo(2), updatedAt: minutesAgo(1) }],
  ['short', { ...SHORT, expiresAt: minutesAgo(1), updatedAt: minutesAgo(29) }],
  ['short-claimed', { ...SHORT, updatedAt: minutesAgo(2), claimedAt: minutesAgo(1) }],
  ['short-claimed', { ...SHORT, expiresAt: minutesAgo(1), updatedAt: minutesAgo(30), claimedAt: minutesAgo(2) }],
  ['short-ended', { ...SHORT, expiresAt: minutesAgo(1), updatedAt: minutesAgo(30) }],
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
  assert.ok(!isFinal('completed'), 'a second payment or a refund may follow')
  assert.ok(isFinal('cancelled') && isFinal('failed'))
})
