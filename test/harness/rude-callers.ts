import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { readFileSync } from 'node:fs'
import { send } from './client.ts'
import { until } from './until.ts'

export type UnreadLoad = { baseUrl: string; connections: number; request: string; times: number }

/** Keeps connections busy with requests whose responses are never read; closed connections are reopened. */
export function neverRead({ baseUrl, connections, request, times }: UnreadLoad) {
  const { hostname, port } = new URL(baseUrl)
  const sockets = new Set<Socket>()
  const counts = { opened: 0, closed: 0 }
  const bytes = Buffer.from(request.repeat(times))
  let stopped = false
  const open = () => {
    counts.opened++
    const socket = connect(Number(port), hostname, () => socket.write(bytes)).pause()
    sockets.add(socket)
    // A client that keeps writing notices a closed connection without reading.
    const more = setInterval(() => void (socket.writableNeedDrain || socket.write(bytes)), 100)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(more)
      sockets.delete(socket)
      counts.closed++
      setImmediate(() => stopped || open())
    })
  }
  for (let index = 0; index < connections; index++) open()
  return {
    counts,
    stop() {
      stopped = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * 4096) / 2 ** 20
}

/** CPU time of a process in milliseconds; the kernel counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Asks /healthz, one after another, however long it takes, until it has answered so often and something holds. Peak memory, and the work for one answer. */
export async function watchService(baseUrl: string, pid: number, least: number, holds: () => boolean = () => true) {
  const { hostname, port } = new URL(baseUrl)
  const seen = { mb: 0, answers: 0 }
  const before = cpuMsOf(pid)
  const probe = async () => {
    // A new connection each time, as for a probe.
    await send({ hostname, port, path: '/healthz', agent: false })
    seen.answers++
    seen.mb = Math.max(seen.mb, memoryOf(pid))
    return seen.answers
  }
  await until(probe, (answers) => answers >= least && holds(), Infinity)
  return { ...seen, msPerAnswer: (cpuMsOf(pid) - before) / seen.answers }
}
