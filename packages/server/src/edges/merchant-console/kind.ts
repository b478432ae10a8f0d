import type { Asked as AnyAsked, Section as AnySection } from '../web/console/routes.ts'
import type { OutboundRules } from '../../platform/http-client/outbound.ts'
import type { ConsoleDeps } from '../web/console/site.ts'
import type { Words } from './words-tr.ts'

export type MerchantDeps = ConsoleDeps & { currencies: readonly string[]; callbackRules: OutboundRules }
export type MerchantKind = { app: MerchantDeps; words: Words }
export type Asked = AnyAsked<MerchantKind>
export type Section = AnySection<MerchantKind>

/** Everything is read for the merchant of the session: no address and no field names another one. */
export function own({ merchantId }: Asked): string {
  if (merchantId === null) throw new Error('A session of the merchant console has no merchant.')
  return merchantId
}
