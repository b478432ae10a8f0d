import { maskIbans } from '../../../kernel/iban.ts'
import { maskedName } from '../../web/console/masked.ts'

/** Fields of events that name a person. */
const NAMES = new Set(['name', 'accountName', 'userName', 'username'])
const MASK = '•••'
/** What a merchant wrote about its customer. */
const HIDDEN = new Set(['id', 'userId', 'metadata', 'refundReason'])

/** The body of an event, to read: indented, with names and IBANs masked. A text that is no JSON keeps its form. */
export function maskedBody(body: string): string {
  try {
    return maskIbans(JSON.stringify(JSON.parse(body, masked), null, 2))
  } catch {
    return maskedText(body)
  }
}

/** A receiver may repeat what was sent to it. */
export function maskedText(text: string): string {
  return maskIbans(text).replace(
    /("(?:name|accountName|userName|username)"\s*:\s*")((?:[^"\\]|\\.)*)"/g,
    (_, head: string, name: string) => `${head}${maskedName(name)}"`,
  )
}

function masked(this: unknown, key: string, value: unknown): unknown {
  if (NAMES.has(key) && typeof value === 'string') return maskedName(value)
  return HIDDEN.has(key) && !(key === 'id' && isEnvelope(this)) ? MASK : value
}

/** The id of an event is not that of a customer. */
const isEnvelope = (holder: unknown) => typeof holder === 'object' && holder !== null && 'data' in holder
