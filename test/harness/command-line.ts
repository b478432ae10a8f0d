import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BASE_ENV } from './child-process.ts'
import { endsWithUs } from './ends-with-us.ts'

type Result = { code: number; output: string; errors: string }

/**
 * Runs many commands in one process: most of the cost of a command is its startup, and a file with fifty would take a
 * minute. For commands that run until killed use child-process.ts.
 */
export function openCommandLine(env: Record<string, string>) {
  const child = fork(fileURLToPath(import.meta.resolve('./command-line-process.ts')), {
    env: { ...BASE_ENV, VEZNE_LOG: 'silent', ...env },
  })
  endsWithUs(child)
  let last: Promise<unknown> = Promise.resolve()
  async function send(args: string[]): Promise<Result> {
    const response = once(child, 'message')
    child.send(args)
    const [result] = await response
    return result as Result
  }
  return {
    /** One at a time: concurrent calls wait. */
    run: (args: string[]): Promise<Result> => {
      const result = last.then(() => send(args))
      last = result.catch(() => undefined)
      return result
    },
    stop: () => child.kill(),
  }
}
