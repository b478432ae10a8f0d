import { formatMoney } from '../../../kernel/money.ts'
import { parseExactly, writtenNumber } from '../../../platform/json/exact-numbers.ts'

/** What can be read of a line that could not be taken in; '' for a part that is not there or is no text. */
export type Written = Record<'account' | 'senderName' | 'senderIban' | 'narrative' | 'bookedAt', string> & {
  number: string
  /** Null: it has no amount. One that is no whole number is as the bank wrote it. */
  amount: string | null
}

/** Null if it is not a list of named parts. */
export function writtenIn(raw: string): Written | null {
  const wire = parsed(raw)
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return null
  const parts = wire as Record<string, unknown>
  const text = (name: string) => (typeof parts[name] === 'string' ? parts[name] : '')
  return {
    account: text('account'),
    senderName: text('senderName'),
    senderIban: text('senderIban'),
    narrative: text('narrative'),
    bookedAt: text('bookedAt'),
    number: writtenNumber(parts['reference']) ?? text('reference'),
    amount: amountIn(parts['amount'], parts['direction'] === 'debit', text('currency')),
  }
}

function amountIn(amount: unknown, isDebit: boolean, currency: string): string | null {
  if (amount === undefined || amount === null) return null
  const written = writtenNumber(amount)
  if (written === null || !/^-?\d{1,18}$/.test(written)) return JSON.stringify(amount).slice(0, 24)
  return formatMoney(isDebit ? -BigInt(written) : BigInt(written), currency || undefined)
}

function parsed(raw: string): unknown {
  try {
    return parseExactly(raw)
  } catch {
    return null
  }
}
