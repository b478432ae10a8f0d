import { randomUUID } from 'node:crypto'
import type { Answer, client } from '../harness/client.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { pause } from '../harness/until.ts'

type Shop = ReturnType<typeof client>

type Outcome =
  /** 201: it must be in the database. */
  | 'acknowledged'
  /** 503 that says nothing was saved: it must not be. */
  | 'refused'
  /** 503 that says the outcome is unknown, or no response at all. */
  | 'unknown'
  /** Anything else is a defect. */
  | 'other'

export type Call = {
  kind: 'deposit' | 'withdraw'
  processId: string
  startedAt: number
  endedAt: number
  outcome: Outcome
  /** Status and code, or the error of the connection. */
  said: string
}

export type Load = { calls: Call[]; stop: () => Promise<void> }

/** After a refusal a client waits; without this, eight of them would send thousands of requests a second. */
const PAUSE_MS = 50

/** Clients that each create a deposit or a withdrawal, and the next when the last call has ended. */
export function startLoad(shop: Shop, clients: number): Load {
  const calls: Call[] = []
  let stopped = false
  async function run(first: Call['kind']): Promise<void> {
    let kind = first
    while (!stopped) {
      const call = await create(shop, kind)
      calls.push(call)
      if (call.outcome !== 'acknowledged') await pause(PAUSE_MS)
      kind = kind === 'deposit' ? 'withdraw' : 'deposit'
    }
  }
  const running = Array.from({ length: clients }, (_, index) => run(index % 2 === 0 ? 'deposit' : 'withdraw'))
  return {
    calls,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

async function create(shop: Shop, kind: Call['kind']): Promise<Call> {
  const processId = randomUUID()
  const startedAt = performance.now()
  const body = kind === 'deposit' ? depositBody({ processId }) : withdrawBody({ processId, amount: 100 })
  const result = await shop.post(`/v1/${kind}`, body).then(judge, judgeError)
  return { kind, processId, startedAt, endedAt: performance.now(), ...result }
}

function judge({ status, code, body }: Answer): Pick<Call, 'outcome' | 'said'> {
  const { message = '' } = (body as { error?: { message?: string } }).error ?? {}
  const said = `${status} ${code ?? ''} ${message}`.trim()
  if (status === 201) return { outcome: 'acknowledged', said }
  if (status !== 503) return { outcome: 'other', said }
  return { outcome: /nothing was saved/i.test(message) ? 'refused' : 'unknown', said }
}

function judgeError({ message }: Error): Pick<Call, 'outcome' | 'said'> {
  return { outcome: 'unknown', said: message }
}
