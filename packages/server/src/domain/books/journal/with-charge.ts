import { recipientOf, sameParty, senderOf } from '../../../kernel/party.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { mayBeCharge } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'

/** The debit went to the payout's recipient and has what a bank may have charged for it besides. */
export function isWithCharge(line: StoredLine, payout: Payout): boolean {
  const isSmall = mayBeCharge(line.amount - payout.amount, payout.amount)
  return (
    isSmall && line.collectingAccountId === payout.sourceAccountId && sameParty(senderOf(line), recipientOf(payout))
  )
}
