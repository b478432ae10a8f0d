import { formatMoney } from '../../../kernel/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { invalidField, Refusal } from '../../../platform/refusal.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, suspenseOf } from '../../ledger/index.ts'
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
import { entriesAbout } from './store.ts'

/** The bank had debited more than the payout, and gives that back in the same credit: it settles what is owed, or is a charge given back. */
export async function restOfReturn(tx: Tx, draft: Draft, payout: Payout, line: StoredLine): Promise<NewEntry> {
  const { settles, charge } = draft.terms
  const { withdrawalId, sourceAccountId, currency } = payout
  const amount = line.amount - payout.amount
  if (settles !== undefined && charge)
    throw invalidField('charge', 'must be absent: what is more than the payout settles the receivable')
  if (amount <= 0n)
    throw new Refusal(
      'INVALID_STATE',
      `The line has no more than the payout. Its return: vezne line return ${line.id} --withdrawal ${withdrawalId}`,
    )
  const from = suspenseOf(line)
  const came = `${formatMoney(amount, currency)} more came than the payout`
  if (settles !== undefined) {
    const { account, open } = await lockReceivable(tx, settles)
    if (account.currency === currency && amount <= open)
      return journalEntry('journal_receivable', draft, [{ from, to: account, amount }])
    throw new Refusal('INVALID_STATE', `${came}, ${formatMoney(open, account.currency)} is still owed.`)
  }
  const borne = await chargesFor(tx, payout)
  if (charge?.amount !== amount || amount > borne)
    throw new Refusal(
      'INVALID_STATE',
      `${came}, and ${formatMoney(borne, currency)} was booked as a charge for it: --charge must be all that is more, and no more than that.`,
    )
  const to = bankAccount('bank_charges', sourceAccountId, currency)
  return journalEntry('journal_bank_charge', draft, [{ from, to, amount }])
}

/** What the operator bore for the payout's debits: charges in them, and what was written off of what they exceed it by. */
async function chargesFor(db: Queryable, { withdrawalId }: Payout): Promise<bigint> {
  const debits = (await linesOfPayout(db, withdrawalId)).filter(({ direction }) => direction === 'debit')
  const about = (await Promise.all(debits.map(({ id }) => entriesAbout(db, id)))).flat()
  const posted = new Map(about.filter(isInForce).map((entry) => [entry.id, entry]))
  const inDebits = [...posted.values()].flatMap(({ details }) => partsFrom(details.seen.entries, 'bank_charges'))
  const its = (await allReceivables(db)).filter((one) => posted.has(one.entryId) || one.withdrawalId === withdrawalId)
  return its.reduce((sum, { writtenOff }) => sum + writtenOff, sumOf(inDebits))
}

const isInForce = ({ state, reversedAt }: JournalEntry) => state === 'posted' && reversedAt === null

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
  const owed = (await allReceivables(db)).find(
    (one) => one.open >= amount && (one.withdrawalId === withdrawalId || debits.has(one.lineId)),
  )
  if (owed) return propose('payout_return', [line.id], { withdrawalId, settles: owed.entryId })
  if (amount > (await chargesFor(db, payout))) return null
  return propose('payout_return', [line.id], { withdrawalId, charge: { amount } })
}

/** The payout is completed again, the credit in suspense, and the rest owed, or a charge. */
export async function planMoreTakenBack(tx: Tx, draft: Draft, { details }: JournalEntry): Promise<Plan> {
  const { withdrawalId = '', lineIds }: Terms = details.terms
  const [its] = details.seen.entries
  const payout = await lockPayout(tx, its?.merchantId ?? '', withdrawalId)
  if (!payout) throw new Error(`There is no payout for withdrawal ${withdrawalId}.`)
  await mustHaveMoneyBack(tx, payout)
  await mustNotBeCharged(tx, payout)
  const line = onlyOne(await lockTheLines(tx, { lineIds }))
  const { merchantId, amount, currency } = payout
  const from = merchantAccount('merchant_available', merchantId, currency)
  const rest = details.seen.entries.slice(1).flatMap(({ transfers }) => transfers)
  return {
    entries: [
      {
        ...journalEntry('journal_reversal', draft, [{ from, to: suspenseOf(line), amount }]),
        merchantId,
      },
      journalEntry(
        'journal_reversal',
        draft,
        rest.map((one) => ({ from: one.to, to: one.from, amount: one.amount })),
      ),
    ],
    lines: [{ line: { ...line, candidateWithdrawalId: named(line, payout) }, becomes: 'suspense' }],
    deposits: [],
    unreturned: payout,
    mayOverdraw: true,
  }
}
