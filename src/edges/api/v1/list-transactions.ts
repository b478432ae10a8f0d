import { Type } from 'typebox'
import { DEPOSIT_STATUSES, listDeposits } from '../../../domain/deposits/index.ts'
import { listWithdrawals, WITHDRAWAL_STATUSES, withdrawalView } from '../../../domain/withdrawals/index.ts'
import { firstIdOfSecond, ID_PATTERN } from '../../../platform/ids.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import { processId } from './fields.ts'
import { depositWithCheckout } from './transaction-view.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
const AFTER_EVERY_ID = 'g'

const querystring = Type.Object(
  {
    type: Type.Optional(Type.Enum(['deposit', 'withdrawal'])),
    status: Type.Optional(Type.Enum([...new Set([...DEPOSIT_STATUSES, ...WITHDRAWAL_STATUSES])])),
    processId: Type.Optional(processId),
    from: Type.Optional(Type.String({ maxLength: 40 })),
    to: Type.Optional(Type.String({ maxLength: 40 })),
    cursor: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  },
  // A filter that is misspelt and ignored shows the wrong transactions.
  { additionalProperties: false },
)

export const listTransactions = endpoint({
  method: 'GET',
  path: '/v1/transactions',
  addresses: 'listed-if-any',
  status: 200,
  schema: { querystring },
  async handle(api, { merchant, query }) {
    const limit = Number(query.limit ?? DEFAULT_LIMIT)
    if (limit > MAX_LIMIT) throw invalidField('limit', `must be at most ${MAX_LIMIT}`)
    const from = instant('from', query.from) ?? new Date(0)
    const filter = {
      status: query.status,
      processId: query.processId,
      before: query.cursor ?? AFTER_EVERY_ID,
      notBefore: firstIdOfSecond(Math.floor(from.getTime() / 1000)),
      from,
      to: instant('to', query.to) ?? new Date(8.64e15),
      // One more than shown tells whether there is a next page.
      limit: limit + 1,
    }
    const [deposits, withdrawals] = await Promise.all([
      query.type === 'withdrawal' ? [] : listDeposits(api.db, merchant.id, filter),
      query.type === 'deposit' ? [] : listWithdrawals(api.db, merchant.id, filter),
    ])
    const views = [
      ...(await Promise.all(deposits.map((deposit) => depositWithCheckout(api, deposit)))),
      ...withdrawals.map(withdrawalView),
    ].toSorted((a, b) => (a.transactionId < b.transactionId ? 1 : -1))
    const transactions = views.slice(0, limit)
    return { data: { transactions, nextCursor: views.length > limit ? transactions.at(-1)?.transactionId : null } }
  },
})

/** ISO 8601 with its zone: a local time would mean something else on every machine. */
function instant(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ||
    Number.isNaN(date.getTime())
  ) {
    throw invalidField(field, 'must be a time such as 2026-11-15T09:00:00Z')
  }
  return date
}
