import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { StatementAccount } from '@vezne/bank-formats'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { CollectingAccount } from '../../banks/index.ts'

export type Resolved = { account: CollectingAccount } | { account: null; problem: Said }

/** Shorter numbers end too many IBANs. */
const SHORTEST_NUMBER = 6

/**
 * The account that a statement is about: by its IBAN, by the bank's account number inside the IBAN, or the one that
 * who imports it has named, which must not contradict the file.
 */
export function resolveAccount(
  accounts: Map<string, CollectingAccount>,
  { iban, number }: StatementAccount,
  given: string | null,
): Resolved {
  const named = given === null ? undefined : accounts.get(normaliseIban(given))
  if (given !== null && !named) return none(note('finding_account_not_ours', { account: given }))
  if (iban === null && number === null) return named ? { account: named } : none(note('finding_account_missing'))
  const fitting = iban !== null ? [accounts.get(normaliseIban(iban))] : withNumber(accounts, number ?? '')
  const [only, another] = fitting.filter((account) => account !== undefined)
  const written = iban ?? number ?? ''
  if (named) {
    // A number that cannot be compared with an IBAN contradicts nothing.
    if (only === undefined ? iban === null : fitting.includes(named)) return { account: named }
    return none(note('finding_account_differs', { written, chosen: named.iban }))
  }
  if (only && !another) return { account: only }
  return none(
    only
      ? note('finding_account_ambiguous', { number: written })
      : note('finding_account_not_ours', { account: written }),
  )
}

const none = (problem: Said): Resolved => ({ account: null, problem })

/** The last 16 characters of a Turkish IBAN are the bank's number, filled with zeros on the left. */
function withNumber(accounts: Map<string, CollectingAccount>, number: string): CollectingAccount[] {
  const digits = number
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .replace(/^0+/, '')
    .toUpperCase()
  if (digits.length < SHORTEST_NUMBER) return []
  const all = [...accounts.values()]
  const whole = all.filter(({ iban }) => iban.slice(-16).replace(/^0+/, '') === digits)
  return whole.length > 0 ? whole : all.filter(({ iban }) => iban.slice(-16).endsWith(digits))
}
