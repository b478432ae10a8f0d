import { setTimeout } from 'node:timers/promises'
import type { Transaction } from '@vezne/sdk'
import type { EventWithDeliveries } from '../../../domain/webhooks/index.ts'
import { listEvents } from '../../../domain/webhooks/index.ts'
import { istanbulTime } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { CliApp } from '../core/context.ts'

type Scene = { app: Pick<CliApp, 'db'>; merchantId: string }

/** What became of the callback of an event at one endpoint; `status` is that of the last response. */
type Callback = { endpointId: string; state: string; status: number | null }

/** One line of a story. `at` is business time. Only an event has the fields after `status`. */
export type Step = {
  at: string
  what: string
  status?: string | undefined
  event?: string
  eventId?: string
  sequence?: number
  callbacks?: Callback[]
}

export const LOOK_EVERY_MS = 100

/** A receiver on this machine responds within a second; who waits longer sees that the callback waits. */
const CALLBACK_WITHIN_MS = 5000

/** The recorded event: what it said at its time, and whether its callback has arrived. More may have happened since. */
export async function describeEvent(
  scenario: Scene,
  seen: Transaction,
  { type, sequence }: { type: string; sequence: number },
): Promise<Omit<Step, 'at'>> {
  const event = await sentEvent(scenario, seen.transactionId, sequence)
  // Listed a moment after it is recorded, by the workers.
  if (!event) return { what: explain(seen), status: seen.status, event: type, sequence }
  const { data } = JSON.parse(event.body) as { data: Transaction }
  const callbacks = event.deliveries.map(({ endpointId, state, lastStatus }) => {
    return { endpointId, state, status: lastStatus }
  })
  return { what: explain(data), status: data.status, event: type, eventId: event.id, sequence, callbacks }
}

async function sentEvent(
  { app, merchantId }: Scene,
  transactionId: string,
  sequence: number,
): Promise<EventWithDeliveries | undefined> {
  const deadline = performance.now() + CALLBACK_WITHIN_MS
  for (;;) {
    const events = await listEvents(app.db, merchantId, { transactionId, limit: 100 })
    const event = events.find((one) => one.sequence === sequence)
    const isSent = event?.deliveries.every(({ state, tries }) => tries > 0 || state === 'behind')
    if (isSent || performance.now() > deadline) return event
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** What the event means for the merchant, in one line. */
function explain(data: Transaction): string {
  return data.type === 'deposit' ? explainDeposit(data) : explainWithdrawal(data)
}

function explainDeposit({ status, currency, flags, reason, ...data }: Transaction & { type: 'deposit' }): string {
  const money = (amount: number) => formatMoney(BigInt(amount), currency)
  const words: Record<typeof status, string> = {
    pending: 'waits for the money',
    processing: `${money(data.receivedAmount)} of ${money(data.amount)} are held`,
    completed: `${money(data.receivedAmount)} credited${flags.includes('duplicate') ? ' once; the second payment is not' : ''}`,
    failed: 'the money was not accepted; it waits in suspense to be sent back',
    expired: 'nobody has paid in time; money that comes later still counts',
    cancelled: 'cancelled; nobody has paid',
  }
  const remarks = [...flags, ...(reason ? [reason] : [])]
  return remarks.length > 0 ? `${words[status]} (${remarks.join(', ')})` : words[status]
}

function explainWithdrawal({ status, returned, failureReason, scheduledFor }: Transaction & { type: 'withdrawal' }) {
  if (returned) return 'the money has come back, and is available again'
  const words: Record<typeof status, string> = {
    pending: scheduledFor ? `waits until ${scheduledFor}` : 'waits to be sent',
    processing: 'the bank has the order',
    completed: 'the bank has sent it',
    failed: `not sent (${failureReason}); the money is available again`,
  }
  return words[status]
}

/** 10:38:25  completed  1.250,00 TL credited → deposit.completed #1, callback delivered (200). Time of Istanbul. */
export function lineOf({ at, what, status = '', event, sequence, callbacks }: Step): string {
  const time = istanbulTime(new Date(at)).slice(11)
  const told = event && ` → ${event} #${sequence}, ${callbackWords(callbacks)}`
  return `${time}  ${status.padEnd(10)}  ${what}${told ?? ''}`
}

function callbackWords(callbacks: Callback[] | undefined): string {
  if (!callbacks) return 'callback waits for the workers (npx vezne up)'
  const words = callbacks.map(({ state, status }) => {
    if (state === 'delivered') return `callback delivered (${status})`
    if (state === 'behind') return 'callback waits for the one before it'
    return status === null ? 'callback waits' : `callback refused (${status}), is sent again`
  })
  return words.join(', ') || 'no endpoint'
}
