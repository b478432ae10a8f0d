import { isObject } from '../../../../platform/json/json-writers.ts'
import { parsed } from './rewritten-bodies.ts'

export type TextMistake =
  | 'text_without_id'
  | 'text_without_timestamp'
  | 'text_body_only'
  | 'text_without_body'
  | 'text_swapped'
  | 'text_separator'
  | 'text_milliseconds'
  | 'text_seconds'
  | 'text_id_of_body'
  | 'text_timestamp_of_body'

export type KeyMistake = 'secret_with_prefix' | 'secret_not_decoded' | 'secret_decoded_with_prefix'

type Parts = { id: string; timestamp: string; body: string }
type OtherText = { mistake: TextMistake; explanation: string; write: (parts: Parts) => string }
type OtherKey = { mistake: KeyMistake; explanation: string; key: Buffer }

export const PREFIX = 'whsec_'
const RIGHT = 'Sign webhook-id, webhook-timestamp and body, joined with full stops.'

/** Texts that receivers sign by mistake instead of `id.timestamp.body`. */
const OTHER_TEXTS: OtherText[] = [
  {
    mistake: 'text_without_id',
    explanation: `webhook-id was left out of the signed text. ${RIGHT}`,
    write: ({ timestamp, body }) => `${timestamp}.${body}`,
  },
  {
    mistake: 'text_without_timestamp',
    explanation: `webhook-timestamp was left out of the signed text. ${RIGHT}`,
    write: ({ id, body }) => `${id}.${body}`,
  },
  {
    mistake: 'text_body_only',
    explanation: `Only the body was signed. ${RIGHT}`,
    write: ({ body }) => body,
  },
  ...['.', ''].map((end): OtherText => {
    return {
      mistake: 'text_without_body',
      explanation: `The body was left out of the signed text, or had been read before. ${RIGHT}`,
      write: ({ id, timestamp }) => `${id}.${timestamp}${end}`,
    }
  }),
  {
    mistake: 'text_swapped',
    explanation: `webhook-id and webhook-timestamp were signed in the wrong order. ${RIGHT}`,
    write: ({ id, timestamp, body }) => `${timestamp}.${id}.${body}`,
  },
  ...['', '\n', ':', '|', ',', '-', ' '].map((separator): OtherText => {
    const written = separator === '' ? 'nothing in between' : JSON.stringify(separator)
    return {
      mistake: 'text_separator',
      explanation: `The parts of the signed text were joined with ${written}. ${RIGHT}`,
      write: ({ id, timestamp, body }) => [id, timestamp, body].join(separator),
    }
  }),
  {
    mistake: 'text_milliseconds',
    explanation: 'The time was signed in milliseconds. Sign webhook-timestamp as the header has it, in seconds.',
    write: ({ id, timestamp, body }) => `${id}.${timestamp}000.${body}`,
  },
  {
    mistake: 'text_seconds',
    explanation: 'The time was signed in seconds, and sent in milliseconds.',
    write: ({ id, timestamp, body }) => `${id}.${timestamp.replace(/\d{3}$/, '')}.${body}`,
  },
]

/** Adds the texts that depend on the body's content. */
export function otherTexts(body: string): OtherText[] {
  const value = parsed(body)
  if (!isObject(value)) return OTHER_TEXTS
  const { timestamp: told, data } = value
  const { transactionId } = isObject(data) ? data : {}
  return [
    ...OTHER_TEXTS,
    {
      mistake: 'text_id_of_body',
      explanation: 'The transactionId of the body was signed as id. Sign what the header webhook-id says.',
      write: ({ timestamp, body }) => `${String(transactionId)}.${timestamp}.${body}`,
    },
    {
      mistake: 'text_timestamp_of_body',
      explanation: 'The timestamp of the body was signed. Sign what the header webhook-timestamp says.',
      write: ({ id, body }) => `${id}.${String(told)}.${body}`,
    },
  ]
}

/** Keys that receivers derive from a secret by mistake, instead of the decoded bytes after its prefix. */
export function otherKeys(secret: string): OtherKey[] {
  const base64 = secret.slice(PREFIX.length)
  // Some decoders treat _ as /, others skip it.
  const whole = [secret, `whsec${base64}`].map((text) => Buffer.from(text.replace(/=+$/, ''), 'base64'))
  return [
    {
      mistake: 'secret_with_prefix',
      explanation: 'The secret was used as text, with its prefix. Take "whsec_" off, and decode the rest from base64.',
      key: Buffer.from(secret),
    },
    {
      mistake: 'secret_not_decoded',
      explanation: 'The secret was used as text. Decode what stands behind "whsec_" from base64.',
      key: Buffer.from(base64),
    },
    ...whole.map((key): OtherKey => {
      return {
        mistake: 'secret_decoded_with_prefix',
        explanation: 'The secret was decoded together with its prefix. Take "whsec_" off first.',
        key,
      }
    }),
  ]
}
