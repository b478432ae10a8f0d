import { ENDPOINTS } from '@vezne/contract'
import { findDeposit, checkoutUrl, isShort, payableUntil } from '../../../domain/deposits/index.ts'
import { findMerchant } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { route } from '../route.ts'
import { instructions } from '../views/instructions.ts'

/** The words of a payment for an e-mail or a message, which the merchant sends. */
export const getInstructions = route(ENDPOINTS.getInstructions, {
  addresses: 'listed-if-any',
  async handle(api, { merchant, params, query }) {
    const deposit = await findDeposit(api.db, merchant.id, params.transactionId)
    if (!deposit) throw new Refusal('NOT_FOUND', `There is no deposit ${params.transactionId}.`)
    const isOpen = (deposit.status === 'pending' || isShort(deposit)) && payableUntil(deposit) > api.clock.now()
    if (!isOpen) throw new Refusal('INVALID_STATE', 'Nothing is to be paid for this deposit any more.')
    const [{ brand }, account] = await Promise.all([
      findMerchant(api, merchant.id),
      deposit.collectingAccountId === null ? undefined : api.banks.account(deposit.collectingAccountId),
    ])
    const language = query.language ?? deposit.language
    const url = checkoutUrl(api.publicUrl(), api.checkoutKeys, deposit)
    const shown = account?.state === 'blocked' ? undefined : account
    const text = instructions(language, { deposit, account: shown, shop: brand.displayName, url })
    return { data: { transactionId: deposit.id, language, text } }
  },
})
