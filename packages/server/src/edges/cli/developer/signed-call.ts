import type { Credentials, Vezne } from '@vezne/sdk'
import { vezne } from '@vezne/sdk'
import type { CliContext } from '../core/context.ts'
import { mustReadSandbox, WrongUsage } from '../core/context.ts'

/** Credentials and target of a call: the demo merchant and the running sandbox by default. */
export type CallOptions = { key?: string; secret?: string; url?: string }

export function credentials(context: CliContext, { key, secret }: CallOptions): Credentials {
  if (key && secret) return { apiKey: key, apiSecret: secret }
  if (key || secret) throw new WrongUsage('Give --key and --secret together, or neither.')
  return mustReadSandbox(context.readConfig()).merchant
}

export function baseUrl(context: CliContext, { url }: CallOptions): string {
  return url ?? mustReadSandbox(context.readConfig()).baseUrl
}

/** The API as a merchant's program calls it. One attempt: a user is waiting, and sees at once that no service is running. */
export function client(context: CliContext, options: CallOptions = {}): Vezne {
  return vezne({ baseUrl: baseUrl(context, options), ...credentials(context, options), maxTries: 1 })
}
