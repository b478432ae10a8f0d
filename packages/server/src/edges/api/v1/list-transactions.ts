import { ENDPOINTS } from '@vezne/contract'
import { listDeposits } from '../../../domain/deposits/index.ts'
import { listWithdrawals } from '../../../domain/withdrawals/index.ts'
import { idsBetween } from '../../../platform/crypto/ids.ts'
import { route } from '../route.ts'
import { instant, pageSize } from './fields.ts'
import { depositWithCheckout } from './transaction-view.ts'

export const listTransactions = route(ENDPOINTS.listTransactions, {
  addresses: 'listed-if-any',
  isList: true,
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
      // One extra row shows whether there is a next page.
      limit: size + 1,
    }
    const [deposits, withdrawals] = await Promise.all([
      query.type === 'withdrawal' ? [] : listDeposits(api.db.pages, merchant.id, filter),
      query.type === 'deposit' ? [] : listWithdrawals(api.db.pages, merchant.id, filter),
    ])
    const views = [
      ...(await Promise.all(deposits.map((deposit) => depositWithCheckout(api, deposit)))),
      ...withdrawals.map(api.views.withdrawal),
    ].toSorted((a, b) => (a.transactionId < b.transactionId ? 1 : -1))
    const transactions = views.slice(0, size)
    return {
      data: { transactions, nextCursor: views.length > size ? (transactions.at(-1)?.transactionId ?? null) : null },
    }
  },
})
