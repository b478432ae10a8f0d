import { createHmac } from 'node:crypto'
import type { Random } from './random.ts'

// Standard Webhooks: the signed text is `id.timestamp.body`, the key is what stands behind `whsec_` in base64, and the
// header lists one signature per live secret, so that a receiver with either of them can check.

/** As sent: the timestamp in Unix seconds, the body byte for byte. */
export type WebhookParts = { id: string; timestamp: string; body: string }

const PREFIX = 'whsec_'
const VERSION = 'v1'

export function newWebhookSecret(random: Random): string {
  return PREFIX + random.bytes(32).toString('base64')
}

/** The value of `webhook-signature`. */
export function signWebhook(secrets: string[], parts: WebhookParts): string {
  return secrets.map((secret) => `${VERSION},${mac(secret, parts).toString('base64')}`).join(' ')
}

function mac(secret: string, { id, timestamp, body }: WebhookParts): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}
