import { formatMoney } from '../../kernel/money.ts'
import type { Difference } from '../people/index.ts'
import { withdrawalSubject } from '../people/index.ts'
import type { Withdrawal } from '../withdrawals/index.ts'
import { approveWithdrawal, lockWithdrawalById, seenToApprove, waitsAsSeen } from '../withdrawals/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type Seen = { withdrawalId: string; seen: string }

/** Two people approve it; the first proposes it. Both are bound to what they saw of the withdrawal. */
export const WITHDRAWAL_APPROVE: ProposalKind<Seen, Withdrawal> = {
  action: 'withdrawal.approve',
  always: true,
  isReasonErased: true,
  merchantOf: () => null,
  targetOf: ({ withdrawalId }) => withdrawalSubject(withdrawalId),
  subjectsOf: ({ withdrawalId }) => [withdrawalSubject(withdrawalId)],
  seenOf: ({ seen }) => seen,
  /** With the whole hash: people type its first characters. */
  async normalise(app, { withdrawalId, seen }) {
    return { withdrawalId, seen: seenToApprove(await waitsAsSeen(app, app.db, withdrawalId, seen)) }
  },
  lockFirst: (tx, target) => lockWithdrawalById(tx, target.slice(withdrawalSubject('').length)),
  lock: async (tx, { withdrawalId }) => void (await lockWithdrawalById(tx, withdrawalId)),
  async describe(app, db, { withdrawalId, seen }) {
    const { merchantId, amount, fee, currency, state, stateReason } = await waitsAsSeen(app, db, withdrawalId, seen)
    return {
      rows: [
        fact('merchantId', merchantId),
        fact('amount', formatMoney(amount, currency)),
        fact('fee', formatMoney(fee, currency)),
        fact('rule', stateReason),
        { field: 'withdrawal', as: 'text', before: state, after: 'queued' },
      ],
    }
  },
  apply: (app, actor, { withdrawalId, seen }) => approveWithdrawal(app, actor, withdrawalId, seen),
}

const fact = (field: string, after: string | null): Difference => ({ field, as: 'fact', before: null, after })
