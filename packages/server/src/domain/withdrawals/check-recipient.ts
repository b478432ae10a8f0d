import { bankCodeOf, ibanProblem } from '../../kernel/iban.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { FAST, INTERBANK_CURRENCY } from '../banks/index.ts'

/** `bank`: the one that the request names, if it names one. */
export function checkIban(iban: string, bank: { id: string; code: string; name: string } | undefined): void {
  const problem = ibanProblem(iban)
  if (problem) throw new Refusal('INVALID_IBAN', `The IBAN ${problem}.`, { details: [{ field: 'iban', problem }] })
  if (bank && bank.id !== FAST && bank.code !== bankCodeOf(iban)) {
    throw invalidField(
      'bankId',
      `is ${bank.name} (${bank.code}), but the IBAN belongs to bank code ${bankCodeOf(iban)}`,
    )
  }
}

/** Refuses transfers that no rail supports before money is held for them. `accounts`: all collecting accounts. */
export function checkReach(
  iban: string,
  currency: string,
  accounts: readonly Pick<CollectingAccount, 'iban' | 'currency'>[],
): void {
  if (accounts.some((one) => one.iban === iban)) {
    throw invalidField('iban', 'must be an account of the recipient; this one is a collecting account of this service')
  }
  if (currency === INTERBANK_CURRENCY) return
  if (accounts.some((one) => one.currency === currency && bankCodeOf(one.iban) === bankCodeOf(iban))) return
  throw invalidField(
    'currency',
    `${currency} can only be sent within the same bank, and this service has no ${currency} account at the recipient's bank (${bankCodeOf(iban)})`,
  )
}
