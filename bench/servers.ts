import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Server = { address: string; stop: () => Promise<void> }

const STOP_WITHIN_MS = 5000

/** A server of this variant in a child process; `profileFolder` receives its CPU profile when it stops. */
export async function startServer(
  variant: 'naive' | 'vezne',
  databaseUrl: string,
  profileFolder: string | null = null,
): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.resolve('./server.ts')), {
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
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await exited
      clearTimeout(timer)
    },
  }
}
