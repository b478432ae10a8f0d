import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Server = { address: string; stop: () => Promise<void> }

const STOP_TIMEOUT_MS = 5000

type Options = {
  /** The CPU profile is written here when the server stops. */
  profileFolder?: string | null
  /** Another checkout to start the server from. */
  folder?: string | null
}

/** Starts a server of this variant in a child process. */
export async function startServer(
  variant: 'naive' | 'vezne',
  databaseUrl: string,
  { profileFolder = null, folder = null }: Options = {},
): Promise<Server> {
  const file = folder ? resolve(folder, 'bench/server.ts') : fileURLToPath(import.meta.resolve('./server.ts'))
  const child = fork(file, {
    env: { PATH: process.env['PATH'], VARIANT: variant, DATABASE_URL: databaseUrl },
    execArgv: profileFolder ? [...process.execArgv, '--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : process.execArgv,
  })
  const exited = once(child, 'exit')
  const gone = exited.then(() => Promise.reject(new Error(`The ${variant} server ended before it was ready.`)))
  const [message] = (await Promise.race([once(child, 'message'), gone])) as [{ ready: string }]
  gone.catch(() => undefined)
  return {
    address: message.ready,
    async stop() {
      if (child.connected) child.disconnect()
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}
