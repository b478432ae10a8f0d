import type { CallingMerchant } from '../../../domain/merchants/index.ts'
import { invalidField } from '../../../platform/refusal.ts'

/** A developer's own machine; as `URL` writes the names. */
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Only to origins that are registered for the merchant: a checkout page must not become a redirector. A sandbox has no
 * customers, so there the developer's own machine is allowed as well.
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
  // The command replaces the list, so it repeats what is registered.
  const origins = [...returnOrigins, parsed.origin].join(' ')
  const command = `npx vezne merchant brand ${merchant.demo ? 'demo' : merchant.id} --return-origin ${origins}`
  throw invalidField(
    'returnUrl',
    sandbox
      ? `${rule} or on this machine. Register ${parsed.origin} with: ${command}`
      : `${rule}. Ask the operator of this service to register it.`,
  )
}
