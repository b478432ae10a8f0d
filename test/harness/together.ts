import { once } from 'node:events'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Far longer than any file takes until its first test. */
const IMPORT_TIMEOUT_MS = 60_000

/**
 * Runs test files one after another in this process: most of the cost of a short file is process startup. Each file is
 * a suite, so its hooks clean up before the next file is imported.
 */
export async function together(files: string[]): Promise<void> {
  for (const file of files) {
    await new Promise<void>((ended) => {
      describe(file, async () => {
        try {
          await Promise.race([import(pathToFileURL(file).href), tooLate(file)])
        } finally {
          after(() => ended())
        }
      })
    })
  }
}

/** A suite has no time limit before its tests start. */
async function tooLate(file: string): Promise<never> {
  await once(AbortSignal.timeout(IMPORT_TIMEOUT_MS), 'abort')
  throw new Error(
    `${file} did not reach its end within ${IMPORT_TIMEOUT_MS / 1000} s: what does it wait for outside its tests?`,
  )
}
