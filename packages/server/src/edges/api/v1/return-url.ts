import type { CallingMerchant } from '../../../domain/merchants/index.ts'
import { invalidField } from '../../../platform/refusal.ts'

/** The developer's own machine, in the forms that `URL` produces. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Only origins registered for the merchant are allowed: a checkout page must not become an open redirect. A sandbox has no customers, so it
 * also allows the developer's own machine.
 */
export function checkReturnUrl(sandbox: boolean, merchant: CallingMerchant, url: string | undefined): string | null {
  if (url === undefined) return null
  if (!/^https?:\/\//i.test(url)) throw invalidField('returnUrl', 'must begin with http:// or https://')
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || parsed.username !== '' || parsed.password !== '')
    throw invalidField('returnUrl', 'must be an http or https address without user name and password')
  const { returnOrigins } = merchant
  if (returnOrigins.includes(parsed.origin) || (sandbox && THIS_MACHINE.has(parsed.hostname))) return parsed.href
  const rule = `must lie on an origin that is registered for this account (${returnOrigins.join(', ') || 'none so far'})`
  // The command replaces the list, so it includes the registered origins.
  const origins = [...returnOrigins, parsed.origin].join(' ')
  const command = `npx vezne merchant brand ${merchant.demo ? 'demo' : merchant.id} --return-origin ${origins}`
  throw invalidField(
    'returnUrl',
    sandbox
      ? `${rule} or on this machine. Register ${parsed.origin} with: ${command}`
      : `${rule}. Ask the operator of this service to register it.`,
  )
}
