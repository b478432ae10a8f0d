import { bankCodeOf, ibanFault } from '../../kernel/iban.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { FAST, INTERBANK_CURRENCY } from '../banks/index.ts'

/** `bank`: the one that the request names, if it names one. */
export function checkIban(iban: string, bank: { id: string; code: string; name: string } | undefined): void {
  const refused = wrongIban(iban)
  if (refused) throw refused
  if (!bank || bank.id === FAST || bank.code === bankCodeOf(iban)) return
  const facts = { bank: bank.name, code: bank.code, ibanCode: bankCodeOf(iban) }
  throw refuseField('bankId', 'iban_of_other_bank', facts)
}

/** Null if it is right. */
export function wrongIban(iban: string): Refusal | null {
  const fault = ibanFault(iban)
  return fault && refuseField('iban', 'iban_wrong', { fault, characters: iban.length })
}

/** Refuses transfers that no rail supports before money is held for them. `accounts`: all collecting accounts. */
export function checkReach(
  iban: string,
  currency: string,
  accounts: readonly Pick<CollectingAccount, 'iban' | 'currency'>[],
): void {
  if (accounts.some((one) => one.iban === iban)) throw refuseField('iban', 'iban_of_collecting_account')
  if (currency === INTERBANK_CURRENCY) return
  if (accounts.some((one) => one.currency === currency && bankCodeOf(one.iban) === bankCodeOf(iban))) return
  throw refuseField('currency', 'currency_not_sendable', { currency, bankCode: bankCodeOf(iban) })
}
