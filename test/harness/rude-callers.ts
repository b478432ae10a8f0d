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

/** Peak memory and slowest /healthz during this time. */
export async function watchService(baseUrl: string, pid: number, forMs: number) {
  const { hostname, port } = new URL(baseUrl)
  const worst = { mb: 0, healthMs: 0 }
  const probe = async () => {
    const began = performance.now()
    // A new connection each time, as for a probe.
    await send({ hostname, port, path: '/healthz', agent: false })
    worst.healthMs = Math.max(worst.healthMs, performance.now() - began)
    worst.mb = Math.max(worst.mb, memoryOf(pid))
    return performance.now()
  }
  const end = performance.now() + forMs
  await until(probe, (now) => now >= end, 2 * forMs)
  return worst
}
