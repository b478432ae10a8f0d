import { ENDPOINTS } from '@vezne/contract'
import { listEvents as findEvents } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import { eventView } from './event-view.ts'
import { pageSize } from './fields.ts'

/** Newest first, page by page; with `after`, oldest first from there on, which is how to read the stream without a gap. */
export const listEvents = endpoint(ENDPOINTS.listEvents, {
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
    // Reading forward there is always a place to go on from, even when nothing has come yet.
    const nextCursor = after === undefined ? (found.length > size ? (last ?? null) : null) : (last ?? after)
    return { data: { events, nextCursor } }
  },
})
