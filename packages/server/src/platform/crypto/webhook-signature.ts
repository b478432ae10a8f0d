import { createHmac } from 'node:crypto'
import type { Random } from './random.ts'

// Standard Webhooks: the signed text is `id.timestamp.body`, and the key is the base64 after `whsec_`. The header has
// one signature per valid secret, so that a receiver can check with either.

/** As sent: timestamp in Unix seconds, body byte for byte. */
export type WebhookParts = { id: string; timestamp: string; body: string | Buffer }

const PREFIX = 'whsec_'
const VERSION = 'v1'

export function newWebhookSecret(random: Random): string {
  return PREFIX + random.bytes(32).toString('base64')
}

/** The value of `webhook-signature`. */
export function signWebhook(secrets: string[], { id, timestamp, body }: WebhookParts): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `${VERSION},${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
    })
    .join(' ')
}
