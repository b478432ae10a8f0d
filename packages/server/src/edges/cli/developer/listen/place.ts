import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensurePrivateFolder } from '../../../../platform/files/data-folder.ts'

/** Up to where the stream was read, and which of the events before that are still to be accepted, oldest first. */
type State = { cursor: string; waiting: string[] }

export type Place = ReturnType<typeof openPlace>

/** Kept in a file, so that a listener that is stopped or killed goes on where it was. */
export function openPlace(file: string) {
  let state: State | null = existsSync(file)
    ? { waiting: [], ...(JSON.parse(readFileSync(file, 'utf8')) as { cursor: string; waiting?: string[] }) }
    : null
  function write(next: State): void {
    state = next
    ensurePrivateFolder(dirname(file))
    writeFileSync(`${file}.new`, JSON.stringify(next), { mode: 0o600 })
    // All at once, or the old place stays: half a file would be no place at all.
    renameSync(`${file}.new`, file)
  }
  const current = () => state ?? { cursor: '0', waiting: [] }
  return {
    isNew: () => state === null,
    cursor: () => current().cursor,
    waiting: () => current().waiting,
    begin: (cursor: string) => write({ cursor, waiting: [] }),
    read: (cursor: string) => write({ ...current(), cursor }),
    take: (cursor: string, eventId: string) => write({ cursor, waiting: [...current().waiting, eventId] }),
    through: (eventId: string) =>
      write({ ...current(), waiting: current().waiting.filter((waiting) => waiting !== eventId) }),
  }
}
