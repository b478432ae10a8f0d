import { normaliseIban } from '../../../kernel/iban.ts'
import { sumOf } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesOfDeposit, payoutReferences, selectLinesById } from '../../statements/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { chargedBefore, partsFrom, partsTo } from './charges.ts'
import { chargeOf } from './plan-merchant-charge.ts'
import type { Draft, Plan } from './plan.ts'
import { lockTheDeposits } from './plan.ts'
import type { Receivable } from './receivables.ts'
import { lockReceivable } from './receivables.ts'

/**
 * The bank took a payment back after its merchant had refunded it, or only a part of it, so it cannot be taken off the deposit:
 * what is owed for the bank's debit is taken from the merchant's balance. The deposit stays completed and shows it.
 */
export async function planDepositCharge(tx: Tx, draft: Draft, depositId: string): Promise<Plan> {
  const { lineIds, withdrawalId, restOf, settles = '' } = draft.terms
  if (lineIds.length > 0) throw refuseField('line', 'line_beside_merchant_charge')
  if (withdrawalId !== undefined || restOf !== undefined) throw refuseField('deposit', 'deposit_beside_others')
  const [deposit] = await lockTheDeposits(tx, [depositId])
  if (!deposit) throw new Error(`Deposit ${depositId} was not locked.`)
  const receivable = await lockReceivable(tx, settles)
  if (deposit.status !== 'completed')
    throw refuse('deposit_not_credited', { deposit: depositId, status: deposit.status })
  const isWhole = await mustBeItsStorno(tx, deposit, receivable)
  await mustNotExceed(tx, deposit, receivable)
  if (isWhole && deposit.refundedAmount === 0n)
    throw refuse('deposit_not_refunded', { deposit: depositId, entry: settles, debit: receivable.lineId })
  const takenBackAmount = deposit.takenBackAmount + receivable.open
  return {
    ...chargeOf(draft, deposit.merchantId, receivable, receivable.open),
    deposits: [{ deposit, changes: { takenBackAmount } }],
  }
}

/** The merchant is no longer charged, so as much may be refunded again; or has not got it back. */
export function chargeTakenBack(deposit: Deposit, { details: { seen } }: JournalEntry): Plan['deposits'][number] {
  const [taken, given] = [partsFrom, partsTo].map((parts) => sumOf(parts(seen.entries, 'merchant_available')))
  const charged = (taken ?? 0n) - (given ?? 0n)
  return { deposit, changes: { takenBackAmount: deposit.takenBackAmount - charged } }
}

/** False if the bank took only a part of a payment. */
async function mustBeItsStorno(tx: Tx, deposit: Deposit, { lineId, amount }: Receivable): Promise<boolean> {
  const { id, merchantId } = deposit
  const [debit] = await selectLinesById(tx, [lineId])
  const payments = await linesOfDeposit(tx, merchantId, id)
  const its = payments.filter((one) => one.collectingAccountId === debit?.collectingAccountId)
  if (its.some((one) => one.amount === amount)) return true
  if (debit && its.some((one) => takesPartOf(debit, deposit, one))) return false
  throw refuse('debit_of_no_payment', { line: lineId, deposit: id })
}

/** Whether a debit takes a part of the payment back: it has the deposit's code or id, or the sender's IBAN. */
export function takesPartOf(debit: StoredLine, { id, referenceCode }: Deposit, payment: StoredLine): boolean {
  const [to, from] = [debit, payment].map(({ senderIban }) => normaliseIban(senderIban ?? ''))
  const isTied =
    findReferenceCodes(debit.narrative).some(({ code }) => code === referenceCode) ||
    payoutReferences(debit.narrative).includes(id) ||
    (to !== '' && to === from)
  return isTied && debit.collectingAccountId === payment.collectingAccountId && debit.amount < payment.amount
}

async function mustNotExceed(tx: Tx, { id, receivedAmount, currency }: Deposit, { open }: Receivable): Promise<void> {
  const { charged, first } = await chargedBefore(tx, ({ depositId }) => depositId === id)
  if (charged + open <= receivedAmount) return
  throw refuse('merchant_charged_in_full', {
    of: 'deposit',
    charged: money(charged, currency),
    whole: money(receivedAmount, currency),
    entry: first ?? '',
  })
}
