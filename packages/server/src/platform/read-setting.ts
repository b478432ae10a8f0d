import type { Network } from './http/ip.ts'
import { parseNetwork } from './http/ip.ts'
import type { TracingSettings } from './otlp.ts'

// Each function reads one setting and adds its problem to `mistakes`.

/** Reports all mistakes at once, each with its setting, so that they can be fixed in one go. */
export class SettingsError extends Error {
  constructor(mistakes: string[], options?: ErrorOptions) {
    super(['Vezne cannot run with these settings:', ...mistakes.map((mistake) => `  - ${mistake}`)].join('\n'), options)
    this.name = 'SettingsError'
  }
}

export function oneOf<Value extends string>(
  name: string,
  text: string,
  allowed: readonly Value[],
  mistakes: string[],
): Value {
  const found = allowed.find((value) => value === text)
  if (found === undefined) mistakes.push(`${name} is "${text}"; it must be one of ${allowed.join(', ')}.`)
  return found ?? (allowed[0] as Value)
}

export function readPort(name: string, text: string, mistakes: string[]): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    mistakes.push(`${name} is "${text}"; it must be a whole number from 0 to 65535.`)
  return port
}

export function readCount(name: string, text: string, mistakes: string[]): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) mistakes.push(`${name} is "${text}"; it must be a whole number from 1 to 9999999.`)
  return Number(text)
}

/** Minor units; null if it is not set. */
export function readAmount(name: string, text: string | undefined, mistakes: string[]): bigint | null {
  if (text === undefined) return null
  if (/^\d{1,15}$/.test(text)) return BigInt(text)
  mistakes.push(`${name} is "${text}"; it must be a whole number of kuruş, such as 100000 for 1.000,00 TL.`)
  return null
}

export function readDrain(text: string, mistakes: string[]): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > 60)
    mistakes.push(`VEZNE_DRAIN_SECONDS is "${text}"; it must be a whole number from 0 to 60.`)
  return Number(text)
}

/** At least 31 days, because deliveries are tried for thirty. */
export function readDays(name: string, text: string, mistakes: string[]): number {
  if (!/^\d{2,5}$/.test(text) || Number(text) < 31)
    mistakes.push(`${name} is "${text}"; it must be a whole number from 31 to 99999.`)
  return Number(text)
}

export function readNetworks(text: string | undefined, mistakes: string[]): Network[] {
  return (text?.split(',') ?? []).flatMap((part) => {
    const network = parseNetwork(part.trim())
    if (!network)
      mistakes.push(`VEZNE_TRUSTED_PROXIES holds "${part.trim()}"; use addresses or CIDR networks such as 10.0.0.0/8.`)
    return network ?? []
  })
}

export function readCurrencies(text: string, mistakes: string[]): string[] {
  const currencies = text.split(',').map((currency) => currency.trim())
  if (!currencies.every((currency) => /^[A-Z]{3}$/.test(currency))) {
    mistakes.push(`VEZNE_CURRENCIES is "${text}"; use three-letter codes such as TRY,EUR.`)
  }
  if (new Set(currencies).size < currencies.length)
    mistakes.push(`VEZNE_CURRENCIES is "${text}"; it names a currency twice.`)
  return currencies
}

/** An address of one of these protocols without user, password, query and fragment, or null. */
export function plainUrl(text: string, protocols: string[]): URL | null {
  const url = URL.parse(text)
  if (!url || !protocols.includes(url.protocol)) return null
  return url.username || url.password || url.search || url.hash ? null : url
}

/** The value of a setting for a message; never a password. */
export function shown(text: string): string {
  return text.includes('@') ? 'an address with a user or password' : `"${text}"`
}

export const KEY_HINT = 'make one with: openssl rand -hex 32'

export function readKey(name: string, text: string | undefined, mistakes: string[]): Buffer | null {
  if (text === undefined) return null
  if (!/^[0-9a-fA-F]{64}$/.test(text)) mistakes.push(`${name} must be 64 hex characters; ${KEY_HINT}`)
  else if (new Set(text.toLowerCase()).size < 8) mistakes.push(`${name} is too regular to be random; ${KEY_HINT}`)
  return Buffer.from(text, 'hex')
}

type TracingSetting =
  | 'VEZNE_TRACING'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER_ARG'

export function readTracing(
  get: (name: TracingSetting) => string | undefined,
  mistakes: string[],
): TracingSettings | null {
  const endpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  const defaultMode = endpoint === undefined ? 'off' : 'otlp'
  if (oneOf('VEZNE_TRACING', get('VEZNE_TRACING') ?? defaultMode, ['off', 'otlp'], mistakes) === 'off') return null
  const url = endpoint === undefined ? null : URL.parse(endpoint)
  // Not quoted in the message: it may contain a password.
  if (endpoint !== undefined && (!url || !/^https?:$/.test(url.protocol) || url.username || url.password))
    mistakes.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) address without user and password; put credentials into OTEL_EXPORTER_OTLP_HEADERS.',
    )
  const ratio = Number(get('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  if (!(ratio >= 0 && ratio <= 1)) mistakes.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  const pairs = get('OTEL_EXPORTER_OTLP_HEADERS')?.split(',') ?? []
  if (!pairs.every((pair) => /^\s*[\w-]+=[^\r\n]*$/.test(pair)))
    mistakes.push('OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value.')
  const headers = pairs.map((pair) => [
    pair.slice(0, pair.indexOf('=')).trim(),
    pair.slice(pair.indexOf('=') + 1).trim(),
  ])
  return {
    endpoint: (endpoint ?? 'http://localhost:4318').replace(/\/+$/, ''),
    headers: Object.fromEntries(headers) as Record<string, string>,
    service: get('OTEL_SERVICE_NAME') ?? 'vezne',
    ratio,
  }
}
