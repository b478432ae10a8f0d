import type { LineToEnter } from '../../../domain/statements/index.ts'
import { readAmount } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Asked } from '../kind.ts'
import { ENTERED_WORDS } from './words.ts'

export const ENTER_PATH = '/statements/enter'

/** What was sent with the form, or else what a link fills in. */
export function valuesFrom({ query, fields }: Asked): URLSearchParams {
  if (fields.has('account')) return fields
  const given = Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string')
  return new URLSearchParams(given)
}

const NEEDED = ['account', 'direction', 'amount', 'day', 'name'] as const

export type TypedLine = Omit<LineToEnter, 'besides'>

export function readLine({ viewer, fields }: Asked): TypedLine {
  const words = ENTERED_WORDS[viewer.language]
  const text = (name: string) => (fields.get(name) ?? '').trim()
  const missing = NEEDED.find((name) => text(name) === '')
  if (missing !== undefined) throw new Refusal('VALIDATION_ERROR', words.fieldMissing(words[missing]))
  const direction = text('direction')
  if (direction !== 'credit' && direction !== 'debit')
    throw new Refusal('VALIDATION_ERROR', words.fieldMissing(words.direction))
  const amount = readAmount(text('amount'))
  if (amount === null) throw new Refusal('VALIDATION_ERROR', words.wrongAmount)
  return {
    accountIban: text('account'),
    direction,
    amount,
    bookedOn: text('day'),
    senderName: text('name'),
    senderIban: text('iban') || null,
    narrative: text('text'),
  }
}
