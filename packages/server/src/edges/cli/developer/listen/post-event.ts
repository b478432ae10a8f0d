import type { VezneEvent } from '@vezne/sdk'
import { realClock, unixSeconds } from '../../../../platform/time/clock.ts'
import { signWebhook } from '../../../../platform/crypto/webhook-signature.ts'

/** `text` is the body, or without a status the reason. `refused`: the receiver got the event and did not accept it. */
export type Answer = { accepted: boolean; refused: boolean; status: number | null; text: string }

/** The same timeout as for a callback. */
const ANSWER_WITHIN_MS = 15_000
/** Enough of a response to see what the receiver reports. */
const MAX_BYTES = 4096
const MAX_SHOWN = 200

export async function postEvent(url: string, secret: string, { eventId, payload }: VezneEvent): Promise<Answer> {
  const timestamp = String(unixSeconds(realClock))
  const signature = signWebhook([secret], { id: eventId, timestamp, body: payload })
  const headers = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const { ok, status } = response
    return { accepted: ok, refused: !ok, status, text: shown(await beginningOf(response)) }
  } catch (error) {
    const { name, message, cause } = error as Error
    const text = shown((cause as Error | undefined)?.message ?? message)
    return { accepted: false, refused: name === 'TimeoutError', status: null, text }
  }
}

/** Only the status matters: a body that is cut off or never ends does not change it. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= MAX_BYTES) break
    }
  } catch {
    // Show what has arrived.
  }
  return Buffer.concat(chunks).toString()
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}
