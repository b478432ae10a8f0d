import { createHash } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Webhook } from 'standardwebhooks'
import type { ReceiverContext } from './behaviour.ts'
import { BEHAVIOURS } from './behaviour.ts'
import type { Command, Kind, Note, Reply } from './note.ts'

// Merchants' servers, in a separate process so that load of the workers does not delay their notes. Ends with its parent.

type Receiver = {
  index: number
  kind: Kind
  secrets: { webhook: Webhook; since: number }[]
  open: number
  most: number
}

/** Workers cache secrets for a second, and a stopped one sends what it has signed when it is resumed. */
const KNOWN_AFTER_MS = 10_000
const TICK_MS = 20

const receivers = new Map<number, Receiver>()
const notes: Note[] = []
const requests = new Map<number, number>()
const hanging = new Set<ServerResponse>()
let moment = 0
let canary = 0
let allHealthy = false
let due: { at: number; action: () => void }[] = []

const context: ReceiverContext = {
  canaryUrl: '',
  later: (ms, action) => void due.push({ at: performance.now() + ms, action }),
  accepted(note) {
    note.acceptedAt = wallMs()
    note.acceptance = ++moment
  },
  requests: (receiver) => requests.get(receiver) ?? 0,
}

/** As exact as the monotonic clock, and the same in every process of this machine. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}

const ticks = monitorEventLoopDelay({ resolution: TICK_MS })
ticks.enable()

/** Runs delayed responses when they are due. */
setInterval(() => {
  const now = performance.now()
  const ready = due.filter(({ at }) => at <= now)
  due = due.filter(({ at }) => at > now)
  ready.forEach(({ action }) => action())
}, TICK_MS)

function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  receiver.open++
  receiver.most = Math.max(receiver.most, receiver.open)
  response.on('close', () => {
    receiver.open--
    hanging.delete(response)
  })
  request.on('error', () => undefined)
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const note = write(receiver, request.headers as Record<string, string>, Buffer.concat(chunks))
    requests.set(receiver.index, context.requests(receiver.index) + 1)
    BEHAVIOURS[allHealthy ? 'healthy' : receiver.kind]({ note, request, response }, context)
    if (note.did === 'hung') hanging.add(response)
  })
}

function write({ index, secrets }: Receiver, headers: Record<string, string>, body: Buffer): Note {
  const now = wallMs()
  const { data } = JSON.parse(body.toString()) as { data: { transactionId: string; sequence: number } }
  const note: Note = {
    receiver: index,
    number: notes.length + 1,
    id: headers['webhook-id'] ?? '',
    transactionId: data.transactionId,
    sequence: data.sequence,
    digest: createHash('sha256').update(body).digest('hex'),
    arrivedAt: now,
    acceptedAt: null,
    arrival: ++moment,
    acceptance: null,
    did: 'left',
    verifiedBy: secrets.flatMap(({ webhook }, place) => (verifies(webhook, body, headers) ? [place] : [])),
    mustVerifyBy: secrets.findLastIndex(({ since }, place) => place === 0 || now - since > KNOWN_AFTER_MS),
  }
  notes.push(note)
  return note
}

function verifies(webhook: Webhook, body: Buffer, headers: Record<string, string>): boolean {
  try {
    webhook.verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`
}

async function openAll(list: { receiver: number; kind: Kind }[]): Promise<Reply> {
  context.canaryUrl = await listen(createServer((_, response) => void (canary++, response.end())))
  const opened = await Promise.all(
    list.map(async ({ receiver: index, kind }) => {
      const receiver: Receiver = { index, kind, secrets: [], open: 0, most: 0 }
      receivers.set(index, receiver)
      const url = await listen(createServer((request, response) => receive(receiver, request, response)))
      return { receiver: index, url }
    }),
  )
  return { opened }
}

function learn(index: number, secret: string): void {
  receivers.get(index)?.secrets.push({ webhook: new Webhook(secret), since: wallMs() })
}

/** From now on all respond at once. Hanging requests are closed, so that no worker waits for the deadline. */
function becomeHealthy(): void {
  allHealthy = true
  hanging.forEach((response) => response.destroy())
}

async function execute(command: Command): Promise<Reply> {
  if ('open' in command) return openAll(command.open)
  if ('newSecret' in command) learn(command.newSecret.receiver, command.newSecret.secret)
  if ('becomeHealthy' in command) becomeHealthy()
  if (!('report' in command)) return {}
  return {
    notes,
    canary,
    mostAtOnce: [...receivers.values()].map(({ index, most }) => [index, most]),
    lateMs: Math.max(0, ticks.percentile(99) / 1e6 - TICK_MS),
  }
}

process.on('message', (command: Command) => void execute(command).then((reply) => process.send?.(reply)))
process.on('disconnect', () => process.exit(0))
