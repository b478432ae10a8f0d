import { foldText } from './fold.ts'
import { ID_PATTERN } from '../platform/crypto/ids.ts'
import { normaliseIban } from './iban.ts'
import { MAX_AMOUNT } from './money.ts'

/** A text that an operator has at hand, read as everything that it can be. What it cannot be is null or empty. */
export type Search = {
  /** Words of a name, or an id that the merchant gave its customer. */
  text: string
  id: string | null
  processId: string
  code: string | null
  /** In minor units. */
  amounts: bigint[]
  /** A range of IBANs that are written backwards. */
  iban: { from: string; to: string } | null
}

export type Found = {
  kind: 'deposit' | 'withdrawal' | 'line' | 'unread line'
  id: string
  merchantId: string | null
  /** Not known of a line that could not be read. */
  amount: bigint | null
  currency: string
  status: string
  /** Of a line: whether money came in or went out. */
  direction?: 'credit' | 'debit'
  createdAt: Date
  /** What of it is like the text that was searched for. */
  matched: string
}

/** Common words are in a great many names: no more rows than this are read for one, so that a search stays short. */
export const MOST_READ = 1000

const CODE_LENGTH = 8
/** The last code point, which sorts behind every character that an IBAN can have. */
const AFTER_ALL = '\u{10ffff}'

export function readSearch(given: string): Search {
  const text = given.trim()
  const code = foldText(text).replaceAll(' ', '')
  return {
    text,
    id: new RegExp(ID_PATTERN).test(text.toLowerCase()) ? text.toLowerCase() : null,
    processId: text,
    code: code.length === CODE_LENGTH ? code : null,
    amounts: readAmounts(text.replace(/(TL|TRY|₺)$/i, '').trimEnd()),
    iban: readIban(text),
  }
}

/** 1.250,50 and 1250.5 are lira and kuruş; 1250 may be lira, or the kuruş of the API. */
function readAmounts(text: string): bigint[] {
  const [, whole, , part = ''] = /^(\d{1,14}|\d{1,3}(?:\.\d{3}){1,4})([.,](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return []
  const minor = BigInt(whole.replaceAll('.', '') + part.padEnd(2, '0'))
  const both = /^\d+$/.test(text) ? [minor, BigInt(text)] : [minor]
  return both.filter((amount) => amount > 0n && amount <= MAX_AMOUNT)
}

/** The whole of it, or its last characters: four at least, and a digit among them. */
function readIban(text: string): Search['iban'] {
  const end = normaliseIban(text)
  if (!/^[0-9A-Z]{4,34}$/.test(end) || !/\d/.test(end)) return null
  const from = end.split('').toReversed().join('')
  return { from, to: from + AFTER_ALL }
}
