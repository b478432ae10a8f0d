import { formatMoney } from '../../kernel/money.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { EntryPreview, JournalEntry, Proposed } from '../books/index.ts'
import { postEntry, previewEntry } from '../books/index.ts'
import { lineSubject } from '../people/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

/** What lines are that are neither deposits nor payouts, or that an entry is taken back. */
export const JOURNAL_ENTRY: ProposalKind<Proposed, JournalEntry> = {
  action: 'journal.propose',
  approve: 'journal.approve',
  always: true,
  oneAtATime: true,
  isForgotten: true,
  merchantOf: () => null,
  targetOf,
  /** With the terms that the plan fills in. */
  async normalise(app, proposed) {
    const { kind, reverses, details } = await previewEntry(app, app.db, proposed)
    return { kind, reverses, terms: details.terms }
  },
  async describe(app, db, proposed) {
    const preview = await previewEntry(app, db, proposed)
    const lines = preview.details.seen.lines.map(({ id }) => lineSubject(id))
    return {
      rows: rowsOf(preview),
      alone: !preview.takesTwo,
      subjects: lines.length > 0 ? lines : [`journal.entry ${targetOf(proposed)}`],
      mustExplain: (why) => mustGiveReason('why', why),
    }
  },
  apply: (app, actor, proposed, why) => postEntry(app, actor, proposed, why ?? ''),
}

function targetOf({ terms, reverses }: Proposed): string {
  const [line] = terms.lineIds
  if (line !== undefined) return lineSubject(line)
  const entry = reverses ?? terms.restOf ?? terms.settles
  if (entry !== undefined) return `journal:${entry}`
  if (terms.depositId !== undefined) return `deposit:${terms.depositId}`
  return terms.withdrawalId === undefined ? `account:${terms.accountId ?? ''}` : `withdrawal:${terms.withdrawalId}`
}

/** Everything that it would change. */
function rowsOf({ kind, reverses, details: { terms, seen }, recipient }: EntryPreview): Difference[] {
  const row = (as: 'text' | 'fact' | 'personal', field: string, after: string | null, before: string | null = null) => {
    return { field, as, before, after }
  }
  return [
    row('fact', 'entry', kind),
    row('fact', 'reverses', reverses),
    ...seen.lines.flatMap(({ id, state, reason, becomes }) => [
      row('fact', 'lineId', id),
      row('fact', 'lineReason', reason),
      row('text', 'line', becomes, state),
    ]),
    ...seen.deposits.flatMap(({ id, status, sequence, becomes }) => [
      row('fact', 'transactionId', `${id} #${sequence}`),
      row('text', 'deposit', becomes, status),
    ]),
    ...seen.entries.flatMap(({ transfers }) =>
      transfers.map(({ from, to, amount }) =>
        row('fact', 'booking', `${nameOf(from)} → ${nameOf(to)}: ${formatMoney(amount, from.currency)}`),
      ),
    ),
    row('fact', 'payout', seen.payout),
    row('fact', 'payoutState', seen.payoutState ?? null),
    row('fact', 'costsBy', terms.costsBy ?? null),
    row('personal', 'recipientName', recipient?.name ?? null),
    row('personal', 'recipientIban', recipient?.iban ?? null),
  ]
}

type Account = EntryPreview['accounts'][number]['account']

const nameOf = ({ kind, merchantId, subject = '' }: Account) => `${kind} ${subject === '' ? merchantId : subject}`
