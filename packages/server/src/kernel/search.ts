import { foldText } from './fold.ts'
import { ID_PATTERN } from '../platform/crypto/ids.ts'
import { normaliseIban } from './iban.ts'
import { MAX_AMOUNT } from './money.ts'

/** An operator's search text, parsed as everything it can be. Fields that do not apply are null or empty. */
export type Search = {
  /** Words of a name, or the merchant's id of a customer. */
  text: string
  id: string | null
  processId: string
  code: string | null
  /** In minor units. */
  amounts: bigint[]
  /** Range of reversed IBANs. */
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
  /** For bank lines: incoming or outgoing. */
  direction?: 'credit' | 'debit'
  createdAt: Date
  /** The field value that is similar to the search text. */
  matched: string
}

/** Maximum rows read for one word: common words occur in very many names, and a search must stay short. */
export const MAX_ROWS_READ = 250

const CODE_LENGTH = 8
/** Sorts after every character of an IBAN. */
const LAST_CODE_POINT = '\u{10ffff}'

export function readSearch(input: string): Search {
  // A database stores no NUL, and no text that is searched has control characters.
  const text = input.replace(/\p{Cc}/gu, ' ').trim()
  const code = foldText(text).replaceAll(' ', '')
  return {
    text,
    id: new RegExp(ID_PATTERN).test(text.toLowerCase()) ? text.toLowerCase() : null,
    processId: text,
    code: code.length === CODE_LENGTH ? code : null,
    amounts: readAmounts(text.replace(/^(TL|TRY|₺)|(TL|TRY|₺)$/gi, '').trim()),
    iban: readIban(text),
  }
}

/** 1.250,50 and 1250.5 are lira and kuruş; 1250 may be lira, or kuruş as in the API. */
function readAmounts(text: string): bigint[] {
  const [, whole, , part = ''] = /^(\d{1,14}|\d{1,3}(?:\.\d{3}){1,4})([.,](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return []
  const minor = BigInt(whole.replaceAll('.', '') + part.padEnd(2, '0'))
  const candidates = /^\d+$/.test(text) ? [minor, BigInt(text)] : [minor]
  return candidates.filter((amount) => amount > 0n && amount <= MAX_AMOUNT)
}

/** The whole IBAN, or its last characters: at least four, with a digit. */
function readIban(text: string): Search['iban'] {
  const end = normaliseIban(text)
  if (!/^[0-9A-Z]{4,34}$/.test(end) || !/\d/.test(end)) return null
  const from = end.split('').toReversed().join('')
  return { from, to: from + LAST_CODE_POINT }
}
