import type { Connection } from './connection.ts'

/** No connection: a person sends in the bank's own program, and records here what the bank said. */
export const manualConnection: Connection = {
  kind: 'manual',
  name: 'manual',
  statement: (cursor) =>
    Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
  submit: () => Promise.resolve({ outcome: 'pending' }),
  find: () => Promise.resolve({ outcome: 'pending' }),
}
