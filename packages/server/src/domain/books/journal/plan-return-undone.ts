import type { Tx } from '../../../platform/postgres/db.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { NewEntry } from '../../ledger/index.ts'
import {
  bankAccount,
  bookedAbout,
  merchantAccount,
  NO_MERCHANT,
  suspenseOf,
  suspenseReceipt,
} from '../../ledger/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, lockPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { Terms } from './journal-entry.ts'
import { isReturnOfMore } from './journal-entry.ts'
import { mustHaveMoneyBack, returnLines } from './plan-merchant-charge.ts'
import { neverLeft } from './plan-payout-debit.ts'
import type { Plan } from './plan.ts'
import { lockTheLines } from './plan.ts'
import { closeReopened, refundedLine } from './reopened-refund.ts'
import { entriesAbout } from './store.ts'

/**
 * A credit was taken for the return by mistake: its merchant is charged, the payout is completed, the credits are in suspense. Of a
 * refund of unexplained money: what the return opened again is refunded.
 */
export async function planReturnUndone(tx: Tx, terms: Terms, withdrawalId: string): Promise<Plan> {
  const known = await findPayout(tx, withdrawalId)
  if (!known) throw refuseField('withdrawal', 'withdrawal_without_payout', { wanted: 'return_undone' })
  const payout = (await lockPayout(tx, known.merchantId, withdrawalId)) as Payout
  if (wasNotSent(payout)) throw neverLeft(payout)
  const back = await mustHaveMoneyBack(tx, payout)
  await mustNotBeCharged(tx, payout)
  const its = (await returnLines(tx, payout)).map(({ id }) => id)
  const refunded = payout.merchantId === NO_MERCHANT ? await refundedLine(tx, payout) : null
  const locked = await lockTheLines(tx, { lineIds: [...its, ...(refunded?.lineIds ?? [])] })
  await mustBeOfPayout(tx, its)
  const lines = locked.filter(({ id }) => its.includes(id))
  const closed = refunded && (await closeReopened(tx, terms, refunded, locked))
  const held = await Promise.all(lines.map((line) => inSuspense(tx, line)))
  return {
    entries: [
      withTransfers(closed?.transfers ?? [], chargeOf(payout, lines, held, back)),
      ...lines.flatMap((line, place) => (held[place] ? [] : [receiptOf(line, payout)])),
    ],
    lines: [
      ...lines.map((line) => ({
        line: { ...line, candidateWithdrawalId: named(line, payout) },
        becomes: 'suspense' as const,
      })),
      ...(closed?.lines ?? []),
    ],
    deposits: [],
    ...(closed?.terms && { terms: closed.terms }),
    unreturned: [payout],
    mayOverdraw: true,
  }
}

export async function mustNotBeCharged(tx: Tx, { withdrawalId }: Payout): Promise<void> {
  const { first } = await chargedBefore(tx, (charge) => charge.withdrawalId === withdrawalId)
  if (first === undefined) return
  throw refuse('merchant_charged', { of: 'return', transaction: withdrawalId, entry: first })
}

/** A credit that gave back more than the payout has a way back of its own. */
async function mustBeOfPayout(tx: Tx, lineIds: string[]): Promise<void> {
  const entries = (await Promise.all(lineIds.map((id) => entriesAbout(tx, id)))).flat()
  const more = entries.find((one) => one.reversedAt === null && isReturnOfMore(one))
  if (more) throw refuse('return_gave_more', { entry: more.id })
}

/** The line went through suspense, and the return took it from there: not straight from the bank, nor by a clearing. */
async function inSuspense(tx: Tx, { id, amount }: StoredLine): Promise<boolean> {
  const booked = await bookedAbout(tx, NO_MERCHANT, id)
  const net = booked.reduce((sum, { from, to, amount: moved }) => {
    return sum + (to === 'suspense' ? moved : 0n) - (from === 'suspense' ? moved : 0n)
  }, 0n)
  return net === amount
}

/** What the merchant got goes back to where it came from; costs that the operator bore, to the charges. */
function chargeOf(payout: Payout, lines: StoredLine[], held: boolean[], back: bigint): NewEntry {
  const { merchantId, withdrawalId: subjectId, currency, sourceAccountId } = payout
  const from = merchantAccount('merchant_available', merchantId, currency)
  const cash = bankAccount('bank_cash', sourceAccountId, currency)
  const charges = bankAccount('bank_charges', lines[0]?.collectingAccountId ?? '', currency)
  const costs = lines.reduce((left, { amount }) => left - amount, back)
  const transfers = [
    ...lines.map((line, place) => ({ from, to: held[place] ? suspenseOf(line) : cash, amount: line.amount })),
    ...(costs > 0n ? [{ from, to: charges, amount: costs }] : []),
  ]
  return { kind: 'journal_reversal', merchantId, subjectId, transfers }
}

const withTransfers = (first: NewEntry['transfers'], entry: NewEntry): NewEntry => ({
  ...entry,
  transfers: [...first, ...entry.transfers],
})

/** A return on the bank's word is on the account that sent the payout. */
function receiptOf(line: StoredLine, { sourceAccountId, currency }: Payout): NewEntry {
  const from = bankAccount('bank_cash', sourceAccountId, currency)
  const receipt = suspenseReceipt(line)
  return { ...receipt, transfers: receipt.transfers.map((transfer) => ({ ...transfer, from })) }
}

export const named = ({ narrative }: StoredLine, { withdrawalId }: Payout) =>
  payoutReferences(narrative).includes(withdrawalId) ? withdrawalId : null
