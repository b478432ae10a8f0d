import { cancelDeposit, depositView } from '../../../domain/deposits/index.ts'
import { cancelWithdrawal, withdrawalView } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { endpoint } from '../endpoint.ts'
import { transactionId } from './fields.ts'

export const cancelTransaction = endpoint({
  method: 'POST',
  path: '/v1/transactions/:transactionId/cancel',
  addresses: 'listed-if-any',
  status: 200,
  schema: { params: transactionId },
  async handle(api, { merchant, params }) {
    const deposit = await cancelDeposit(api, merchant.id, params.transactionId)
    if (deposit) return { data: await depositView(api, deposit) }
    const withdrawal = await cancelWithdrawal(api, merchant.id, params.transactionId)
    if (withdrawal) return { data: withdrawalView(withdrawal) }
    throw new Refusal('NOT_FOUND', `There is no transaction ${params.transactionId}.`)
  },
})
