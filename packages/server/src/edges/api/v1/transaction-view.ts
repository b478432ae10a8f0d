import type { Deposit } from '../../../domain/deposits/index.ts'
import { checkoutToken } from '../../../domain/deposits/index.ts'
import type { Api } from '../route.ts'
import { checkoutUrl } from './deposit.ts'

/** Same as in callbacks. While the customer can still pay, it includes the checkout URL, for a merchant that missed the first response. */
export async function depositWithCheckout(api: Api, deposit: Deposit) {
  const view = await api.views.deposit(deposit)
  if (deposit.status !== 'pending') return view
  return { ...view, checkoutUrl: checkoutUrl(api.publicUrl(), checkoutToken(api.checkoutKeys, deposit)) }
}
