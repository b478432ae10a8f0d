import type { Deposit } from '../../../domain/deposits/index.ts'
import { checkoutToken } from '../../../domain/deposits/index.ts'
import type { Api } from '../endpoint.ts'
import { checkoutUrl } from './deposit.ts'

/** As in callbacks; while the customer can still pay, with the address again, for a merchant who missed the first answer. */
export async function depositWithCheckout(api: Api, deposit: Deposit) {
  const view = await api.views.deposit(deposit)
  if (deposit.status !== 'pending') return view
  return { ...view, checkoutUrl: checkoutUrl(api.publicUrl(), checkoutToken(api.checkoutKeys, deposit)) }
}
