import { findDeposit } from '../../../domain/deposits/index.ts'
import { findWithdrawal, withdrawalView } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import { transactionId } from './fields.ts'
import { depositWithCheckout } from './transaction-view.ts'

export const getTransaction = endpoint({
  method: 'GET',
  path: '/v1/transactions/:transactionId',
  addresses: 'listed-if-any',
  status: 200,
  schema: { params: transactionId },
  async handle(api, { merchant, params }) {
    const deposit = await findDeposit(api.db, merchant.id, params.transactionId)
    if (deposit) return { data: await depositWithCheckout(api, deposit) }
    const withdrawal = await findWithdrawal(api.db, merchant.id, params.transactionId)
    if (withdrawal) return { data: withdrawalView(withdrawal) }
    throw new Refusal('NOT_FOUND', `There is no transaction ${params.transactionId}.`)
  },
})
