/** Every status but the first has its event, and so has a change that keeps the status. `test/callbacks/document.test.ts` compares. */
export const EVENT_TYPES: readonly string[] = [
  'deposit.processing',
  'deposit.completed',
  'deposit.failed',
  'deposit.expired',
  'deposit.cancelled',
  'deposit.updated',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.returned',
  'withdrawal.updated',
  'endpoint.test',
]
