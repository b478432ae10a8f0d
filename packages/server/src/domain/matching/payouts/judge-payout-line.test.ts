import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LineFacts, OtherLine, PayoutFacts } from './judge-payout-line.ts'
import { judgePayoutLine } from './judge-payout-line.ts'

const OWN = new Set(['TR-OURS'])
const ID = '6920f0aa17c3e5b2d4968f01'
const payout = (state: PayoutFacts['state'], changes: Partial<PayoutFacts> = {}): PayoutFacts => {
  const facts = { withdrawalId: ID, amount: 100n, sourceAccountId: 'a', iban: 'TR-THEIRS', submits: 1, reason: null }
  return { ...facts, state, ...changes }
}
const debit: LineFacts = { direction: 'debit', amount: 100n, collectingAccountId: 'a', senderIban: null }
const credit: LineFacts = { ...debit, direction: 'credit' }
const from = (senderIban: string | null): LineFacts => ({ ...credit, senderIban })
const its = (direction: 'debit' | 'credit'): OtherLine => {
  return { direction, amount: 100n, state: 'matched', reason: 'payout_sent', withdrawalId: ID }
}
const waits = (direction: 'debit' | 'credit', reason: string): OtherLine => {
  const state = direction === 'debit' ? 'needs_review' : 'suspense'
  return { direction, amount: 100n, state, reason, withdrawalId: null }
}
const toDeposit: OtherLine = { ...its('credit'), reason: 'by_hand', withdrawalId: null }
const twice = waits('debit', 'payout_line_twice')
const owed: OtherLine = { ...twice, state: 'matched', reason: 'receivable' }
const settled: OtherLine = { ...owed, direction: 'credit' }
const stornoed: OtherLine = { ...owed, reason: 'storno' }
const part: OtherLine = { ...twice, amount: 40n }
const charge: OtherLine = { ...twice, amount: 5n }

