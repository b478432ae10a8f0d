import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SURROUNDINGS } from './child-process.ts'
import { endsWithUs } from './ends-with-us.ts'

type Answer = { code: number; output: string; errors: string }

/**
 * Runs many commands in one process: most of the cost of a command is its startup, and a file with fifty would take a
 * minute. For commands that run until killed use child-process.ts.
 */
export function openCommandLine(env: Record<string, string>) {
  const child = fork(fileURLToPath(import.meta.resolve('./command-line-process.ts')), {
    env: { ...SURROUNDINGS, VEZNE_LOG: 'silent', ...env },
  })
  endsWithUs(child)
  let last: Promise<unknown> = Promise.resolve()
  async function ask(args: string[]): Promise<Answer> {
    const answered = once(child, 'message')
    child.send(args)
    const [answer] = await answered
    return answer as Answer
  }
  return {
    /** One at a time: concurrent calls wait. */
    run: (args: string[]): Promise<Answer> => {
      const answer = last.then(() => ask(args))
      last = answer.catch(() => undefined)
      return answer
    },
    stop: () => child.kill(),
  }
}
