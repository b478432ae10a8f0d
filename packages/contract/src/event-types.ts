/** By hand and without schemas: the command line reads this list at every start, and loading TypeBox takes longer than most commands. */
export const EVENT_TYPES = [
  'deposit.processing',
  'deposit.expired',
  'deposit.completed',
  'deposit.failed',
  'deposit.cancelled',
  'deposit.updated',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.returned',
  'withdrawal.updated',
  'endpoint.test',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
