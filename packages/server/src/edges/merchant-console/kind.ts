import type { Asked as AnyAsked, Section as AnySection } from '../web/console/routes.ts'
import type { BankDirectory } from '../../domain/banks/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import type { AccountPool, CheckoutKeys, DepositViews } from '../../domain/deposits/index.ts'
import type { ErasedViews } from '../../domain/erasures/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { OutboundRules } from '../../platform/http-client/outbound.ts'
import type { ConsoleDeps } from '../web/console/site.ts'
import type { Words } from './words-tr.ts'

export type MerchantDeps = ConsoleDeps & {
  currencies: readonly string[]
  callbackRules: OutboundRules
  retainPersonalDays: number
  banks: BankDirectory
  pool: AccountPool
  checkoutKeys: CheckoutKeys
  views: DepositViews & WithdrawalViews & ErasedViews
  connections: Connection[]
}
export type MerchantKind = { app: MerchantDeps; words: Words }
export type Asked = AnyAsked<MerchantKind>
export type Section = AnySection<MerchantKind>

/** A field of the form, without spaces around it; '' if it is missing. */
export function field({ fields }: Asked, name: string): string {
  return fields.get(name)?.trim() ?? ''
}

/** The currency that a form names, if the service has it; else the first. */
export function currencyFrom({ currencies }: MerchantDeps, asked: Asked): string {
  return currencies.find((one) => one === field(asked, 'currency')) ?? currencies[0] ?? 'TRY'
}

/** An id in an address, such as that of the last row of a page. */
export function idFrom(given: unknown): string | undefined {
  return typeof given === 'string' && /^[0-9a-f]{24}$/.test(given) ? given : undefined
}

/** Everything is read for the merchant of the session: no address and no field names another one. */
export function own({ merchantId }: Pick<Asked, 'merchantId'>): string {
  if (merchantId === null) throw new Error('A session of the merchant console has no merchant.')
  return merchantId
}
