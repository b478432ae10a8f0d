import type { VezneEvent } from '@vezne/sdk'
import { realClock, unixSeconds } from '../../../../platform/time/clock.ts'
import { signWebhook } from '../../../../platform/crypto/webhook-signature.ts'

/** `text` is the body, or without a status the reason. `refused`: the receiver had the event and did not accept it. */
export type Answer = { accepted: boolean; refused: boolean; status: number | null; text: string }

/** What a callback is given, too. */
const ANSWER_WITHIN_MS = 15_000
/** Of an answer, enough to see what its program means. */
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

/** The status decides: a body that breaks off or never ends does not change it. */
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
    // What has arrived is shown.
  }
  return Buffer.concat(chunks).toString()
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}
