import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensurePrivateFolder } from '../../../../platform/files/data-folder.ts'

/** How far the stream was read, and which earlier events are not yet accepted, oldest first. */
type State = { cursor: string; waiting: string[] }

export type Place = ReturnType<typeof openPlace>

/** Kept in a file, so that a stopped or killed listener resumes where it was. */
export function openPlace(file: string) {
  let state: State | null = existsSync(file)
    ? { waiting: [], ...(JSON.parse(readFileSync(file, 'utf8')) as { cursor: string; waiting?: string[] }) }
    : null
  function write(next: State): void {
    state = next
    ensurePrivateFolder(dirname(file))
    writeFileSync(`${file}.new`, JSON.stringify(next), { mode: 0o600 })
    // Atomic replacement: a partly written file would lose the position.
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
