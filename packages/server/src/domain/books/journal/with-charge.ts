import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { Payout } from '../../payouts/index.ts'
import { mayBeCharge } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'

/** The debit went to the payout's recipient and has what a bank may have charged for it besides. */
export function isWithCharge(line: StoredLine, payout: Payout): boolean {
  const isSmall = mayBeCharge(line.amount - payout.amount, payout.amount)
  return isSmall && line.collectingAccountId === payout.sourceAccountId && isTo(line, payout)
}

function isTo({ senderIban, senderName }: StoredLine, { iban, accountName }: Payout): boolean {
  const written = normaliseIban(senderIban ?? '')
  return written === iban || (foldText(senderName) !== '' && sameName(senderName, accountName))
}
