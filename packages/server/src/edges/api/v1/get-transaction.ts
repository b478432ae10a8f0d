import { ENDPOINTS } from '@vezne/contract'
import { findDeposit } from '../../../domain/deposits/index.ts'
import { findWithdrawal } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { depositWithCheckout } from './transaction-view.ts'

export const getTransaction = route(ENDPOINTS.getTransaction, {
  addresses: 'listed-if-any',
  async handle(api, { merchant, params }) {
    const deposit = await findDeposit(api.db, merchant.id, params.transactionId)
    if (deposit) return { data: await depositWithCheckout(api, deposit) }
    const withdrawal = await findWithdrawal(api.db, merchant.id, params.transactionId)
    if (withdrawal) return { data: api.views.withdrawal(withdrawal) }
    throw new Refusal('NOT_FOUND', `There is no transaction ${params.transactionId}.`)
  },
})
