import { refuseField } from '../../../kernel/refusals/refuse.ts'
import { bankAccount, unexplainedOf } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import type { Planner } from './plan.ts'
import { journalEntry, lockTheLines, mustBeDebit } from './plan.ts'

/** BSMV, in percent of a charge. Banks round to the nearest kuruş, or down. */
const TAX_PERCENT = 5n

type Range = { least: bigint; most: bigint }
const taxesOn = (charge: bigint): Range => ({
  least: (charge * TAX_PERCENT) / 100n,
  most: (charge * TAX_PERCENT + 50n) / 100n,
})
const isWithin = (amount: bigint, { least, most }: Range) => amount >= least && amount <= most

/** Of a tax on a charge of this amount, and of a charge on which this is the tax. */
export function amountsBeside(amount: bigint): Range[] {
  const charges = { least: (amount * 100n - 50n) / TAX_PERCENT, most: (amount * 100n + 99n) / TAX_PERCENT }
  return [taxesOn(amount), charges]
}

type Pair = { charge: StoredLine; tax: StoredLine }

/** Two debits of one account, of which one is as large as the tax on the other. */
export function chargeAndTax(one: StoredLine, other: StoredLine): Pair | null {
  const [charge, tax] = one.amount > other.amount ? [one, other] : [other, one]
  const isTax = isWithin(tax.amount, taxesOn(charge.amount))
  const areDebits = one.direction === 'debit' && other.direction === 'debit'
  const isOneAccount = one.collectingAccountId === other.collectingAccountId && one.currency === other.currency
  return isTax && areDebits && isOneAccount ? { charge, tax } : null
}

export const planChargeAndTax: Planner = async (_app, tx, draft) => {
  const [one, other, further] = await lockTheLines(tx, draft.terms)
  const pair = one && other && !further ? chargeAndTax(one, other) : null
  if (!pair) throw refuseField('line', 'charge_and_tax_missing')
  const { charge, tax } = pair
  const booked = (line: StoredLine, kind: 'bank_charges' | 'bank_taxes') => {
    const from = bankAccount(kind, line.collectingAccountId, line.currency)
    return [{ from, to: unexplainedOf(mustBeDebit(line)), amount: line.amount }]
  }
  return {
    entries: [
      journalEntry('journal_bank_charge', draft, booked(charge, 'bank_charges')),
      journalEntry('journal_bank_tax', draft, booked(tax, 'bank_taxes')),
    ],
    lines: [
      { line: charge, becomes: 'journal' },
      { line: tax, becomes: 'journal', entry: { id: draft.id, kind: 'bank_tax' } },
    ],
    deposits: [],
  }
}
