import { ENDPOINTS } from '@vezne/contract'
import { mustNotBeFrozen, NO_FEE_TERMS } from '../../../domain/merchants/index.ts'
import { refundDeposit } from '../../../domain/withdrawals/index.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { route } from '../route.ts'
import { createdView } from './withdraw.ts'

export const refundTransaction = route(ENDPOINTS.refundTransaction, {
  addresses: 'listed',
  guardedByProcessId: true,
  async handle(api, { merchant, actor, signature, params, body }) {
    mustNotBeFrozen(merchant)
    const { transactionId: refundOf } = params
    const { amount, iban, ...given } = body
    const refund = await refundDeposit(api, actor, refundOf, {
      ...given,
      ...(amount !== undefined && { amount: BigInt(amount) }),
      ...(iban !== undefined && { iban: normaliseIban(iban) }),
      feeTerms: merchant.refundsCharged ? merchant.fees : NO_FEE_TERMS,
      signature,
    })
    return { data: { ...createdView(refund), refundOf } }
  },
})
