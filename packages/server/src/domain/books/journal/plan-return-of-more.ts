import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, NO_MERCHANT, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { isOpen, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfPayout } from '../../statements/index.ts'
import { partsFrom, sumOf } from './charges.ts'
import type { JournalEntry, Terms } from './journal-entry.ts'
import { debitFirst } from './oversized-debit.ts'
import { mustHaveMoneyBack } from './plan-merchant-charge.ts'
import { mustNotBeCharged, named } from './plan-return-undone.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry, lockTheLines, onlyOne } from './plan.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { allReceivables, lockReceivable } from './receivables.ts'
import { mustHaveItsRest } from './rests.ts'
import { entriesAbout } from './store.ts'

/** The bank had debited more than the payout, and gives that back in the same credit: it settles what is owed, or is a charge given back. */
export async function restOfReturn(
  tx: Tx,
  draft: Draft,
  payouts: Payout[],
  line: StoredLine,
  amount: bigint,
): Promise<NewEntry> {
  const { settles, charge } = draft.terms
  const { currency } = line
  if (settles !== undefined && charge) throw refuseField('charge', 'charge_beside_settles')
  if (amount <= 0n) throw refuse('return_has_no_rest', { line: line.id, withdrawal: payouts[0]?.withdrawalId ?? '' })
  const from = suspenseOf(line)
  const more = money(amount, currency)
  if (settles !== undefined) {
    const { account, open } = await lockReceivable(tx, settles)
    if (account.currency === currency && amount <= open)
      return journalEntry('journal_receivable', draft, [{ from, to: account, amount }])
    throw refuse('return_above_receivable', { more, open: money(open, account.currency) })
  }
  const borne = await chargesFor(tx, payouts)
  if (charge?.amount !== amount || amount > borne)
    throw refuse('return_not_all_charge', { more, borne: money(borne, currency) })
  const to = bankAccount('bank_charges', payouts[0]?.sourceAccountId ?? '', currency)
  return journalEntry('journal_bank_charge', draft, [{ from, to, amount }])
}

/** What the operator bore for the payouts' debits: charges in them, and what was written off of what they exceed it by. */
export async function chargesFor(db: Queryable, payouts: Payout[]): Promise<bigint> {
  const ids = payouts.map(({ withdrawalId }) => withdrawalId)
  const lines = (await Promise.all(ids.map((id) => linesOfPayout(db, id)))).flat()
  const debits = lines.filter(({ direction }) => direction === 'debit')
  const about = (await Promise.all(debits.map(({ id }) => entriesAbout(db, id)))).flat()
  const posted = new Map(about.filter(isInForce).map((entry) => [entry.id, entry]))
  const inDebits = [...posted.values()].flatMap(({ details }) => partsFrom(details.seen.entries, 'bank_charges'))
  const its = (await allReceivables(db)).filter(
    (one) => posted.has(one.entryId) || ids.includes(one.withdrawalId ?? ''),
  )
  return its.reduce((sum, { writtenOff }) => sum + writtenOff, sumOf(inDebits))
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

/** The payouts are completed again, the credit in suspense, and what was settled or given back with them as before. */
export async function planMoreTakenBack(tx: Tx, draft: Draft, { id, details }: JournalEntry): Promise<Plan> {
  const { withdrawalId = '', withdrawalIds = [withdrawalId], lineIds, rest }: Terms = details.terms
  if (rest) await mustHaveItsRest(tx, id)
  const payouts: Payout[] = []
  for (const [place, one] of withdrawalIds.toSorted().entries()) {
    const payout = await lockPayout(tx, details.seen.entries[place]?.merchantId ?? '', one)
    if (!payout) throw new Error(`There is no payout for withdrawal ${one}.`)
    if (payout.merchantId === NO_MERCHANT) throw refuse('return_of_refund', { withdrawal: one })
    await mustHaveMoneyBack(tx, payout)
    await mustNotBeCharged(tx, payout)
    payouts.push(payout)
  }
  const line = onlyOne(await lockTheLines(tx, { lineIds }))
  const others = details.seen.entries.slice(payouts.length).flatMap(({ transfers }) => transfers)
  const backwards = others.map((one) => ({ from: one.to, to: one.from, amount: one.amount }))
  const candidateWithdrawalId = payouts.map((payout) => named(line, payout)).find((one) => one !== null) ?? null
  return {
    entries: [
      ...payouts.map((payout) => takenBackFrom(draft, payout, line)),
      ...(backwards.length > 0 ? [journalEntry('journal_reversal', draft, backwards)] : []),
    ],
    lines: [{ line: { ...line, candidateWithdrawalId }, becomes: 'suspense' }],
    deposits: [],
    unreturned: payouts,
    mayOverdraw: true,
  }
}

function takenBackFrom(draft: Draft, { merchantId, amount, currency }: Payout, line: StoredLine): NewEntry {
  const from = merchantAccount('merchant_available', merchantId, currency)
  return { ...journalEntry('journal_reversal', draft, [{ from, to: suspenseOf(line), amount }]), merchantId }
}
