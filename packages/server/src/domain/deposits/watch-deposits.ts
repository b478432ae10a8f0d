import type { Db } from '../../platform/postgres/db.ts'
import type { Log } from '../../platform/log.ts'
import { poll } from '../../platform/concurrency/poller.ts'
import { selectVersions } from './store.ts'

/** Notifies open pages that their deposit has changed. A process polls once a second, however many pages are open. */
export type DepositWatch = {
  watch: (key: { merchantId: string; id: string }, onVersion: (version: number) => void) => () => void
  stop: () => Promise<void>
}

type Watched = { merchantId: string; version: number | null; listeners: Set<(version: number) => void> }

export function watchDeposits({ db, log }: { db: Db; log: Log }, everyMs = 1000): DepositWatch {
  const watched = new Map<string, Watched>()
  async function look(): Promise<number> {
    if (watched.size === 0) return 0
    const keys = [...watched]
    const rows = await selectVersions(
      db,
      keys.map(([, { merchantId }]) => merchantId),
      keys.map(([id]) => id),
    )
    for (const { id, version } of rows) {
      const entry = watched.get(id)
      if (!entry || entry.version === version) continue
      entry.version = version
      for (const listener of entry.listeners) listener(version)
    }
    return 0
  }
  const poller = poll({ log }, { name: 'watch-deposits', everyMs, work: look })
  return {
    watch({ merchantId, id }, onVersion) {
      const entry = watched.get(id) ?? { merchantId, version: null, listeners: new Set() }
      watched.set(id, entry)
      entry.listeners.add(onVersion)
      return () => {
        entry.listeners.delete(onVersion)
        if (entry.listeners.size === 0) watched.delete(id)
      }
    },
    stop: () => poller.stop(),
  }
}
