import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DepositFlag } from '../../deposits/index.ts'
import { DEPOSIT_STATUSES } from '../../deposits/index.ts'
import { decideMatch } from './decide-match.ts'
import type { Candidate, LineFacts } from './score-match.ts'
import { reasonsOf } from './score-match.ts'

// Few values, so that lines and deposits often agree; and extreme ones, because bank files are not under our control.
const money = fc.oneof(fc.bigInt({ min: 1n, max: 4n }), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }))
const account = fc.constantFrom('a', 'b')
const name = fc.oneof(
  fc.constantFrom('AYŞE YILMAZ', 'Ayse Yilmaz', 'FATMA KAYA', 'PAPARA', ''),
  fc.string({ unit: 'binary' }),
)
const time = fc.oneof(
  fc.constantFrom(0, 30, 60, 31 * 24 * 60).map((minutes) => new Date(minutes * 60_000)),
  fc.date(), // also invalid ones
)
const flags: DepositFlag[] = ['late', 'underpaid', 'overpaid', 'duplicate', 'name_mismatch']

const lines: fc.Arbitrary<LineFacts> = fc.record({
  collectingAccountId: account,
  amount: money,
  direction: fc.constantFrom('credit', 'credit', 'credit', 'debit'),
  bookedAt: time,
  senderName: name,
  fromOwnAccount: fc.constantFrom(false, false, false, true),
  narrative: fc.oneof(
    name.map((text) => `Gönderen: ${text}`),
    fc.string({ unit: 'binary' }),
  ),
})

const candidates: fc.Arbitrary<Candidate> = fc.record({
  merchantId: fc.constantFrom('m', 'n'),
  id: fc.constantFrom('1', '2'),
  how: fc.constantFrom('word', 'embedded'),
  status: fc.constantFrom(...DEPOSIT_STATUSES),
  amount: money,
  receivedAmount: fc.oneof(fc.constant(0n), money),
  flags: fc.subarray(flags),
  customerName: name,
  accounts: fc.subarray(['a', 'b']),
  createdAt: time,
  expiresAt: time,
  policy: fc.record({
    amount: fc.constantFrom('exact', 'tolerance', 'accept_received'),
    tolerance: money,
    late: fc.constantFrom('complete', 'review'),
    nameCheck: fc.constantFrom('off', 'warn', 'require'),
  }),
})

const lists = fc.array(candidates, { maxLength: 3 })
const RUNS = { numRuns: 20_000 }

test('any line and any deposits: decided, not thrown; what completes is open, alone, on its account and trusted', () => {
  let completed = 0
  fc.assert(
    fc.property(lines, lists, fc.nat(3), (line, byCode, codesInText) => {
      const decision = decideMatch(line, byCode, codesInText)
      if (decision.verdict !== 'complete' && decision.verdict !== 'hold') return
      const { candidate, receivedAmount } = decision
      assert.ok(line.direction === 'credit' && line.amount > 0n && !line.fromOwnAccount)
      assert.ok(candidate.accounts.includes(line.collectingAccountId))
      assert.ok(['pending', 'processing', 'expired'].includes(candidate.status))
      assert.ok(byCode.every((one) => one.merchantId === candidate.merchantId && one.id === candidate.id))
      assert.equal(receivedAmount, candidate.receivedAmount + line.amount)
      assert.equal(new Set(decision.flags).size, decision.flags.length)
      assert.equal(decision.flags.includes('underpaid'), receivedAmount < candidate.amount)
      if (decision.verdict === 'hold') return
      completed++
      const { policy } = candidate
      assert.ok(candidate.how === 'word' || (candidate.how === 'embedded' && receivedAmount === candidate.amount))
      assert.ok(policy.amount !== 'exact' || receivedAmount === candidate.amount)
      assert.ok(policy.nameCheck !== 'require' || !decision.flags.includes('name_mismatch'))
      assert.ok(policy.late !== 'review' || !decision.flags.includes('late'))
    }),
    RUNS,
  )
  assert.ok(completed > 20, `only ${completed} of the lines completed a deposit: the law was hardly tried`)
})

test('a second payment names the completed deposit of its code, and nothing else does', () => {
  fc.assert(
    fc.property(lines, lists, fc.nat(3), (line, byCode, codesInText) => {
      const decision = decideMatch(line, byCode, codesInText)
      if (decision.verdict !== 'suspense') return
      assert.equal(decision.duplicateOf?.status, decision.why === 'duplicate' ? 'completed' : undefined)
      assert.ok(decision.duplicateOf === undefined || byCode.includes(decision.duplicateOf))
    }),
    RUNS,
  )
})

test('there is one reason for each field', () => {
  fc.assert(
    fc.property(lines, candidates, (line, candidate) => {
      const reasons = reasonsOf(line, candidate)
      const fields = reasons.map(({ field }) => field)
      assert.deepEqual(fields, ['reference', 'amount', 'account', 'name', 'time'])
      assert.ok(reasons.every(({ verdict }) => verdict.length > 0))
    }),
    RUNS,
  )
})
