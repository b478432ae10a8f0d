import { foldText } from '../../../kernel/fold.ts'
import { recipientOf, sameParty, senderOf } from '../../../kernel/party.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import type { Payout } from './payout.ts'

/** Shorter bank references are found in any text. */
const MIN_REFERENCE = 5

/** Whether more than the amount shows that a credit is the return of this payout: its id or number, or the recipient. */
export function showsReturnOf(line: StoredLine, payout: Payout): boolean {
  const number = foldText(payout.bankReference ?? '')
  return (
    payoutReferences(line.narrative).includes(payout.withdrawalId) ||
    (number.length >= MIN_REFERENCE && foldText(line.narrative).includes(number)) ||
    sameParty(senderOf(line), recipientOf(payout))
  )
}
