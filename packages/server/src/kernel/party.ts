import { ERASED } from './erased.ts'
import { foldText, sameName } from './fold.ts'
import { isWholeIban, normaliseIban } from './iban.ts'

/** The other side of a payment, as a bank or a merchant writes it. */
export type Party = { name: string; iban: string | null }

export function senderOf({ senderName, senderIban }: { senderName: string; senderIban: string | null }): Party {
  return { name: senderName, iban: senderIban }
}

export function recipientOf({ accountName, iban }: { accountName: string; iban: string }): Party {
  return { name: accountName, iban }
}

/** A name never outweighs a complete, different IBAN: two people may have one name. */
export function haveOtherIbans(a: Party, b: Party): boolean {
  const [first, second] = ibansOf(a, b)
  return first !== second && isWholeIban(first) && isWholeIban(second)
}

/** Equal IBANs; without two complete ones, names that may be one. */
export function sameParty(a: Party, b: Party): boolean {
  const [first, second] = ibansOf(a, b)
  if (first !== '' && first === second) return true
  return hasName(a) && hasName(b) && !haveOtherIbans(a, b) && sameName(a.name, b.name)
}

const ibansOf = (a: Party, b: Party): [string, string] => [normaliseIban(a.iban ?? ''), normaliseIban(b.iban ?? '')]

const hasName = ({ name }: Party) => name !== ERASED && foldText(name) !== ''
