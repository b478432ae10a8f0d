import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseEndsWithUs, endsWithUs } from './ends-with-us.ts'

const MAIN = join(import.meta.dirname, '../../packages/server/src/main.ts')

export type Child = {
  process: ChildProcess
  output: () => string
  errors: () => string
  exited: Promise<number | null>
}

const { PATH, NODE_COMPILE_CACHE } = process.env

/** Environment of every process: PATH, and the compile cache of test/run.ts. */
export const BASE_ENV = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }

/** A process as an operator would start it; `main` may be that of another checkout. */
export function vezne(args: string[], env: Record<string, string>, main = MAIN): Child {
  return startNode([main, ...args], { HOST: '127.0.0.1', PORT: '0', VEZNE_LOG: 'silent', ...env })
}

export function startNode(args: string[], env: Record<string, string>, cwd?: string): Child {
  if (env['VEZNE_DATA'] && !env['DATABASE_URL']) databaseEndsWithUs(env['VEZNE_DATA'])
  const child = spawn(process.execPath, args, {
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  endsWithUs(child)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return { process: child, output: () => output, errors: () => errors, exited }
}

/** Runs a command to its end. */
export async function run(args: string[], env: Record<string, string>) {
  const child = vezne(args, env)
  const code = await child.exited
  return { code, output: child.output(), errors: withoutTarget(child.errors()) }
}

/** Every command names its deployment first, which test/process/another-folder.long.test.ts checks; here is what it says besides. */
export function withoutTarget(errors: string): string {
  return errors.replace(/^Using the (sandbox in|sandbox database|live database) .*\n/, '')
}

/** Resolves with the address from the line `ready http://…`. */
export async function ready(child: Child): Promise<string> {
  for (;;) {
    const [, address] = /^ready (\S+)$/m.exec(child.output()) ?? []
    if (address) return address
    const gone = await Promise.race([
      once(child.process.stdout as NodeJS.ReadableStream, 'data'),
      child.exited.then(() => 'gone'),
    ])
    if (gone === 'gone') throw new Error(`vezne ended before it was ready:\n${child.output()}\n${child.errors()}`)
  }
}
