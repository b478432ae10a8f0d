import { sql } from '../../../packages/server/src/platform/postgres/sql.ts'
import type { Workers } from '../workers.ts'
import type { Note } from './note.ts'
import type { ReceiverNotes } from './receiver-processes.ts'
import type { Address, World } from './world.ts'
import type { Recorded, Writers } from './writers.ts'

export type DeliveryRow = { endpointId: string; eventId: string; state: string }
export type AttemptRow = {
  endpointId: string
  eventId: string
  number: number
  outcome: string
  status: number | null
  /** Its beginning. */
  answer: string
}
type EventRow = { id: string; transactionId: string; sequence: number; position: number | null; digest: string }

/** Everything the verdict is about, from both sides: our database, and what the receivers noted. */
export type Evidence = ReceiverNotes & {
  addresses: Address[]
  recorded: Recorded[]
  rolledBack: string[]
  events: EventRow[]
  deliveries: DeliveryRow[]
  attempts: AttemptRow[]
  /** How often an endpoint was found switched off because it had answered 410. */
  switchedOffAsGone: number
  workers: ReturnType<Workers['counts']>
  complaints: Map<string, number>
  peakMb: number | null
  stoppedAt: number[]
}

/** Asked when all workers have left: nothing is under way any more. */
export async function gatherEvidence(
  world: World,
  writers: Writers,
  workers: Workers,
  switchedOffAsGone: number,
): Promise<Evidence> {
  const { db } = world.app
  const [receiverNotes, events, deliveries, attempts] = await Promise.all([
    world.receivers.collectNotes(),
    db.query<EventRow>(sql`
      select id, transaction_id as "transactionId", sequence, position::float8,
        encode(sha256(convert_to(body, 'UTF8')), 'hex') as digest
      from events`),
    db.query<DeliveryRow>(sql`
      select endpoint_id as "endpointId", event_id as "eventId", state from deliveries
      union all
      select endpoint_id, event_id, 'delivered' from delivery_attempts a
      where not exists (
        select from deliveries d
        where d.merchant_id = a.merchant_id and d.event_id = a.event_id and d.endpoint_id = a.endpoint_id
      )
      group by endpoint_id, event_id having bool_or(outcome = 'accepted')`),
    db.query<AttemptRow>(sql`
      select endpoint_id as "endpointId", event_id as "eventId", number, outcome, status, left(answer, 40) as answer
      from delivery_attempts`),
  ])
  const { recorded, rolledBack } = writers
  return {
    ...receiverNotes,
    addresses: world.addresses,
    recorded,
    rolledBack,
    events,
    deliveries,
    attempts,
    switchedOffAsGone,
    workers: workers.counts(),
    complaints: workers.complaints(),
    peakMb: workers.peakMb(),
    stoppedAt: workers.stoppedAt(),
  }
}

/** By endpoint and event. */
export function keyOf({ endpointId, eventId }: Pick<DeliveryRow, 'endpointId' | 'eventId'>): string {
  return `${endpointId}/${eventId}`
}

export function keyOfNote({ addresses }: Pick<Evidence, 'addresses'>): (note: Note) => string {
  const endpointIds = new Map(addresses.map(({ receiver, endpointId }) => [receiver, endpointId]))
  return ({ receiver, id }) => keyOf({ endpointId: endpointIds.get(receiver) ?? '', eventId: id })
}
