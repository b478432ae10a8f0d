import { sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { isOpen, selectPayoutsById, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfPayout, payoutReferences } from '../../statements/index.ts'
import { chargesFor } from '../journal/return-of-more.ts'
import type { ProposeStep } from '../journal/propose-step.ts'
import { propose } from '../journal/propose-step.ts'
import type { LineCandidate } from './line-candidate.ts'
import { ofSeveral } from './line-candidate.ts'
import type { Fact } from './reason.ts'
import { fewestMaking } from './rest-of-payout.ts'

/** All sets of these are tried. */
const MAX_NAMED = 12

/** Payouts that a credit names and may give back together. What it has besides was a charge, or stays in suspense. */
export async function sharedReturn(db: Queryable, line: StoredLine): Promise<LineCandidate[]> {
  const ids = line.direction === 'debit' ? [] : [...new Set(payoutReferences(line.narrative))].slice(0, MAX_NAMED)
  if (ids.length < 2) return []
  const named = await Promise.all(
    (await selectPayoutsById(db, ids)).map(async (one) => [one, await mayReturn(db, one)]),
  )
  const payouts = named.flatMap(([payout, may]) => (may ? [payout as Payout] : []))
  const making = fewestMaking(line.amount, payouts)
  const together = making ?? payouts
  const more = line.amount - sumOf(together)
  if (together.length < 2 || more < 0n || together.some(({ currency }) => currency !== line.currency)) return []
  return [candidate(line, together, await stepOf(db, line, together, more))]
}

/** It was debited, and no credit is its return. */
async function mayReturn(db: Queryable, payout: Payout): Promise<boolean> {
  if (isOpen(payout) || wasNotSent(payout)) return false
  const its = await linesOfPayout(db, payout.withdrawalId)
  return its.length > 0 && its.every(({ direction }) => direction === 'debit')
}

async function stepOf(db: Queryable, line: StoredLine, payouts: Payout[], more: bigint): Promise<ProposeStep> {
  const withdrawalIds = payouts.map(({ withdrawalId }) => withdrawalId)
  if (more === 0n) return propose('payout_return', [line.id], { withdrawalIds })
  const borne = await chargesFor(db, payouts)
  const isCharge = more <= borne
  return propose('payout_return', [line.id], { withdrawalIds, [isCharge ? 'charge' : 'rest']: { amount: more } })
}

function candidate(line: StoredLine, payouts: Payout[], next: ProposeStep): LineCandidate {
  const points: Fact[] = [
    [true, 100, 'line_names_it', null],
    [payouts[0]?.sourceAccountId === line.collectingAccountId, 30, 'account_same', 'account_other'],
    [true, 20, { code: 'payouts_came_back', withdrawalIds: payouts.map(({ withdrawalId }) => withdrawalId) }, null],
  ]
  return ofSeveral(line, payouts, { what: 'return', points, next })
}
