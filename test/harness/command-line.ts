import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SURROUNDINGS } from './child-process.ts'
import { endsWithUs } from './ends-with-us.ts'

type Answer = { code: number; output: string; errors: string }

/**
 * A process that runs many commands, each to its end: most of what a command costs is its start, and a file with fifty of
 * them would take a minute. Commands that go on until they are killed are for child-process.ts.
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
    /** One at a time: whoever asks meanwhile waits. */
    run: (args: string[]): Promise<Answer> => {
      const answer = last.then(() => ask(args))
      last = answer.catch(() => undefined)
      return answer
    },
    stop: () => child.kill(),
  }
}