const CASES: [what: string, line: LineFacts, payout: PayoutFacts, others: OtherLine[], verdict: string][] = [
  ['debit, in doubt', debit, payout('asking'), [], 'payout_sent'],
  ['debit, sent again', debit, payout('ready'), [], 'payout_sent'],
  ['debit, being called', debit, payout('calling'), [], 'payout_sent'],
  ['debit, accepted', debit, payout('sent'), [], 'payout_sent'],
  ['debit, returned', debit, payout('returned'), [its('credit')], 'payout_sent'],
  ['debit, its return waits', debit, payout('sent'), [waits('credit', 'payout_no_debit')], 'payout_sent'],
  ['debit, rejected', debit, payout('failed'), [], 'payout_taken_back'],
  ['debit, rejected, return waits', debit, payout('failed'), [waits('credit', 'payout_taken_back')], 'cancels'],
  ['debit, rejected after its return', debit, payout('failed'), [waits('credit', 'payout_no_debit')], 'cancels'],
  ['debit, never paid', debit, payout('returned', { reason: 'never_paid' }), [], 'payout_taken_back'],
  ['credit, never paid', credit, payout('returned', { reason: 'never_paid' }), [], 'payout_taken_back'],
  ['debit, never handed over', debit, payout('ready', { submits: 0 }), [], 'payout_differs'],
  ['debit, another amount', { ...debit, amount: 101n }, payout('sent'), [], 'payout_differs'],
  ['debit, another account', { ...debit, collectingAccountId: 'b' }, payout('sent'), [], 'payout_differs'],
  ['debit, seen before', debit, payout('sent'), [its('debit')], 'payout_line_twice'],
  ['debit, one waits', debit, payout('failed'), [waits('debit', 'payout_taken_back')], 'payout_line_twice'],
  ['credit, debit seen', credit, payout('sent'), [its('debit')], 'payout_returned'],
  ['credit, told by the bank', credit, payout('returned'), [], 'payout_returned'],
  ['credit, debited twice', credit, payout('sent'), [its('debit'), twice], 'payout_second_debit'],
  ['credit, told, debited twice', credit, payout('returned'), [its('debit'), twice], 'payout_second_debit'],
  ['credit, the second is owed', credit, payout('sent'), [its('debit'), owed], 'payout_second_debit'],
  ['credit, the second was settled', credit, payout('sent'), [its('debit'), owed, settled], 'payout_returned'],
  ['credit, the second is a storno', credit, payout('sent'), [its('debit'), stornoed], 'payout_returned'],
  ['credit, second in parts', credit, payout('sent'), [its('debit'), part, part, part], 'payout_second_debit'],
  ['credit, and a charge', credit, payout('sent'), [its('debit'), charge], 'payout_returned'],
  ['credit, no debit', credit, payout('sent'), [], 'payout_no_debit'],
  ['credit, in doubt', credit, payout('asking'), [], 'payout_no_debit'],
  ['credit, one matched to a deposit', credit, payout('sent'), [its('debit'), toDeposit], 'payout_returned'],
  ['credit, seen before', credit, payout('returned'), [its('debit'), its('credit')], 'payout_line_twice'],
  ['credit, one waits', credit, payout('sent'), [waits('credit', 'payout_no_debit')], 'payout_line_twice'],
  ['credit, a stranger waits', credit, payout('sent'), [waits('credit', 'payout_other_sender')], 'payout_no_debit'],
  ['credit, less costs', { ...credit, amount: 99n }, payout('sent'), [its('debit')], 'payout_differs'],
  ['credit, another account', { ...credit, collectingAccountId: 'b' }, payout('sent'), [], 'payout_differs'],
  ['credit, rejected', credit, payout('failed'), [], 'payout_taken_back'],
  ['credit, rejected, debit waits', credit, payout('failed'), [waits('debit', 'payout_taken_back')], 'cancels'],
  ['credit from the recipient', from('TR-THEIRS'), payout('sent'), [its('debit')], 'payout_returned'],
  ['credit from ours', from('tr-ours'), payout('sent'), [its('debit')], 'payout_returned'],
  ['credit from nowhere', from(' '), payout('sent'), [its('debit')], 'payout_returned'],
  ['credit from a stranger', from('TR-X'), payout('sent'), [its('debit')], 'payout_other_sender'],
  ['stranger, returned', from('TR-X'), payout('returned'), [], 'payout_other_sender'],
  ['stranger, rejected', from('TR-X'), payout('failed'), [waits('debit', 'payout_taken_back')], 'payout_other_sender'],
]

for (const [what, line, about, others, verdict] of CASES) {
  test(`${what}: ${verdict}`, () => assert.equal(judgePayoutLine(line, about, others, OWN), verdict))
}

test('whatever the lines: a return has its amount, account and sender, and a debit or the word of the bank', () => {
  const state = fc.constantFrom<PayoutFacts['state']>('ready', 'calling', 'asking', 'sent', 'failed', 'returned')
  const lines = fc.array(
    fc.constantFrom(
      its('debit'),
      its('credit'),
      toDeposit,
      waits('credit', 'payout_no_debit'),
      waits('debit', 'outgoing'),
    ),
  )
  const line = fc.record({
    direction: fc.constantFrom<'credit' | 'debit'>('credit', 'debit'),
    amount: fc.constantFrom(99n, 100n),
    collectingAccountId: fc.constantFrom('a', 'b'),
    senderIban: fc.constantFrom(null, 'TR-THEIRS', 'TR-OURS', 'TR-X'),
  })
  fc.assert(
    fc.property(line, state, lines, (one, at, others) => {
      if (judgePayoutLine(one, payout(at), others, OWN) !== 'payout_returned') return
      assert.deepEqual([one.direction, one.amount, one.collectingAccountId], ['credit', 100n, 'a'])
      assert.notEqual(one.senderIban, 'TR-X')
      assert.ok(at === 'returned' || others.some((other) => other.direction === 'debit' && other.withdrawalId === ID))
      assert.notEqual(at, 'rejected')
    }),
  )
})
