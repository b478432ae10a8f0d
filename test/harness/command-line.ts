import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BASE_ENV, withoutTarget } from './child-process.ts'
import { endsWithUs } from './ends-with-us.ts'

type Result = { code: number; output: string; errors: string }
export type Asked = { args: string[]; env: Record<string, string | undefined> }

/** Processes of command lines that were stopped: the next one takes over, as files may share a process. */
const idle: ChildProcess[] = []

function start(): ChildProcess {
  const child = fork(fileURLToPath(import.meta.resolve('./command-line-process.ts')), { env: BASE_ENV })
  endsWithUs(child)
  return child
}

/**
 * Runs many commands in one process: most of the cost of a command is its startup, and a file with fifty would take a
 * minute. For commands that run until killed use child-process.ts.
 */
export function openCommandLine(env: Record<string, string>) {
  const child = idle.pop() ?? start()
  let open = 0
  let last: Promise<unknown> = Promise.resolve()
  async function send(args: string[]): Promise<Result> {
    const response = once(child, 'message')
    child.send({ args, env: { ...BASE_ENV, VEZNE_LOG: 'silent', ...env } } satisfies Asked)
    const [result] = (await response) as [Result]
    return { ...result, errors: withoutTarget(result.errors) }
  }
  return {
    /** One at a time: concurrent calls wait. */
    run: (args: string[]): Promise<Result> => {
      open++
      const result = last.then(() => send(args)).finally(() => open--)
      last = result.catch(() => undefined)
      return result
    },
    stop: () => {
      if (open === 0 && child.connected) idle.push(child)
      else child.kill()
    },
  }
}

/** Commands against a service of this file, with a data folder of their own; both end with the file. */
export function openCommandLineOf({
  app,
  databaseUrl,
}: {
  app: { config: { masterKey: Buffer } }
  databaseUrl: string
}) {
  const folder = mkdtempSync(join(tmpdir(), 'vezne-commands-'))
  const masterKey = app.config.masterKey.toString('hex')
  const { run, stop } = openCommandLine({ VEZNE_DATA: folder, DATABASE_URL: databaseUrl, VEZNE_MASTER_KEY: masterKey })
  after(() => {
    stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return run
}
