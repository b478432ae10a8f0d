import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import { restOfReturn } from './plan-return-of-more.ts'
import { lockReturned, mustBeReturnable, returnOf } from './plan-returns.ts'
import type { Draft, Planner } from './plan.ts'
import { currenciesDiffer, lockTheLines, mustBeCredit, onlyOne } from './plan.ts'

/**
 * One credit is the return of several payouts, or of one and more that no one can explain. Each merchant gets its payout, as for a
 * credit of its own; a rest stays in suspense.
 */
export const planDividedReturn: Planner = async (_app, tx, draft) => {
  const { lineIds, withdrawalId = '', withdrawalIds: ids = [withdrawalId], rest } = draft.terms
  if (new Set(ids).size !== ids.length) throw refuseField('withdrawal', 'withdrawals_not_several')
  if (rest && rest.amount <= 0n) throw refuseField('rest', 'term_not_above_zero')
  const payouts: Payout[] = []
  for (const id of ids.toSorted()) payouts.push(await lockReturned(tx, id))
  const others = new Map<Payout, StoredLine[]>()
  for (const payout of payouts) others.set(payout, await lockLinesAbout(tx, payout.withdrawalId))
  const line = mustBeCredit(onlyOne(await lockTheLines(tx, { lineIds }), 'return_not_one_line'))
  for (const [payout, its] of others) {
    const before = await mustBeReturnable(tx, payout, its, [line])
    if (before.length > 0) throw refuse('return_has_line', { line: line.id, withdrawal: payout.withdrawalId })
  }
  const more = mustCover(line, payouts, rest?.amount ?? 0n)
  return {
    entries: [
      ...payouts.flatMap((payout) => entriesOf(payout, line)),
      ...(await besides(tx, draft, payouts, line, more)),
    ],
    lines: [
      { line: { ...line, candidateWithdrawalId: line.candidateWithdrawalId ?? ids[0] ?? null }, becomes: 'returns' },
    ],
    deposits: [],
    returns: payouts,
    mayOverdraw: true,
  }
}

const entriesOf = (payout: Payout, line: StoredLine) =>
  returnOf(payout, [{ ...line, amount: payout.amount }], null).entries

async function besides(tx: Tx, draft: Draft, payouts: Payout[], line: StoredLine, more: bigint): Promise<NewEntry[]> {
  const { settles, charge } = draft.terms
  if (more === 0n && settles === undefined && !charge) return []
  return [await restOfReturn(tx, draft, payouts, line, more)]
}

/** Returns what the line has besides the payouts and the rest. */
function mustCover(line: StoredLine, payouts: Payout[], rest: bigint): bigint {
  const { currency } = line
  const foreign = payouts.find((payout) => payout.currency !== currency)
  if (foreign) throw currenciesDiffer(line, 'payout', foreign.currency)
  const total = payouts.reduce((sum, { amount }) => sum + amount, 0n)
  const more = line.amount - total - rest
  if (more >= 0n) return more
  throw refuse('return_below_payouts', {
    line: line.id,
    has: money(line.amount, currency),
    payouts: money(total, currency),
    rest: money(rest, currency),
  })
}
