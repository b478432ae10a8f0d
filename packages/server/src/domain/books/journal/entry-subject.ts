import type { Queryable } from '../../../platform/postgres/db.ts'
import { findDepositById } from '../../deposits/index.ts'
import { decisionsOf } from '../../matching/index.ts'
import { findPayout, findWithdrawalById } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfPayout, selectLinesById } from '../../statements/index.ts'
import type { Details, JournalKind } from './journal-entry.ts'

/** What both people must know of an entry besides its bookings. */
export type EntrySubject = {
  /** Deposits that its lines paid when they were completed already. */
  paidTwice: string[]
  /** A return less costs: what was sent, what came back with these lines, and who bears the difference. */
  costs: { sent: bigint; came: bigint; currency: string; by: 'merchant' | 'operator' } | null
  /** Money that someone sent becomes our own: it may be a customer's. */
  isOfSender: boolean
  /** Deposits and withdrawals that it is about, as their merchants call them. */
  transactions: { id: string; merchantId: string; processId: string }[]
}

/** Booked as what we earn or pay. */
const OWN_RESULT: ReadonlySet<JournalKind> = new Set(['bank_charge', 'bank_tax', 'interest', 'own_funds'])

export async function subjectOf(db: Queryable, kind: JournalKind, { terms, seen }: Details): Promise<EntrySubject> {
  const lineIds = seen.lines.map(({ id }) => id)
  const second = (await decisionsOf(db, lineIds)).filter(({ why }) => why === 'duplicate')
  const named = second.map(({ suggestions }) => (suggestions as { depositId?: string }[])[0]?.depositId)
  const paidTwice = [...new Set(named)].filter((id) => id !== undefined)
  const { depositId, withdrawalId, notPayouts = [] } = terms
  const about = [...seen.deposits.map(({ id }) => id), ...(seen.payout ?? '').split(', '), ...paidTwice, ...notPayouts]
  return {
    paidTwice,
    transactions: await transactionsOf(db, [...about, depositId ?? [], withdrawalId ?? []].flat()),
    costs: await costsOf(db, terms, lineIds),
    isOfSender: OWN_RESULT.has(kind) && (await selectLinesById(db, lineIds)).some(hasSender),
  }
}

async function transactionsOf(db: Queryable, ids: string[]): Promise<EntrySubject['transactions']> {
  // A refund has no withdrawal yet: its recipient is there instead.
  const known = [...new Set(ids)].filter((id) => /^[0-9a-f]{24}$/.test(id))
  const found = known.map(async (id) => (await findDepositById(db, id)) ?? (await findWithdrawalById(db, id)))
  return (await Promise.all(found)).flatMap((one) => {
    return one ? [{ id: one.id, merchantId: one.merchantId, processId: one.processId }] : []
  })
}

const hasSender = ({ direction, senderName, senderIban }: StoredLine) =>
  direction === 'credit' && (senderName.trim() !== '' || senderIban !== null)

async function costsOf(
  db: Queryable,
  { costsBy: by, withdrawalId = '' }: Details['terms'],
  lineIds: string[],
): Promise<EntrySubject['costs']> {
  const payout = by && (await findPayout(db, withdrawalId))
  if (!payout) return null
  const lines = [...(await linesOfPayout(db, withdrawalId)), ...(await selectLinesById(db, lineIds))]
  const credits = new Map(lines.filter(({ direction }) => direction === 'credit').map((line) => [line.id, line.amount]))
  const came = [...credits.values()].reduce((sum, amount) => sum + amount, 0n)
  return { sent: payout.amount, came, currency: payout.currency, by }
}
