import { sumOf } from '../../../kernel/money.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { isOpen, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfPayout } from '../../statements/index.ts'
import { partsFrom, partsTo } from './charges.ts'
import type { JournalEntry } from './journal-entry.ts'
import { debitFirst } from './oversized-debit.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { allReceivables } from './receivables.ts'
import { entriesAbout } from './store.ts'

/**
 * What the operator bore for the payouts' debits: charges in them, and what was written off of what they exceed it by; less what
 * returns of payouts of these debits have given back.
 */
export async function chargesFor(db: Queryable, payouts: Payout[]): Promise<bigint> {
  const ids = payouts.map(({ withdrawalId }) => withdrawalId)
  const posted = await postedAbout(db, ids, 'debit')
  const sharing = [...posted.values()].flatMap(({ details }) => details.terms.withdrawalIds ?? [])
  const returns = await postedAbout(db, [...new Set([...ids, ...sharing])], 'credit')
  const inDebits = [...posted.values()].flatMap(({ details }) => partsFrom(details.seen.entries, 'bank_charges'))
  const givenBack = [...returns.values()].flatMap(({ details: { seen, terms } }) =>
    terms.charge ? partsTo(seen.entries, 'bank_charges') : [],
  )
  const its = (await allReceivables(db)).filter(
    (one) => posted.has(one.entryId) || ids.includes(one.withdrawalId ?? ''),
  )
  const borne = its.reduce((sum, { writtenOff }) => sum + writtenOff, sumOf(inDebits))
  return borne > sumOf(givenBack) ? borne - sumOf(givenBack) : 0n
}

/** Entries in force about the debits, or about the credits, of these payouts. */
async function postedAbout(
  db: Queryable,
  withdrawalIds: string[],
  wanted: StoredLine['direction'],
): Promise<Map<string, JournalEntry>> {
  const lines = (await Promise.all(withdrawalIds.map((id) => linesOfPayout(db, id)))).flat()
  const its = lines.filter(({ direction }) => direction === wanted)
  const about = (await Promise.all(its.map(({ id }) => entriesAbout(db, id)))).flat()
  return new Map(about.filter(isInForce).map((entry) => [entry.id, entry]))
}

const isInForce = ({ reversedAt }: JournalEntry) => reversedAt === null

/** How a credit is booked that gives back a payout with all that was debited besides. Null: it does not. */
export async function wayOfMore(db: Queryable, line: StoredLine, payout: Payout): Promise<ProposeStep | null> {
  const { withdrawalId, currency } = payout
  const amount = line.amount - payout.amount
  if (line.direction === 'debit' || line.currency !== currency || amount <= 0n) return null
  if (isOpen(payout) || wasNotSent(payout)) return null
  const its = await linesOfPayout(db, withdrawalId)
  if (its.some(({ direction }) => direction === 'credit')) return null
  if (its.length === 0) return debitFirst(db, line, payout)
  const debits = new Set(its.map(({ id }) => id))
  const owed = (await allReceivables(db)).filter(
    (one) => one.open > 0n && (one.withdrawalId === withdrawalId || debits.has(one.lineId)),
  )
  const all = owed.find(({ open }) => open >= amount)
  if (all) return propose('payout_return', [line.id], { withdrawalId, settles: all.entryId })
  const borne = await chargesFor(db, [payout])
  if (amount <= borne) return propose('payout_return', [line.id], { withdrawalId, charge: { amount } })
  if (line.candidateWithdrawalId !== withdrawalId) return null
  const [part] = owed
  const explained = part?.open ?? borne
  return propose('payout_return', [line.id], {
    withdrawalId,
    ...(part ? { settles: part.entryId } : borne > 0n && { charge: { amount: borne } }),
    rest: { amount: amount - explained },
  })
}
