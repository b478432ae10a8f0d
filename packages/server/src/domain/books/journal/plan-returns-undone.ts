import { sumOf } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { NewEntry } from '../../ledger/index.ts'
import {
  bankAccount,
  bookedAbout,
  merchantAccount,
  NO_MERCHANT,
  suspenseOf,
  suspenseReceipt,
} from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfJournal } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { JournalEntry } from './journal-entry.ts'
import { neverLeft } from './plan-debits.ts'
import { mustHaveMoneyBack, returnLines } from './plan-merchant-charge.ts'
import type { Draft, Plan, Slice } from './plan.ts'
import { backwards, lockTheLines, lockThePayouts, reopened, slicesOf } from './plan.ts'
import { closeReopened, refundedLine } from './reopened-refund.ts'

/**
 * Credits were taken for the return of payouts by mistake: the merchants are charged, the payouts are completed, the credits are in
 * suspense. `entry`: the one that said so of more than one payout, with what else it booked. Of a refund of unexplained money, what
 * the return opened again is refunded.
 */
export async function planReturnsUndone(
  tx: Tx,
  draft: Draft,
  withdrawalIds: string[],
  entry: JournalEntry | null,
): Promise<Plan> {
  const payouts = await lockThePayouts(tx, withdrawalIds, 'return_undone')
  const back = new Map<Payout, bigint>()
  for (const payout of payouts) {
    if (wasNotSent(payout)) throw neverLeft(payout)
    if (entry && payout.merchantId === NO_MERCHANT)
      throw refuse('return_of_refund', { withdrawal: payout.withdrawalId })
    back.set(payout, await mustHaveMoneyBack(tx, payout))
    await mustNotBeCharged(tx, payout)
  }
  const found = entry ? await linesOfJournal(tx, entry.id) : await linesOf(tx, payouts)
  const its = new Set(found.map(({ id }) => id))
  const refund = payouts.find(({ merchantId }) => merchantId === NO_MERCHANT)
  const refunded = refund ? await refundedLine(tx, refund) : null
  const locked = await lockTheLines(tx, { lineIds: [...its, ...(refunded?.lineIds ?? [])] })
  const lines = locked.filter(({ id }) => its.has(id))
  const owner = entry ? undefined : lines.find(({ journalId }) => journalId !== null)
  // What else the entry booked is taken back with it.
  if (owner) throw refuse('return_gave_more', { entry: owner.journalId ?? '' })
  const closed = refunded && (await closeReopened(tx, draft.terms, refunded, locked))
  const slices: Held[] = []
  for (const slice of slicesOf(lines, payouts)) slices.push({ ...slice, wasHeld: await wasInSuspense(tx, slice.line) })
  return {
    entries: [
      ...payouts.map((payout) => chargeOf(payout, slices, back.get(payout) ?? 0n, closed?.transfers ?? [])),
      ...slices.flatMap((slice) => (slice.wasHeld ? [] : [receiptOf(slice)])),
      ...(entry?.details.seen.entries ?? []).flatMap((one) => backwards(one, draft)),
    ],
    lines: [...lines.map((line) => reopened(line, payouts, 'suspense')), ...(closed?.lines ?? [])],
    deposits: [],
    ...(closed?.terms && { terms: closed.terms }),
    unreturned: payouts,
    mayOverdraw: true,
  }
}

async function mustNotBeCharged(tx: Tx, { withdrawalId }: Payout): Promise<void> {
  const { first } = await chargedBefore(tx, (charge) => charge.withdrawalId === withdrawalId)
  if (first === undefined) return
  throw refuse('merchant_charged', { of: 'return', transaction: withdrawalId, entry: first })
}

const linesOf = async (tx: Tx, payouts: Payout[]) =>
  (await Promise.all(payouts.map((payout) => returnLines(tx, payout)))).flat()

type Held = Slice & { wasHeld: boolean }

/** The line went through suspense, and the return took it from there: not straight from the bank, nor by a clearing. */
async function wasInSuspense(tx: Tx, { id, amount }: StoredLine): Promise<boolean> {
  const booked = await bookedAbout(tx, NO_MERCHANT, id)
  const net = booked.reduce((sum, { from, to, amount: moved }) => {
    return sum + (to === 'suspense' ? moved : 0n) - (from === 'suspense' ? moved : 0n)
  }, 0n)
  return net === amount
}

/** A return on the bank's word is on the account that sent the payout. */
function receiptOf({ line, payout: { sourceAccountId, currency } }: Slice): NewEntry {
  const from = bankAccount('bank_cash', sourceAccountId, currency)
  const receipt = suspenseReceipt(line)
  return { ...receipt, transfers: receipt.transfers.map((transfer) => ({ ...transfer, from })) }
}

/** What the merchant got goes back to where it came from; costs that the operator bore, to the charges. `first`: the refund takes its money again. */
function chargeOf(payout: Payout, all: Held[], back: bigint, first: NewEntry['transfers']): NewEntry {
  const { merchantId, withdrawalId: subjectId, currency, sourceAccountId } = payout
  const slices = all.filter((slice) => slice.payout === payout)
  const from = merchantAccount('merchant_available', merchantId, currency)
  const cash = bankAccount('bank_cash', sourceAccountId, currency)
  const charges = bankAccount('bank_charges', slices[0]?.line.collectingAccountId ?? '', currency)
  const costs = back - sumOf(slices)
  const transfers = [
    ...first,
    ...slices.map(({ line, amount, wasHeld }) => ({ from, to: wasHeld ? suspenseOf(line) : cash, amount })),
    ...(costs > 0n ? [{ from, to: charges, amount: costs }] : []),
  ]
  return { kind: 'journal_reversal', merchantId, subjectId, transfers }
}
