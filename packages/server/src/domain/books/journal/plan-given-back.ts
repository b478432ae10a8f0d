import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { suspenseOf } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { Charge } from './charges.ts'
import { lockCharge } from './charges.ts'
import type { Draft, Plan } from './plan.ts'
import { journalEntry, lockTheDeposits, lockTheLines, mustBeCredit, onlyOne } from './plan.ts'
import type { Receivable } from './receivables.ts'
import { allReceivables } from './receivables.ts'
import { lockRest } from './rests.ts'
import { lockEntry } from './store.ts'

/**
 * A credit gives back what a merchant was charged for: the merchant gets it. What is more than the charge settles the rest of the
 * receivable, or what was written off of it.
 */
export async function planGivenBack(tx: Tx, draft: Draft, known: Charge): Promise<Plan> {
  const deposits = await lockTheDeposits(tx, known.depositId === null ? [] : [known.depositId])
  const { lineIds, restOf } = draft.terms
  const line =
    restOf === undefined
      ? mustBeCredit(onlyOne(await lockTheLines(tx, draft.terms)))
      : await lockRest(tx, { restOf, lineIds }).then((rest) => ({ ...rest.line, amount: rest.amount }))
  const charge = await lockCharge(tx, known)
  if (!charge) throw refuseField('settles', 'charge_given_back')
  await lockEntry(tx, charge.settles)
  const receivable = (await allReceivables(tx)).find(({ entryId }) => entryId === charge.settles)
  if (!receivable) throw new Error(`Charge ${charge.entryId} settles no receivable.`)
  const { merchant, owed, borne } = divide(line, charge, receivable)
  const from = suspenseOf(line)
  const { account } = receivable
  const entries = [
    {
      ...journalEntry('journal_receivable', draft, [{ from, to: charge.account, amount: merchant }]),
      merchantId: charge.account.merchantId,
    },
    journalEntry('journal_receivable', draft, [{ from, to: account, amount: owed }]),
    journalEntry('journal_bank_charge', draft, [{ from, to: { ...account, kind: 'bank_charges' }, amount: borne }]),
  ]
  return {
    entries: entries.filter(({ transfers }) => transfers.length > 0),
    lines: restOf === undefined ? [{ line, becomes: 'journal' }] : [],
    deposits: deposits.map((deposit) => ({
      deposit,
      changes: { takenBackAmount: deposit.takenBackAmount - merchant },
    })),
  }
}

type Sides = Pick<Receivable, 'open' | 'writtenOff' | 'account'>

/** All that the bank may give back of the matter. */
export const givableOf = ({ left }: Charge, { open, writtenOff }: Sides) => left + open + writtenOff

function divide({ amount, currency }: StoredLine, charge: Charge, receivable: Sides) {
  const merchant = least(amount, charge.left)
  const owed = least(amount - merchant, receivable.open)
  const borne = amount - merchant - owed
  if (currency === receivable.account.currency && borne <= receivable.writtenOff) return { merchant, owed, borne }
  const left = money(givableOf(charge, receivable), currency)
  throw refuse('credit_above_charge', { came: money(amount, currency), left })
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
