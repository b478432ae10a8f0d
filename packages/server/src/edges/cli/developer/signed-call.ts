import type { Credentials, Vezne } from '@vezne/sdk'
import { vezne } from '@vezne/sdk'
import type { CliContext } from '../core/context.ts'
import { mustReadSandbox, WrongUsage } from '../core/context.ts'

/** Whose call it is and where it goes: the demo merchant and the running sandbox, unless told otherwise. */
export type CallOptions = { key?: string; secret?: string; url?: string }

export function credentials(context: CliContext, { key, secret }: CallOptions): Credentials {
  if (key && secret) return { apiKey: key, apiSecret: secret }
  if (key || secret) throw new WrongUsage('Give --key and --secret together, or neither.')
  return mustReadSandbox(context.readConfig()).merchant
}

export function baseUrl(context: CliContext, { url }: CallOptions): string {
  return url ?? mustReadSandbox(context.readConfig()).baseUrl
}

/** The API as a merchant's program calls it. One try: a person waits, and sees at once that no service is running. */
export function client(context: CliContext, options: CallOptions = {}): Vezne {
  return vezne({ baseUrl: baseUrl(context, options), ...credentials(context, options), maxTries: 1 })
}
