import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Child } from '../harness/child-process.ts'
import { vezne } from '../harness/child-process.ts'

export type Workers = {
  size: number
  kill: (index: number) => Promise<void>
  pause: (index: number) => void
  resume: (index: number) => void
  resumeAll: () => void
  /** Ends every worker, each by its process id. */
  stopAll: () => Promise<void>
  counts: () => { kills: number; pauses: number; deaths: number }
  /** Errors that workers logged, and how often. */
  complaints: () => Map<string, number>
  /** Peak memory of any worker, in MB; null where the system does not report it. */
  peakMb: () => number | null
  /** When workers were paused: real time in milliseconds. */
  stoppedAt: () => number[]
}

/** Starts `vezne work` processes; resolves when all of them work. */
export async function startWorkers(size: number, env: Record<string, string>): Promise<Workers> {
  const children: Child[] = []
  const paused = new Set<Child>()
  const counts = { kills: 0, pauses: 0, deaths: 0 }
  const complaints = new Map<string, number>()
  const stops: number[] = []
  let peakMb: number | null = null
  const recordMemory = (child: Child) => {
    const mb = peakMbOf(child.process.pid)
    if (mb !== null) peakMb = Math.max(peakMb ?? 0, mb)
  }
  const collectErrors = (child: Child) => {
    paused.delete(child)
    for (const what of complaintsOf(child)) complaints.set(what, (complaints.get(what) ?? 0) + 1)
  }
  const killAtExit = () => children.forEach(({ process: { pid } }) => pid && end(pid))
  process.once('exit', killAtExit)
  for (let index = 0; index < size; index++) children.push(startWorker(env))
  await Promise.all(children.map(working))
  return {
    size,
    async kill(index) {
      const child = children[index] as Child
      // One that has ended already was not ended by us.
      if (child.process.exitCode !== null || child.process.signalCode !== null) counts.deaths++
      else counts.kills++
      recordMemory(child)
      child.process.kill('SIGKILL')
      await child.exited
      collectErrors(child)
      const next = startWorker(env)
      children[index] = next
      await working(next)
    },
    pause(index) {
      const child = children[index] as Child
      counts.pauses += Number(child.process.kill('SIGSTOP'))
      paused.add(child)
      stops.push(Date.now())
    },
    resume(index) {
      const child = children[index] as Child
      if (paused.delete(child)) child.process.kill('SIGCONT')
    },
    resumeAll() {
      for (const child of paused) child.process.kill('SIGCONT')
      paused.clear()
    },
    async stopAll() {
      for (const child of paused) child.process.kill('SIGCONT')
      const leaving = children.splice(0)
      leaving.forEach(recordMemory)
      for (const { process } of leaving) process.kill('SIGTERM')
      await Promise.all(leaving.map(({ exited }) => exited))
      leaving.forEach(collectErrors)
      process.off('exit', killAtExit)
    },
    counts: () => ({ ...counts }),
    complaints: () => complaints,
    peakMb: () => peakMb,
    stoppedAt: () => stops,
  }
}

export function startWorker(env: Record<string, string>): Child {
  return vezne(['work'], { VEZNE_LOG: 'error', ...env })
}

export async function working(child: Child): Promise<void> {
  const gone = child.exited.then(() => 'gone')
  while (!child.output().includes('working\n')) {
    const heard = await Promise.race([once(child.process.stdout as NodeJS.ReadableStream, 'data'), gone])
    if (heard === 'gone') throw new Error(`A worker ended before it worked:\n${child.errors()}`)
  }
}

/** As Linux counts it for the whole life of a process. */
function peakMbOf(pid: number | undefined): number | null {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kb === undefined ? null : Math.ceil(Number(kb) / 1024)
  } catch {
    return null
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function complaintsOf(child: Child): string[] {
  return child
    .errors()
    .split('\n')
    .flatMap((line) => {
      // A process that was killed may leave half a line.
      if (!line.startsWith('{') || !line.endsWith('}')) return line.trim() === '' ? [] : [line.slice(0, 100)]
      const { worker, msg, err } = JSON.parse(line) as { worker?: string; msg?: string; err?: { message?: string } }
      return [`${worker ?? 'process'}: ${(err?.message ?? msg ?? '').replaceAll(/[0-9a-f]{24}/g, '…')}`]
    })
}
