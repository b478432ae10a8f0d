import { ENDPOINTS } from '@vezne/contract'
import { cancelDeposit } from '../../../domain/deposits/index.ts'
import { cancelWithdrawal } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'

export const cancelTransaction = route(ENDPOINTS.cancelTransaction, {
  addresses: 'listed-if-any',
  async handle(api, { actor, params }) {
    const deposit = await cancelDeposit(api, actor, params.transactionId)
    if (deposit) return { data: await api.views.deposit(deposit) }
    const withdrawal = await cancelWithdrawal(api, actor, params.transactionId)
    if (withdrawal) return { data: api.views.withdrawal(withdrawal) }
    throw new Refusal('NOT_FOUND', `There is no transaction ${params.transactionId}.`)
  },
})
