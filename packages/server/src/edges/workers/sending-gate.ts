import { listLines } from '../../domain/statements/index.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'

export type SendingGate = {
  isOpen: () => boolean
  /** This process has read the statement of the connection to its end. */
  readToEnd: (connection: string) => void
  /** Called when no new line was left to match; opens the gate if every statement was read. */
  tryOpen: () => Promise<void>
}

/** Long enough for a statement of many pages; whoever waits longer wants to know why. */
const SILENT_MS = 30_000

/**
 * No payout is sent before this process has read each statement to its end and the lines were matched. A database that was restored
 * to an earlier moment, and not marked so, learns there what the bank has paid.
 */
export function sendingGate(app: { db: Db; log: Log }, connections: string[], onOpen: () => void): SendingGate {
  const unread = new Set(connections)
  let open = unread.size === 0
  const warning = setTimeout(() => {
    app.log.warn({ unread: [...unread] }, 'no payout is sent until each statement was read once')
  }, SILENT_MS).unref()
  return {
    isOpen: () => open,
    readToEnd: (connection) => void unread.delete(connection),
    async tryOpen() {
      if (open || unread.size > 0) return
      // Another worker may be matching what was just read.
      if ((await listLines(app.db.pages, 'new', 1)).length > 0) return
      clearTimeout(warning)
      open = true
      onOpen()
    },
  }
}
