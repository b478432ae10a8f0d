import { isLoopback } from '../../platform/postgres/database-url.ts'
import { plainUrl, shown } from '../../platform/read-setting.ts'

/** What is wrong with the address of a bank API, or null. The address is logged, and a key and payouts are sent there. */
export function bankUrlProblem(url: string, { live }: { live: boolean }): string | null {
  const parsed = plainUrl(url, ['https:', 'http:'])
  if (!parsed)
    return `is ${shown(url)}; it must be an http(s) address without user, password, query and fragment: it is logged`
  return live && parsed.protocol === 'http:' && !isLoopback(parsed.hostname)
    ? `is "${url}"; live sends a key and payouts there, so it must be an https address`
    : null
}

export function withoutEndSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
