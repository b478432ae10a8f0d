import { createHmac } from 'node:crypto'
import { signWebhook } from '../../../../platform/crypto/webhook-signature.ts'
import type { Difference } from './body-differences.ts'
import { bodyDifferences, firstDifference, visible } from './body-differences.ts'
import { asSent, rewrittenBodies } from './rewritten-bodies.ts'
import type { FormMistake } from './signature-form.ts'
import { FORM_MISTAKES, signatureForm } from './signature-form.ts'
import type { KeyMistake, TextMistake } from './signed-texts.ts'
import { otherKeys, otherTexts, PREFIX } from './signed-texts.ts'

/** A callback as the receiver got it. A header that did not arrive is the empty string. */
export type Callback = { id: string; timestamp: string; signature: string; body: Buffer }

export type Mistake =
  | 'header_missing'
  | 'secret_malformed'
  | 'signature_malformed'
  | 'timestamp_malformed'
  | 'timestamp_milliseconds'
  | 'timestamp_old'
  | 'timestamp_future'
  | 'body_rewritten'
  | 'body_empty'
  | 'body_not_json'
  | 'wrong_secret'
  | 'wrong_secret_or_body'
  | FormMistake
  | TextMistake
  | KeyMistake

type Finding = { mistake: Mistake; explanation: string; differences?: Difference[] }

export type Verdict = {
  valid: boolean
  /** Regardless of the timestamp. */
  signatureRight: boolean
  /** Which signature in the header matches, counted from 1. */
  matched: number | null
  signatures: number
  ageSeconds: number | null
  mistakes: Finding[]
  /** The signed text and the expected signature; null while a part is missing. */
  signedText: string | null
  expected: string | null
}

/** Receivers refuse timestamps further off than this, so that no one can replay an old callback. */
const WINDOW_SECONDS = 300
const SECRET_BYTES = 32
/** No callback is longer; searching a longer body would be wasted work. */
const LONGEST_BODY = 65_536

/** Verifies a callback as a receiver should, and names what is wrong with it or with how it was verified. */
export function explainWebhook(secret: string, callback: Callback, now: Date): Verdict {
  const { id, timestamp, signature, body } = callback
  const entries = signature.split(/\s+/).filter((entry) => entry !== '')
  const time = checkTime(timestamp, now)
  const unusable = [...missingHeaders(callback), ...secretMistakes(secret)]
  const counted = { signatures: entries.length, ageSeconds: time.ageSeconds }
  if (unusable.length > 0) {
    const mistakes = [...unusable, ...time.mistakes]
    return {
      valid: false,
      signatureRight: false,
      matched: null,
      ...counted,
      mistakes,
      signedText: null,
      expected: null,
    }
  }
  const whole = secret.startsWith(PREFIX) ? secret : PREFIX + secret
  const text = body.toString()
  const expected = signWebhook([whole], { id, timestamp, body: text })
  const matched = entries.indexOf(expected) + 1
  const wrong = matched > 0 ? [] : (explainSignature(whole, callback, entries) ?? guess(whole, text, entries))
  return {
    valid: matched > 0 && time.mistakes.length === 0,
    signatureRight: matched > 0,
    matched: matched || null,
    ...counted,
    mistakes: [...wrong, ...time.mistakes],
    signedText: `${id}.${timestamp}.${text}`,
    expected,
  }
}

function missingHeaders({ id, timestamp, signature }: Callback): Finding[] {
  const names = Object.entries({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature })
  return names
    .filter(([, value]) => value.trim() === '')
    .map(([name]) => {
      const explanation = `${name} is missing. Every callback has it: see what a proxy or framework does to headers.`
      return { mistake: 'header_missing' as const, explanation }
    })
}

function secretMistakes(secret: string): Finding[] {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(base64) && base64.length % 4 === 0) return []
  const hint = /^v[sk]_/.test(secret)
    ? 'This is from the credentials of the API; callbacks are signed with the secret of the endpoint, whsec_….'
    : 'The secret is not "whsec_" and base64: characters are missing, or were added around it.'
  return [{ mistake: 'secret_malformed', explanation: hint }]
}

function checkTime(timestamp: string, now: Date): { ageSeconds: number | null; mistakes: Finding[] } {
  if (timestamp.trim() === '') return { ageSeconds: null, mistakes: [] }
  if (!/^\d{1,13}$/.test(timestamp)) {
    const explanation = `webhook-timestamp is "${timestamp}"; it must be Unix time in whole seconds.`
    return { ageSeconds: null, mistakes: [{ mistake: 'timestamp_malformed', explanation }] }
  }
  const milliseconds = timestamp.length === 13
  const seconds = milliseconds ? Math.floor(Number(timestamp) / 1000) : Number(timestamp)
  const ageSeconds = Math.floor(now.getTime() / 1000) - seconds
  const mistakes: Finding[] = []
  if (milliseconds) {
    const explanation = 'webhook-timestamp is in milliseconds; it must be in seconds.'
    mistakes.push({ mistake: 'timestamp_milliseconds', explanation })
  }
  if (Math.abs(ageSeconds) > WINDOW_SECONDS) mistakes.push(outsideOfWindow(ageSeconds))
  return { ageSeconds, mistakes }
}

