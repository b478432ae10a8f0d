import { resolve } from 'node:path'
import type { VezneAccess } from './shop/vezne-client.ts'

export type Settings = {
  host: string
  port: number
  dataFolder: string
  bankKey: string
  /** Address of the simulator for browsers, if it differs from the listening address. */
  publicUrl: string | null
  vezne: VezneAccess | null
  checkoutOrigins: string[]
  callbackSecret: string | null
}

export class SettingsError extends Error {}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const get = (name: string) => env[name]?.trim() || null
  const port = get('PORT') ?? '0'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new SettingsError(`PORT is "${port}"; use 0 to 65535.`)
  const bankKey = get('SIMULATOR_KEY')
  if (bankKey === null) throw new SettingsError('SIMULATOR_KEY is missing: the key of the bank API.')
  const [baseUrl, apiKey, apiSecret] = [address(get, 'VEZNE_URL'), get('VEZNE_API_KEY'), get('VEZNE_API_SECRET')]
  const publicUrls = [baseUrl, address(get, 'VEZNE_PUBLIC_URL')].filter((one) => one !== null)
  return {
    host: get('HOST') ?? '127.0.0.1',
    port: Number(port),
    dataFolder: resolve(get('SIMULATOR_DATA') ?? '.simulator'),
    bankKey,
    publicUrl: address(get, 'SIMULATOR_PUBLIC_URL'),
    vezne: baseUrl !== null && apiKey !== null && apiSecret !== null ? { baseUrl, apiKey, apiSecret } : null,
    checkoutOrigins: [...new Set(publicUrls.map((one) => new URL(one).origin))],
    callbackSecret: get('VEZNE_CALLBACK_SECRET'),
  }
}

function address(get: (name: string) => string | null, name: string): string | null {
  const value = get(name)
  if (value === null) return null
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new SettingsError(`${name} is "${value}"; it must be an http address.`)
  }
  return value.replace(/\/+$/, '')
}
