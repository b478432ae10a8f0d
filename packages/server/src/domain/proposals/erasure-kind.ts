import { istanbul } from '../../kernel/istanbul.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Outcome, Subject, Wish } from '../erasures/index.ts'
import { eraseTransaction, keptDespite } from '../erasures/index.ts'
import { lockEndedWithdrawal } from '../withdrawals/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

const fact = (field: string, after: string): Difference => ({ field, as: 'fact', before: null, after })

/** Two people for a withdrawal within its retention. The reason is without personal data. */
export const TRANSACTION_ERASE: ProposalKind<Subject & Wish, Outcome> = {
  action: 'transaction.erase',
  targetOf: ({ kind, id }) => `${kind}:${id}`,
  merchantOf: () => null,
  async lock(tx, { kind, merchantId, id }) {
    if (kind === 'withdrawal') await lockEndedWithdrawal(tx, merchantId, id)
  },
  async describe(app, db, terms) {
    mustGiveReason('reason', terms.reason)
    const until = await keptDespite(app, db, terms)
    if (!until) return { rows: [], alone: true }
    return {
      rows: [
        { field: 'personalData', as: 'text', before: 'kept', after: 'erased' },
        fact('keptUntil', istanbul(until).day),
        fact('askedFor', `of_${terms.askedFor}`),
        fact('reason', terms.reason),
      ],
    }
  },
  apply: (app, actor, { kind, merchantId, id, ...wish }) =>
    eraseTransaction(app, actor, { kind, merchantId, id }, { ...wish, dryRun: false }),
}
