import { DEPOSIT_STATUSES } from '../../domain/deposits/index.ts'
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawals/index.ts'

/** Nobody is told of the status that a transaction begins with: whoever made it knows. */
const told = (statuses: readonly string[]) => statuses.filter((status) => status !== 'pending')

export const EVENT_TYPES: string[] = [
  ...told(DEPOSIT_STATUSES).map((status) => `deposit.${status}`),
  'deposit.updated',
  ...told(WITHDRAWAL_STATUSES).map((status) => `withdrawal.${status}`),
  'withdrawal.returned',
  'withdrawal.updated',
  'endpoint.test',
]
