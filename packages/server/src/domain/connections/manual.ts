import type { Connection } from './connection.ts'

/** A person sends the payout in the bank's own application and records the bank's response here. */
export function manualConnectionOf(name: string): Connection {
  return {
    kind: 'manual',
    name,
    statement: (cursor) =>
      Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
    submit: () => Promise.resolve({ outcome: 'pending' }),
    find: () => Promise.resolve({ outcome: 'pending' }),
  }
}

/** The one that every live deployment has. */
export const manualConnection = manualConnectionOf('manual')
