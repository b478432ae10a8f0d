import { formatMoney } from '../../kernel/money.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { AccountProof, Close, DayProof } from '../books/index.ts'
import { checkClose, checkReopen, closeDay, isUsed, mustBeExplained, reopenDay } from '../books/index.ts'
import { daySubject } from '../people/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type OfDay = { day: string }

/** Two people in a sandbox, too. */
const OF_DAY = {
  merchantOf: () => null,
  always: true,
  targetOf: ({ day }: OfDay) => daySubject(day),
  subjectsOf: ({ day }: OfDay) => [daySubject(day)],
} as const

const fact = (field: string, after: Difference['after']): Difference => ({ field, as: 'fact', before: null, after })

/** With the figures that both people see: no others are closed, also if they change in this moment. */
export const DAY_CLOSE: ProposalKind<Close, DayProof> = {
  ...OF_DAY,
  action: 'day.close',
  normalise: async (app, close) => ({ day: close.day, figures: (await checkClose(app, app.db, close)).hash }),
  async describe(app, db, close) {
    const proof = await checkClose(app, db, close)
    return {
      rows: [
        { field: 'day', as: 'text', before: 'day_open', after: 'day_closed' },
        fact('figures', proof.hash),
        ...proof.accounts.filter(isUsed).flatMap(accountRows),
      ],
      mustExplain: (why) => mustBeExplained(proof, why),
    }
  },
  apply: (app, actor, { day, figures = '' }, why) => closeDay(app, actor, { day, figures }, why),
}

function accountRows(account: AccountProof): Difference[] {
  const { iban, currency, opening, credits, debits, closing, carried, proven, ledger, difference, unexplained } =
    account
  const money = (field: string, amount: bigint | null) =>
    fact(field, amount === null ? null : formatMoney(amount, currency))
  return [
    fact('iban', iban),
    money('opening', opening),
    money('credits', credits),
    money('debits', -debits),
    money('closing', closing),
    ...(carried ? [money('carried', carried.closing)] : []),
    money('ledgerCash', ledger),
    money('difference', difference),
    ...(unexplained === 0n ? [] : [money('unexplained', unexplained)]),
    ...(proven && difference !== null ? [] : [fact('proven', false)]),
  ]
}

/** Only the last closed day. */
export const DAY_REOPEN: ProposalKind<OfDay, void> = {
  ...OF_DAY,
  action: 'day.reopen',
  async describe(app, db, { day }) {
    const { figuresHash, proposedBy, operator, decidedAt } = await checkReopen(app, db, day)
    return {
      rows: [
        { field: 'day', as: 'text', before: 'day_closed', after: 'day_open' },
        fact('figures', figuresHash),
        { field: 'closedAt', as: 'time', before: decidedAt.toISOString(), after: null },
        { field: 'closedBy', as: 'text', before: `${proposedBy}, ${operator}`, after: null },
      ],
      mustExplain: (why) => mustGiveReason('why', why),
    }
  },
  apply: (app, actor, { day }, why) => reopenDay(app, actor, day, why ?? ''),
}
