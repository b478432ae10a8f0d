import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')

/** Far longer than any file takes until its first test. */
const IMPORT_TIMEOUT_MS = 240_000

/** `claims` is a folder with a file for each that is taken; `most` is how many one process takes. */
export type FileQueue = { files: string[]; claims: string; most: number }

/** Runs test files one after another in this process. Each is a suite, so its hooks clean up before the next is imported. */
export async function together(queue: FileQueue): Promise<void> {
  for (let count = 0; count < queue.most; count++) {
    const file = claimNext(queue)
    if (file === undefined) return
    await new Promise<void>((ended) => {
      describe(file, async () => {
        try {
          await Promise.race([import(pathToFileURL(resolve(ROOT, file)).href), tooLate(file)])
        } finally {
          after(() => ended())
        }
      })
    })
  }
}

/** The first one that no process has taken. A file is created by one process only. */
function claimNext({ files, claims }: FileQueue): string | undefined {
  return files.find((_, index) => {
    try {
      closeSync(openSync(join(claims, String(index)), 'wx'))
      return true
    } catch {
      return false
    }
  })
}

/** A suite has no time limit before its tests start. */
async function tooLate(file: string): Promise<never> {
  await once(AbortSignal.timeout(IMPORT_TIMEOUT_MS), 'abort')
  throw new Error(
    `${file} did not reach its end within ${IMPORT_TIMEOUT_MS / 1000} s: what does it wait for outside its tests?`,
  )
}
