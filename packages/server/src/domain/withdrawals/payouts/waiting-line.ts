import type { StoredLine } from '../../statements/index.ts'

/** The line fits its payout and waits for the line of the opposite direction. */
export function isWaiting({ state, reason }: Pick<StoredLine, 'state' | 'reason'>): boolean {
  return state !== 'matched' && (reason === 'payout_no_debit' || reason === 'payout_taken_back')
}
