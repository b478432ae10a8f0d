import type { StatementAccount } from '@vezne/bank-formats'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { CollectingAccount } from '../../banks/index.ts'

export type Resolved = { account: CollectingAccount } | { account: null; problem: string }

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
  if (given !== null && !named) return none(`${given} is not one of our accounts. See: vezne account list`)
  if (iban === null && number === null)
    return named ? { account: named } : none('the file names no account: say which it is with --account IBAN')
  const fitting = iban !== null ? [accounts.get(normaliseIban(iban))] : withNumber(accounts, number ?? '')
  const [only, another] = fitting.filter((account) => account !== undefined)
  const written = iban ?? number ?? ''
  if (named) {
    // A number that cannot be compared with an IBAN contradicts nothing.
    if (only === undefined ? iban === null : fitting.includes(named)) return { account: named }
    return none(`the file is of account ${written}, not of ${named.iban}`)
  }
  if (only && !another) return { account: only }
  return none(
    only
      ? `several of our accounts have the number ${written}: say which it is with --account IBAN`
      : `${written} is not one of our accounts. See: vezne account list`,
  )
}

const none = (problem: string): Resolved => ({ account: null, problem })

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
