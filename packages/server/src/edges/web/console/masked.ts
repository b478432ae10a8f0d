import { foldText } from '../../../kernel/fold.ts'
import { maskIbans } from '../../../kernel/iban.ts'

/** TR33 •••• 1326: enough to compare, too little to pay to. */
export function maskedIban(iban: string): string {
  return iban.length > 8 ? `${iban.slice(0, 4)} •••• ${iban.slice(-4)}` : iban
}

/** A••• Y•••: the first letter of each word, but for words that are `known`. */
export function maskedName(name: string, known: ReadonlySet<string> = new Set()): string {
  const words = name.split(/\s+/u).filter((word) => word !== '')
  return words.map((word) => (known.has(foldText(word)) ? word : maskedWord(word))).join(' ')
}

/** The words of a text, to compare with others. */
export function wordsOf(text: string): Set<string> {
  return new Set(foldText(text).split(' '))
}

function maskedWord(word: string): string {
  return `${String.fromCodePoint(word.codePointAt(0) ?? 0)}•••`
}

/** What banks write themselves; it names no one. */
const BANK_WORDS = wordsOf(
  `FAST EFT HAVALE SWIFT VIRMAN TRANSFER TRANSFERI GELEN GIDEN GONDEREN ALICI ODEME ODEMESI TAHSILAT PARA CEKME YATIRMA
  MASRAF MASRAFI UCRET UCRETI KOMISYON KOMISYONU BSMV KKDF VERGI VERGISI FAIZ STOPAJ IADE IADESI IPTAL DUZELTME STORNO HESAP
  HESABI HESAPTAN HESABA ISLETIM ISLETME ISLEM ISLEMI KART POS AIDAT TUTAR TUTARI ACIKLAMA SORGU NO NUMARA REF REFERANS
  KOD KODU ILE VE ICIN BIREYSEL TICARI MOBIL INTERNET SUBE SUBESI BANKA BANKASI MUHTELIF CHARGE FEE PAYMENT RETURN`,
)
/** Of a person's number or a telephone's. Ids and codes of ours have letters, or are longer. */
const LONG_NUMBER = /(?<![\p{L}\p{N}])\d{10,12}(?![\p{L}\p{N}])/gu
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The text of a bank line without what names people: IBANs, long numbers, and words of `names`. Without `names` every word but those of
 * banks; what has a digit stays, as a code does. `numbers`: of banks, which are no one's.
 */
export function maskedText(
  text: string,
  names: readonly string[] | null,
  numbers: ReadonlySet<string> = new Set(),
): string {
  const hidden = names && new Set(names.flatMap((name) => [...wordsOf(name)]))
  const isHidden = (word: string) => {
    if (word.length < 2 || /\p{N}/u.test(word)) return false
    return hidden ? hidden.has(foldText(word)) : !BANK_WORDS.has(foldText(word))
  }
  return maskIbans(text)
    .replaceAll(LONG_NUMBER, (digits) => (numbers.has(digits) ? digits : `•••${digits.slice(-4)}`))
    .replaceAll(WORD, (word) => (isHidden(word) ? maskedWord(word) : word))
}