function outsideOfWindow(ageSeconds: number): Finding {
  const limit = `receivers refuse more than ${WINDOW_SECONDS} s`
  if (ageSeconds < 0) {
    const explanation = `webhook-timestamp is ${-ageSeconds} s ahead of the clock here; ${limit}. Set the clock right.`
    return { mistake: 'timestamp_future', explanation }
  }
  const explanation =
    `webhook-timestamp is ${ageSeconds} s old; ${limit}. ` +
    'A callback that was kept gets old, which is no fault; if it has just arrived, set the clock right.'
  return { mistake: 'timestamp_old', explanation }
}

/** `signed` is the body that was signed, if it differs from the received one. */
type Candidate = { findings: Finding[]; key: Buffer; text: string; signed?: string }

/** The smallest set of mistakes that leads to one of these signatures; null if no common mistake does. */
function explainSignature(secret: string, callback: Callback, entries: string[]): Finding[] | null {
  for (const { findings, key, text, signed } of candidates(secret, callback)) {
    const digest = createHmac('sha256', key).update(text).digest()
    const form = entries.map((entry) => signatureForm(entry, digest)).find((found) => found !== null)
    if (!form) continue
    return [
      ...findings,
      ...(signed === undefined ? [] : [rewrittenFinding(callback.body.toString(), signed)]),
      ...(form === 'right' ? [] : [{ mistake: form, explanation: FORM_MISTAKES[form] }]),
    ]
  }
  return null
}

/** First the correct text and key, then one mistake, then two: in key, text and body. */
function* candidates(secret: string, { id, timestamp, body }: Callback): Generator<Candidate> {
  const given = body.toString()
  const write = (parts: { id: string; timestamp: string; body: string }) =>
    `${parts.id}.${parts.timestamp}.${parts.body}`
  const rightKey = { findings: [], key: Buffer.from(secret.slice(PREFIX.length), 'base64') }
  const rightText = { findings: [], write }
  const keys = otherKeys(secret).map(({ key, ...finding }) => ({ findings: [finding], key }))
  const texts = otherTexts(given).map(({ write, ...finding }) => ({ findings: [finding], write }))
  const one = (
    { key, findings }: { key: Buffer; findings: Finding[] },
    text: { write: typeof write; findings: Finding[] },
    signed?: string,
  ): Candidate => ({
    findings: [...findings, ...text.findings],
    key,
    text: text.write({ id, timestamp, body: signed ?? given }),
    ...(signed !== undefined && { signed }),
  })
  yield one(rightKey, rightText)
  for (const key of keys) yield one(key, rightText)
  for (const text of texts) yield one(rightKey, text)
  if (body.length > LONGEST_BODY) return
  const bodies = rewrittenBodies(body)
  for (const signed of bodies) yield one(rightKey, rightText, signed)
  for (const key of keys) for (const text of texts) yield one(key, text)
  for (const signed of bodies) {
    for (const key of keys) yield one(key, rightText, signed)
    for (const text of texts) yield one(rightKey, text, signed)
  }
}

function rewrittenFinding(body: string, signed: string): Finding {
  const { names, words } = bodyDifferences(body, signed)
  const place = firstDifference(body, signed)
  const explanation =
    `The body is not byte for byte the signed one: ${words}. The first difference is at character ${place.at}: ` +
    `${visible(place.body)} was signed as ${visible(place.signed)}. ` +
    'Check the bytes as they arrived, before anything parses them.'
  return { mistake: 'body_rewritten', explanation, differences: names }
}

/** No common mistake explains it. What is known still shows where to look first. */
function guess(secret: string, body: string, entries: string[]): Finding[] {
  const length = Buffer.from(secret.slice(PREFIX.length), 'base64').length
  if (!entries.some((entry) => /^v1,[A-Za-z0-9+/]{43}=$/.test(entry))) {
    const explanation = 'webhook-signature has no signature of the form "v1," and 44 characters of base64.'
    return [{ mistake: 'signature_malformed', explanation }]
  }
  if (body === '') {
    const explanation = 'The body is empty. Whoever parsed it has left nothing to read; keep the bytes as they arrive.'
    return [{ mistake: 'body_empty', explanation }]
  }
  const sent = asSent(body)
  if (sent === null) {
    const explanation = `The body is not JSON: it begins with ${visible(body.slice(0, 24))}. Check the bytes as they arrived.`
    return [{ mistake: 'body_not_json', explanation }]
  }
  if (sent === body) {
    const cut =
      length === SECRET_BYTES ? '' : ` It has ${length} bytes, where Vezne's have ${SECRET_BYTES}: it may be cut off.`
    const explanation =
      'The body looks as Vezne writes it, so the secret is most likely wrong: of another endpoint, of the other mode, ' +
      `or from before a rotation.${cut} Else an id, a time or a value was changed.`
    return [{ mistake: 'wrong_secret', explanation }]
  }
  const { names, words } = bodyDifferences(body, sent)
  const explanation = `The body is not as Vezne writes it: ${words}. It was rewritten or changed, or the secret is wrong.`
  return [{ mistake: 'wrong_secret_or_body', explanation, differences: names }]
}
