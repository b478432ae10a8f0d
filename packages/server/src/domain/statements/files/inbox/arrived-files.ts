import { existsSync, lstatSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What was seen of each path at the last look. */
export type Looks = Map<string, string>
export type Arrived = { name: string; path: string; print: string }

/** Names that transfer tools give to files that they are still writing. */
const UNFINISHED = /^\.|\.(?:tmp|part|filepart|crdownload)$/i

/** Files that did not change since the last look, oldest first. */
export function arrivedFiles(folder: string, looks: Looks): Arrived[] {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile() || UNFINISHED.test(entry.name)) return []
    const path = join(folder, entry.name)
    const seen = lookAt(path)
    return seen ? [{ name: entry.name, path, ...seen }] : []
  })
  const arrived = files.filter(({ path, print }) => looks.get(path) === print)
  looks.clear()
  for (const { path, print } of files) looks.set(path, print)
  return arrived.toSorted((a, b) => a.changedMs - b.changedMs || (a.name < b.name ? -1 : 1))
}

function lookAt(path: string): { print: string; changedMs: number } | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat ? { print: `${stat.ino} ${stat.size} ${stat.mtimeMs}`, changedMs: stat.mtimeMs } : null
}

export function isUnchanged({ path, print }: Arrived): boolean {
  return lookAt(path)?.print === print
}

/** The report is written first, so that no moved file is without one. False if the file was moved or replaced by others. */
export function moveWithReport(file: Arrived, folder: string, report: string[]): boolean {
  if (!isUnchanged(file)) return false
  const target = freeName(folder, file)
  writeFileSync(`${target}.report.txt`, `${file.name}\n${report.join('\n')}\n`)
  try {
    renameSync(file.path, target)
  } catch (error) {
    // Another process has moved it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  if (lookAt(target)?.print === file.print) return true
  // A new file with this name came in between: it has not been imported.
  renameSync(target, file.path)
  return false
}

/** An earlier file with the same name is not overwritten. */
function freeName(folder: string, { name, print }: Arrived): string {
  const wanted = join(folder, name)
  return existsSync(wanted) ? join(folder, `${name}.${print.split(' ')[0]}`) : wanted
}
