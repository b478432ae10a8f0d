import type { Connection } from '../../domain/connections/index.ts'
import { isPolled } from '../../domain/connections/index.ts'
import type { Poller } from '../../platform/concurrency/poller.ts'

export type StatementReaders = Poller & {
  /** Starts readers of new connections and stops those of connections that are gone. A changed one is another object. */
  update: () => void
}

/** One reader for each connection whose statement is polled. */
export function statementReaders(
  app: { connections: Connection[] },
  start: (connection: Connection) => Poller,
): StatementReaders {
  const readers = new Map<Connection, Poller>()
  const stopping = new Set<Promise<void>>()
  function stopReader(connection: Connection, reader: Poller): void {
    readers.delete(connection)
    const stopped: Promise<void> = reader.stop().finally(() => stopping.delete(stopped))
    stopping.add(stopped)
  }
  return {
    update() {
      const wanted = app.connections.filter(isPolled)
      for (const [connection, reader] of readers) if (!wanted.includes(connection)) stopReader(connection, reader)
      for (const connection of wanted) if (!readers.has(connection)) readers.set(connection, start(connection))
    },
    poke: () => readers.forEach((reader) => reader.poke()),
    async stop() {
      for (const [connection, reader] of readers) stopReader(connection, reader)
      await Promise.all(stopping)
    },
  }
}
