import { foldText, sameName } from '../../kernel/fold.ts'
import { normaliseIban } from '../../kernel/iban.ts'
import type { StoredLine } from '../statements/index.ts'
import { payoutReferences } from '../statements/index.ts'
import type { Payout } from './payout.ts'

/** Shorter bank references are found in any text. */
const MIN_REFERENCE = 5

/** Whether more than the amount shows that a credit is the return of this payout: its id or number, or the recipient. */
export function showsReturnOf({ narrative, senderIban, senderName }: StoredLine, payout: Payout): boolean {
  const number = foldText(payout.bankReference ?? '')
  return (
    payoutReferences(narrative).includes(payout.withdrawalId) ||
    (number.length >= MIN_REFERENCE && foldText(narrative).includes(number)) ||
    normaliseIban(senderIban ?? '') === payout.iban ||
    (foldText(senderName) !== '' && sameName(senderName, payout.accountName))
  )
}
