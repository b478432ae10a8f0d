import type { Deposit } from '../../../domain/deposits/index.ts'
import { checkoutUrl } from '../../../domain/deposits/index.ts'
import type { Api } from '../route.ts'

/** Same as in callbacks. While the customer can still pay, it includes the checkout URL, for a merchant that missed the first response. */
export async function depositWithCheckout(api: Api, deposit: Deposit) {
  const view = await api.views.deposit(deposit)
  if (deposit.status !== 'pending') return view
  return { ...view, checkoutUrl: checkoutUrl(api.publicUrl(), api.checkoutKeys, deposit) }
}
