import { parseAddress } from '../../platform/http/ip.ts'
import { Refusal } from '../../platform/refusal.ts'

/**
 * In a sandbox: a page of another site whose name was pointed at this machine (DNS rebinding) would read everything here. It can use
 * neither an address as its name, nor a name that always is this machine.
 */
export function foreignHost(host: string | undefined, publicUrl: string): Refusal | undefined {
  const name = (host ?? '').toLowerCase().replace(/:\d{1,5}$/, '')
  const isOurs = name === '' || name === 'localhost' || name.endsWith('.localhost')
  if (isOurs || parseAddress(name.replace(/^\[(.*)\]$/, '$1')) || name === new URL(publicUrl).hostname) return undefined
  return new Refusal(
    'VALIDATION_ERROR',
    'A sandbox is reached as localhost or by an IP address. For another name, set VEZNE_PUBLIC_URL to its address.',
  )
}
