import { createHmac, createSecretKey } from 'node:crypto'
import type { Random } from './random.ts'
import { workOutOnce } from './work-out-once.ts'

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

/** Kept: making a key out of bytes costs four times the signing. */
const keyOf = workOutOnce((secret) => createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64')))

function mac(secret: string, { id, timestamp, body }: WebhookParts): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest()
}
