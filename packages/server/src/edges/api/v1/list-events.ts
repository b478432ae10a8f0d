import { ENDPOINTS } from '@vezne/contract'
import { listEvents as findEvents } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { eventView } from './event-view.ts'
import { pageSize } from './fields.ts'

/** Newest first, in pages; with `after`, oldest first from that cursor, which reads the stream without gaps. */
export const listEvents = route(ENDPOINTS.listEvents, {
  addresses: 'listed-if-any',
  isList: true,
  async handle({ db }, { merchant, query }) {
    if (query.cursor !== undefined && query.after !== undefined)
      throw invalidField('after', 'reads forward and cursor backward: send one of them')
    const size = pageSize(query.limit)
    const { type, transactionId, state, cursor: before, after } = query
    const filter = { type, transactionId, state, before, after, limit: size + 1 }
    const [found, endpoints] = await Promise.all([
      findEvents(db.pages, merchant.id, filter),
      findEndpoints(db, [merchant.id]),
    ])
    const events = found.slice(0, size).map((event) => eventView(event, endpoints))
    const last = events.at(-1)?.cursor
    // When reading forward there is always a next cursor, even if there are no new events yet.
    const nextCursor = after === undefined ? (found.length > size ? (last ?? null) : null) : (last ?? after)
    return { data: { events, nextCursor } }
  },
})
