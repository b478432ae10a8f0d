import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { Payout } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'

/** 100,00 TL. More is hardly what a bank takes for a transfer. */
export const MAX_CHARGE = 10_000n
/** Of the payout: 5 %. */
const MAX_SHARE = 20n

/** The debit went to the payout's recipient and has what a bank may have charged for it besides. */
export function isWithCharge(line: StoredLine, payout: Payout): boolean {
  const charge = line.amount - payout.amount
  const isSmall = charge > 0n && charge <= MAX_CHARGE && charge * MAX_SHARE <= payout.amount
  return isSmall && line.collectingAccountId === payout.sourceAccountId && isTo(line, payout)
}

function isTo({ senderIban, senderName }: StoredLine, { iban, accountName }: Payout): boolean {
  const written = normaliseIban(senderIban ?? '')
  return written === iban || (foldText(senderName) !== '' && sameName(senderName, accountName))
}
