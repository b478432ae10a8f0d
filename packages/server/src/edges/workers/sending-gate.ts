import type { Connection } from '../../domain/connections/index.ts'
import { isPolled } from '../../domain/connections/index.ts'
import { listLines } from '../../domain/statements/index.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'

export type SendingGate = {
  isOpen: () => boolean
  /** This process has read the connection's statement to its end. */
  readToEnd: (connection: string) => void
  /** Called when no new line is left to match; opens the gate if every statement has been read. */
  tryOpen: () => Promise<void>
}

type Deps = { db: Db; log: Log; connections: Connection[] }

/** Statements that come as files do not hold up the start: they come once a day. */
function namesOf({ connections }: Deps): string[] {
  return connections.filter(isPolled).map(({ name }) => name)
}

/** Long enough for a statement of many pages; after that, log why nothing is sent. */
const SILENT_MS = 30_000

/**
 * No payout is sent until this process has read each statement to its end and the lines are matched. This way a database restored to an
 * earlier time, and not marked as restored, finds out what the bank has already paid.
 */
export function sendingGate(app: Deps, onOpen: () => void): SendingGate {
  const unread = new Set(namesOf(app))
  let open = unread.size === 0
  // Without those that were disabled since: no one reads them.
  const incomplete = () => namesOf(app).filter((name) => unread.has(name))
  const warning = setTimeout(() => {
    app.log.warn({ incomplete: incomplete() }, 'no payout is sent until each statement was read once')
  }, SILENT_MS).unref()
  return {
    isOpen: () => open,
    readToEnd: (connection) => void unread.delete(connection),
    async tryOpen() {
      if (open || incomplete().length > 0) return
      // Another worker may still be matching lines that were just read.
      if ((await listLines(app.db.pages, 'new', 1)).length > 0) return
      clearTimeout(warning)
      open = true
      onOpen()
    },
  }
}
