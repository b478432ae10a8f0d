import { Type } from 'typebox'
import { EVENT_TYPES, listEvents as findEvents } from '../../../domain/webhooks/index.ts'
import { findEndpoints } from '../../../domain/merchants/index.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import { eventView } from './event-view.ts'
import { id, limit, pageSize } from './fields.ts'

/** Nineteen digits would pass what PostgreSQL can hold. */
const cursor = Type.String({ pattern: '^(0|[1-9][0-9]{0,17})$', description: 'must be the cursor of an event' })

const querystring = Type.Object(
  {
    type: Type.Optional(Type.Enum([...EVENT_TYPES])),
    transactionId: Type.Optional(id),
    state: Type.Optional(Type.Enum(['waiting', 'given_up'])),
    cursor: Type.Optional(cursor),
    after: Type.Optional(cursor),
    limit: Type.Optional(limit),
  },
  { additionalProperties: false },
)

/** Newest first, page by page; with `after`, oldest first from there on, which is how to read the stream without a gap. */
export const listEvents = endpoint({
  method: 'GET',
  path: '/v1/events',
  addresses: 'listed-if-any',
  status: 200,
  isList: true,
  schema: { querystring },
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
    const nextCursor = after === undefined ? (found.length > size ? last : null) : (last ?? after)
    return { data: { events, nextCursor } }
  },
})
