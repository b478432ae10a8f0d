import { ibanOf } from './account-number.ts'
import { referenceOf } from './reference.ts'
import type { StatementLine } from './statement.ts'

/** What :86: says of a line. */
export type Information = Pick<
  StatementLine,
  'endToEndReference' | 'counterpartyName' | 'counterpartyIban' | 'returned'
> & { texts: string[] }

/** A longer text goes on in the next line or subfield without a space. */
const LINE_WIDTH = 65
const SUBFIELD_WIDTH = 27

/** Business codes of returns in the German variant: cheque, transfer, direct debit, SEPA transfer. */
const RETURN_CODES = new Set(['009', '059', '108', '109', '159'])

/** Fields of the SEPA variant inside of a text: `EREF+…SVWZ+…`. */
const SEPA = /(?:^|[\n ])(EREF|KREF|MREF|BREF|RREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|RTRN)\+/
const SEPA_TEXTS = new Set(['SVWZ', 'ABWA', 'ABWE'])

/** Fields of the variant with slashes: `/ORDP//NAME/…/REMI/…`. */
const SLASHED =
  /\/(EREF|KREF|PREF|IREF|MARF|CSID|CNTP|ORDP|BENM|NAME|IBAN|BIC|ADDR|ULTC|ULTD|REMI|USTD|STRD|TRTP|RTYP|TRCD|PURP|RTRN|INIT|OCMT|CHGS|EXCH)(?=\/)/
const SLASHED_TEXTS = new Set(['REMI', 'USTD', 'STRD', 'TRTP', 'RTYP', 'ULTC', 'ULTD'])

/** Reads :86: with subfields (`166?00…?20…`), with slashes, or as a plain text. */
export function readInformation(lines: readonly string[]): Information {
  const joined = lines.join('')
  const code = /^\s*(\d{3})?(?=\?\d\d)/.exec(joined)
  if (code) return readSubfields(code[1] ?? '', joined.slice(code[0].length))
  const text = unwrapped(lines)
  return /^\/[A-Z]{2,4}\//.test(text) && SLASHED.test(text) ? readSlashed(text) : readSepa(text)
}

function unwrapped(lines: readonly string[]): string {
  return lines.reduce((text, line, index) => {
    if (index === 0) return line
    return `${text}${(lines[index - 1] as string).length >= LINE_WIDTH ? '' : ' '}${line}`
  }, '')
}

function readSubfields(code: string, text: string): Information {
  const [, ...parts] = text.split(/\?(\d\d)/)
  const subfields: [string, string][] = []
  for (let at = 0; at < parts.length; at += 2) subfields.push([parts[at] as string, parts[at + 1] as string])
  const values = (from: string, to: string) =>
    subfields.filter(([key]) => key >= from && key <= to).map(([, value]) => value)
  const purpose = [...values('20', '29'), ...values('60', '63')]
  const sepa = readSepa(purpose.reduce((all, value, index) => all + separator(purpose[index - 1], value) + value, ''))
  const name = values('32', '33').join('').trim()
  const returned = RETURN_CODES.has(code) ? (values('34', '34')[0]?.trim() ?? '') : null
  return {
    endToEndReference: sepa.endToEndReference,
    counterpartyName: name || sepa.counterpartyName,
    counterpartyIban:
      ibanOf(values('38', '38').join('')) ?? ibanOf(values('31', '31').join('')) ?? sepa.counterpartyIban,
    returned: sepa.returned ?? returned,
    texts: [...sepa.texts, ...values('00', '00')],
  }
}

function separator(before: string | undefined, value: string): string {
  return before !== undefined && before.length >= SUBFIELD_WIDTH && !SEPA.test(value) ? '' : '\n'
}

/** A text in which references may stand; without any, the whole is text. */
function readSepa(text: string): Information {
  const [before, ...parts] = text.split(SEPA)
  const texts = [before ?? '']
  const found = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) {
    const [key, value] = [parts[at] as string, parts[at + 1] as string]
    const [first, ...rest] = value.split('\n')
    if (!found.has(key)) found.set(key, (first as string).trim())
    texts.push(...(SEPA_TEXTS.has(key) ? [value] : rest))
  }
  return {
    endToEndReference: referenceOf(found.get('EREF')) ?? referenceOf(found.get('KREF')),
    counterpartyName: null,
    counterpartyIban: ibanOf(found.get('IBAN') ?? null),
    returned: found.get('RTRN') ?? null,
    texts,
  }
}

/** Not by one pattern: for a text of slashes its time would grow with the square of the length. */
function withoutSlashes(text: string): string {
  const isAround = (at: number) => /[/\s]/.test(text.charAt(at))
  let [from, to] = [0, text.length]
  while (from < to && isAround(from)) from++
  while (to > from && isAround(to - 1)) to--
  return text.slice(from, to)
}

function readSlashed(text: string): Information {
  const [before, ...parts] = text.split(SLASHED)
  const texts = [before ?? '']
  const found = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) {
    const [key, value] = [parts[at] as string, withoutSlashes(parts[at + 1] as string)]
    if (!found.get(key)) found.set(key, value)
    if (SLASHED_TEXTS.has(key)) texts.push(value)
  }
  const [account, , name] = found.get('CNTP')?.split('/') ?? []
  return {
    endToEndReference: referenceOf(found.get('EREF')),
    counterpartyName: found.get('NAME') || name || found.get('ORDP') || found.get('BENM') || null,
    counterpartyIban: ibanOf(found.get('IBAN') ?? account ?? null),
    returned: found.get('RTRN') ?? null,
    texts: found.has('REMI') ? texts : [text],
  }
}
