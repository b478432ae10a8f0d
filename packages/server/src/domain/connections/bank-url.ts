import { isLoopback } from '../../platform/postgres/database-url.ts'
import { plainUrl } from '../../platform/read-setting.ts'

export type BankUrlFault = 'bank_address_wrong' | 'bank_address_not_https'

/** What is wrong with the address of a bank API, or null. The address is logged, and a key and payouts are sent there. */
export function bankUrlFault(url: string, { live }: { live: boolean }): BankUrlFault | null {
  const parsed = plainUrl(url, ['https:', 'http:'])
  if (!parsed) return 'bank_address_wrong'
  return live && parsed.protocol === 'http:' && !isLoopback(parsed.hostname) ? 'bank_address_not_https' : null
}

export function withoutEndSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
