import { randomInt } from 'node:crypto'
import { isIban } from '../iban.ts'
import type { BankEvent, Instruction, RejectionReason } from './bank-event.ts'
import type { Ledger } from './ledger.ts'
import { available, currencyOf } from './ledger.ts'
import { magicRejection } from './magic-endings.ts'

/** `spent`: what the same list has already taken from the account. */
export function decide(
  ledger: Ledger,
  instruction: Instruction,
  spent: bigint,
): Extract<BankEvent, { kind: 'moved' | 'rejected' }> {
  const reason = rejection(ledger, instruction, spent)
  if (reason) return { kind: 'rejected', reason, ...instruction }
  return { kind: 'moved', bankReference: newBankReference(ledger), ...instruction }
}

export function rejection(ledger: Ledger, instruction: Instruction, spent: bigint): RejectionReason | null {
  const { book, from, to, amount, currency } = instruction
  if (!isIban(to)) return 'invalid_iban'
  // Transfers are clients' orders; paying customers have every currency.
  const involved = book === 'transfer' ? [from, to] : [to]
  if (involved.some((iban) => (currencyOf(ledger, iban) ?? currency) !== currency)) return 'wrong_currency'
  const magic = book === 'transfer' ? magicRejection(to) : null
  if (magic) return magic
  if (ledger.accounts.get(to)?.closed || ledger.accounts.get(from)?.closed) return 'account_closed'
  return amount > available(ledger, from) - spent ? 'insufficient_funds' : null
}

/** Random, not a counter: a bank that was wiped must not reuse references that its clients know. */
export function newBankReference({ bankReferences }: Pick<Ledger, 'bankReferences'>): string {
  for (;;) {
    const reference = String(randomInt(1_000_000_000, 10_000_000_000))
    if (!bankReferences.has(reference)) return reference
  }
}
