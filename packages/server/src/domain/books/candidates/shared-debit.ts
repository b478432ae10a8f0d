import { sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { awaitingDebit, isOpen, MAX_CHARGE, payoutsBelow, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import type { ProposeStep } from '../journal/propose-step.ts'
import { propose } from '../journal/propose-step.ts'
import type { LineCandidate } from './line-candidate.ts'
import type { NextStep } from './next-step.ts'
import { ofSeveral } from './line-candidate.ts'
import type { Fact } from './reason.ts'
import { fewestMaking } from './rest-of-payout.ts'

const MAX_READ = 200
const MAX_PAIRS = 3
/** All sets of these are tried. */
const MAX_NAMED = 12

type Near = { from: Date; to: Date }

/**
 * `instead`: payouts that the line names among others, so that nothing is said about each of them alone. `isOfNamed`: it names
 * several that lack their debit, so that it is not that of another.
 */
export type SharedDebits = { candidates: LineCandidate[]; instead: Set<string>; isOfNamed: boolean }

/** Payouts that a debit may pay together: those that it names, with one that it does not, or two of its account. */
export async function sharedDebits(db: Queryable, line: StoredLine, near: Near): Promise<SharedDebits> {
  const none = { candidates: [], instead: new Set<string>(), isOfNamed: false }
  if (line.direction === 'credit') return none
  const ours = ({ currency, sourceAccountId }: Payout) =>
    currency === line.currency && sourceAccountId === line.collectingAccountId
  const named = (await awaitingDebit(db, payoutReferences(line.narrative))).filter(ours)
  if (named.length > 1) return { candidates: ofNamed(line, named), instead: othersThan(line, named), isOfNamed: true }
  const [first] = named
  if (line.candidateWithdrawalId !== null && !first) return none
  const unnamed = await unseen(db, line, near)
  const pairs = first ? pairsWith(line, first, unnamed) : allPairs(line, unnamed)
  return { ...none, candidates: pairs.slice(0, MAX_PAIRS).map((pair) => candidate(line, pair, named)) }
}

const othersThan = (line: StoredLine, named: Payout[]) =>
  new Set(named.filter(({ amount }) => amount !== line.amount).map(({ withdrawalId }) => withdrawalId))

async function unseen(db: Queryable, line: StoredLine, near: Near): Promise<Payout[]> {
  const { collectingAccountId: accountId, amount: below, currency } = line
  const found = await payoutsBelow(db, { ...near, accountId, above: 0n, below }, MAX_READ)
  return found.filter(
    (one) => one.currency === currency && !wasNotSent(one) && (one.submits > 0 || one.state !== 'ready'),
  )
}

const pairsWith = (line: StoredLine, first: Payout, others: Payout[]) =>
  others
    .filter((one) => one.withdrawalId !== first.withdrawalId && one.amount + first.amount === line.amount)
    .map((one) => [first, one])

function allPairs(line: StoredLine, payouts: Payout[]): Payout[][] {
  return payouts.flatMap((first, place) => pairsWith(line, first, payouts.slice(place + 1)))
}

/** A set that makes the amount, else all of them with a small charge, else all with one that is still to be found. */
function ofNamed(line: StoredLine, named: Payout[]): LineCandidate[] {
  const making = fewestMaking(line.amount, named.slice(0, MAX_NAMED))
  // One alone is a candidate of its own.
  if (making?.length === 1) return []
  if (making) return [candidate(line, making, named)]
  const more = line.amount - sumOf(named)
  if (more <= 0n) return named.map((payout) => candidate(line, [payout], named, lookAt(payout)))
  const isCharge = more <= MAX_CHARGE
  const step = together(line, named, named)
  const next: ProposeStep = isCharge
    ? { ...step, terms: { ...step.terms, charge: { amount: more } } }
    : { ...step, missing: ['withdrawal'] }
  return [candidate(line, named, named, next)]
}

const lookAt = (payout: Payout): NextStep => ({
  do: isOpen(payout) ? 'resolve' : 'look',
  withdrawalId: payout.withdrawalId,
})

function together(line: StoredLine, payouts: Payout[], named: Payout[]): ProposeStep {
  const withdrawalIds = payouts.map(({ withdrawalId }) => withdrawalId)
  const notPayouts = named.map(({ withdrawalId }) => withdrawalId).filter((id) => !withdrawalIds.includes(id))
  return propose('payout_debit', [line.id], { withdrawalIds, ...(notPayouts.length > 0 && { notPayouts }) })
}

function candidate(
  line: StoredLine,
  payouts: Payout[],
  named: Payout[],
  next: NextStep = together(line, payouts, named),
): LineCandidate {
  const withdrawalIds = payouts.map((one) => one.withdrawalId)
  const isInOrder = payouts.every(({ createdAt }) => createdAt <= bookedUntil(line))
  const points: Fact[] = [
    [named.length > 0, 60, 'line_names_it', null],
    [true, 30, 'account_same', null],
    [isInOrder, 10, 'created_before_line', 'created_after_line'],
    [sumOf(payouts) === line.amount && payouts.length > 1, 20, null, null],
    [payouts.length > 1, 0, { code: 'payouts_make_amount', withdrawalIds }, null],
  ]
  return ofSeveral(line, payouts, { what: 'payout', points, next })
}
