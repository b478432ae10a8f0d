import { Type } from 'typebox'
import { DEPOSIT_STATUSES, listDeposits } from '../../../domain/deposits/index.ts'
import { listWithdrawals, WITHDRAWAL_STATUSES, withdrawalView } from '../../../domain/withdrawals/index.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { endpoint } from '../endpoint.ts'
import { id, instant, limit, pageSize, processId } from './fields.ts'
import { depositWithCheckout } from './transaction-view.ts'

const querystring = Type.Object(
  {
    type: Type.Optional(Type.Enum(['deposit', 'withdrawal'])),
    status: Type.Optional(Type.Enum([...new Set([...DEPOSIT_STATUSES, ...WITHDRAWAL_STATUSES])])),
    processId: Type.Optional(processId),
    from: Type.Optional(Type.String({ maxLength: 40 })),
    to: Type.Optional(Type.String({ maxLength: 40 })),
    cursor: Type.Optional(id),
    limit: Type.Optional(limit),
  },
  // A filter that is misspelt and ignored shows the wrong transactions.
  { additionalProperties: false },
)

export const listTransactions = endpoint({
  method: 'GET',
  path: '/v1/transactions',
  addresses: 'listed-if-any',
  status: 200,
  isList: true,
  schema: { querystring },
  async handle(api, { merchant, query }) {
    const size = pageSize(query.limit)
    const from = instant('from', query.from) ?? new Date(0)
    const to = instant('to', query.to) ?? new Date(8.64e15)
    const { notBefore, before } = idsBetween(from, to)
    const filter = {
      status: query.status,
      processId: query.processId,
      before: query.cursor !== undefined && query.cursor < before ? query.cursor : before,
      notBefore,
      from,
      to,
      // One more than shown tells whether there is a next page.
      limit: size + 1,
    }
    const [deposits, withdrawals] = await Promise.all([
      query.type === 'withdrawal' ? [] : listDeposits(api.db.pages, merchant.id, filter),
      query.type === 'deposit' ? [] : listWithdrawals(api.db.pages, merchant.id, filter),
    ])
    const views = [
      ...(await Promise.all(deposits.map((deposit) => depositWithCheckout(api, deposit)))),
      ...withdrawals.map(withdrawalView),
    ].toSorted((a, b) => (a.transactionId < b.transactionId ? 1 : -1))
    const transactions = views.slice(0, size)
    return { data: { transactions, nextCursor: views.length > size ? transactions.at(-1)?.transactionId : null } }
  },
})
