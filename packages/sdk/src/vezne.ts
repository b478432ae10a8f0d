import { openCalls } from './call.ts'
import { pathOf } from './path-of.ts'
import type { VezneOptions } from './settings.ts'
import { readOptions } from './settings.ts'
import { createOnce, transactionsOf } from './transactions.ts'
import type {
  Balance,
  Bank,
  CreatedRefund,
  EventFilter,
  EventPage,
  Instructions,
  PageOf,
  RefundRequest,
  Transaction,
  TransactionFilter,
  TransactionPage,
  VezneEvent,
  VezneEventWithAttempts,
} from './types.ts'

/** The largest page, for the fewest calls. */
const PAGE_SIZE = 100

export type Vezne = ReturnType<typeof vezne>

/** The API client of one merchant. */
export function vezne(options: VezneOptions) {
  const call = openCalls(readOptions(options))

  const transactionPage = (query: PageOf<TransactionFilter> = {}) =>
    call<TransactionPage>('GET', '/v1/transactions', { query })
  const eventPage = (query: PageOf<EventFilter> = {}) => call<EventPage>('GET', '/v1/events', { query })

  return {
    banks: {
      /** The banks a customer may pay from, FAST first. */
      list: async () => (await call<{ banks: Bank[] }>('GET', '/v1/available-banks')).banks,
    },
    deposits: {
      ...transactionsOf(call, 'deposit'),
      /** While it can be paid: what the customer has to do, as text. */
      instructions: async (id: string, query: { language?: 'tr' | 'en' } = {}) =>
        call<Instructions>('GET', pathOf`/v1/transactions/${id}/instructions`, { query }),
      /** Sends money of a completed deposit back to its sender, as a withdrawal. Safe to repeat with the same fields, as `create` is. */
      refund: async (id: string, request: RefundRequest) =>
        createOnce<CreatedRefund>(call, pathOf`/v1/transactions/${id}/refund`, request),
    },
    withdrawals: transactionsOf(call, 'withdrawal'),
    transactions: {
      get: async (id: string) => call<Transaction>('GET', pathOf`/v1/transactions/${id}`),
      page: transactionPage,
      /** All matches, newest first; pages are loaded as they are read. */
      async *list(filter: TransactionFilter = {}): AsyncGenerator<Transaction, void, void> {
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page: TransactionPage = await transactionPage({
            ...filter,
            limit: PAGE_SIZE,
            ...(cursor !== undefined && { cursor }),
          })
          yield* page.transactions
          cursor = page.nextCursor
        }
      },
    },
    balance: {
      get: (query: { currency?: string } = {}) => call<Balance>('GET', '/v1/balance', { query }),
    },
    events: {
      get: async (id: string) => call<VezneEventWithAttempts>('GET', pathOf`/v1/events/${id}`),
      page: eventPage,
      /** Newest first; with `after` oldest first. Store the last event's `cursor` to continue later. */
      async *list({ after, ...filter }: EventFilter = {}): AsyncGenerator<VezneEvent, void, void> {
        const place = after === undefined ? 'cursor' : 'after'
        for (let cursor: string | null | undefined = after; cursor !== null;) {
          const page: EventPage = await eventPage({
            ...filter,
            limit: PAGE_SIZE,
            ...(cursor !== undefined && { [place]: cursor }),
          })
          yield* page.events
          // With `after` there is always a next cursor: an empty page is the end.
          cursor = page.events.length === 0 ? null : page.nextCursor
        }
      },
      /** Sends it again to every endpoint that had it, or to one. Returns the number of endpoints. */
      resend: async (id: string, query: { endpointId?: string } = {}) =>
        call<{ deliveries: number }>('POST', pathOf`/v1/events/${id}/resend`, { query }),
      /** Sends again what was given up or has only failed since then. */
      resendFailed: (body: { since: string | Date }) =>
        call<{ deliveries: number }>('POST', '/v1/events/resend', { body }),
    },
  }
}
