import type { Connection } from './connection.ts'

/** No connection: a person sends the payout in the bank's own application and records the bank's response here. */
export const manualConnection: Connection = {
  kind: 'manual',
  name: 'manual',
  statement: (cursor) =>
    Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
  submit: () => Promise.resolve({ outcome: 'pending' }),
  find: () => Promise.resolve({ outcome: 'pending' }),
}
