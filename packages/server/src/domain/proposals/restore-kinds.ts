import { sumOf } from '../../kernel/money.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { PairTerms } from '../restores/index.ts'
import { findPairs, mustBeReleasable, recordPaidPairs, releaseRestored } from '../restores/index.ts'
import { findOpenRestore } from '../withdrawals/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

const OF_RESTORE = { targetOf: ({ number }: { number: number }) => `restore:${number}`, merchantOf: () => null }

/** Withdrawals that debits of lost ones have paid. */
export const RESTORE_PAIRS: ProposalKind<PairTerms, number> = {
  ...OF_RESTORE,
  action: 'restore.record',
  async describe(_app, db, terms) {
    const pairs = await findPairs(db, terms)
    const sum = sumOf(pairs)
    const after = pairs.map(({ withdrawalId, line }) => `${withdrawalId} = ${line.id}`)
    return {
      rows: [
        { field: 'sentPairs', as: 'list', before: [], after },
        { field: 'sentSum', as: 'money', before: null, after: String(sum) },
      ],
    }
  },
  apply: (app, actor, terms) => recordPaidPairs(app, actor, terms),
}

/** Each of the two has just checked: the bank may have said more since the first did. */
export const RESTORE_RELEASE: ProposalKind<{ number: number }, void> = {
  ...OF_RESTORE,
  action: 'restore.release',
  async describe({ releasing }, db, { number }) {
    const open = await findOpenRestore(db)
    if (open?.number !== number) throw refuse('restore_released')
    return {
      rows: [
        { field: 'restore', as: 'text', before: 'payouts_stopped', after: 'payouts_sent' },
        { field: 'restoredTo', as: 'time', before: null, after: open.restoredTo.toISOString() },
        { field: 'markedAt', as: 'time', before: null, after: open.markedAt.toISOString() },
      ],
      ...(releasing && { mustExplain: () => mustBeReleasable(releasing.check, releasing.checked) }),
    }
  },
  async apply({ releasing, ...app }, actor, { number }) {
    if (releasing?.check.restore.number !== number) throw refuse('restore_check_missing')
    await releaseRestored(app, actor, releasing.check, releasing.checked)
  },
}
