import type { ContentProblems } from '@vezne/bank-formats'
import type { FileNotices } from '../../kernel/refusals/files.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

type Needed = ContentProblems['header_missing']

/** Columns, and the ways to write an amount: `Tarih, Tutar and B/A, or Borç and Alacak`. */
function needed({ columns, amounts }: Needed, and: string, or: string): string {
  const ways = amounts.map((names) => names.join(` ${and} `)).join(or)
  return [...columns, ...(ways === '' ? [] : [ways])].join(', ')
}
const neededEn = (facts: Needed) => needed(facts, 'and', ', or ')
const neededTr = (facts: Needed) => needed(facts, 've', ' ya da ')

const WHICH = { opening: ['opening', 'açılış'], closing: ['closing', 'kapanış'] } as const
const MISSING = { amount: ['the amount', 'tutar'], balance: ['the balance', 'bakiye'] } as const

const SUMS = {
  credit: ['the sum of credits', 'alacak toplamı'],
  debit: ['the sum of debits', 'borç toplamı'],
  both: ['the sum of all lines', 'bütün satırların toplamı'],
  net: ['the sum of credits less debits', 'net toplam'],
} as const

const COUNTS = {
  credit: ['number of credits', 'alacak sayısı'],
  debit: ['number of debits', 'borç sayısı'],
  both: ['number of lines', 'satır sayısı'],
  net: ['number of lines', 'satır sayısı'],
} as const

/** What is wrong with a value, a row or a total. */
export const CONTENT_SENTENCES: Sentences<Pick<FileNotices, keyof ContentProblems>> = {
  value_not_amount: {
    en: ({ text, form }) => `“${text}” is not an amount; expected the form ${form}`,
    tr: ({ text, form }) => `“${text}” bir tutar değil; ${form} biçiminde olmalı`,
  },
  value_ambiguous: {
    en: ({ text, whole, decimal }) =>
      `“${text}” may be ${whole} or ${decimal}; import the file as the bank exported it, not as Excel saved it`,
    tr: ({ text, whole, decimal }) =>
      `“${text}” ${whole} de olabilir ${decimal} da; dosyayı Excel’de kaydetmeden, bankadan indirdiğiniz gibi yükleyin`,
  },
  value_decimals: {
    en: ({ text, most, currency }) => `“${text}” has too many decimals: ${currency} has ${most}`,
    tr: ({ text, most, currency }) => `“${text}” tutarında fazla ondalık basamak var: ${currency} için ${most} olmalı`,
  },
  value_not_date: {
    en: ({ text, forms }) => `“${text}” is not a date; expected one such as ${forms.join(' or ')}`,
    tr: ({ text, forms }) => `“${text}” geçerli bir tarih değil; ${forms.join(' veya ')} gibi olmalı`,
  },
  date_out_of_range: {
    en: ({ day, from, to }) => `the date ${day} is not between ${from} and ${to}`,
    tr: ({ day, from, to }) => `${gun(day)} tarihi ${gun(from)} ile ${gun(to)} arasında değil`,
  },
  value_not_time: {
    en: ({ text }) => `“${text}” is not a time`,
    tr: ({ text }) => `“${text}” geçerli bir saat değil`,
  },
  value_not_currency: {
    en: ({ text }) => `“${text}” is not a currency; expected TRY, USD or another code`,
    tr: ({ text }) => `“${text}” bir para birimi değil; TRY, USD gibi bir kod olmalı`,
  },
  value_not_iban: {
    en: ({ account }) => `${account} is not a valid IBAN`,
    tr: ({ account }) => `${account} geçerli bir IBAN değil`,
  },
  value_missing: {
    en: ({ value }) => `${MISSING[value][0]} is missing`,
    tr: ({ value }) => `${MISSING[value][1]} eksik`,
  },
  value_signed: {
    en: ({ text }) => `“${text}” has a sign; expected an amount without one`,
    tr: ({ text }) => `“${text}” işaretli; işaretsiz bir tutar olmalı`,
  },
  value_against_mark: {
    en: ({ text }) => `the sign of “${text}” contradicts its mark for debit or credit`,
    tr: ({ text }) => `“${text}” tutarının artı/eksi işareti ile borç/alacak işareti uyuşmuyor`,
  },
  debit_and_credit: {
    en: 'both a debit and a credit are given; expected one of them',
    tr: 'hem borç hem alacak yazılmış; yalnız biri olmalı',
  },
  currency_differs: {
    en: ({ found, expected }) => `the currency is ${found}; expected ${expected}`,
    tr: ({ found, expected }) => `para birimi ${found}; ${expected} olmalı`,
  },
  account_differs: {
    en: ({ found, expected }) =>
      `account ${found} stands here, ${expected} above; export each account to a file of its own`,
    tr: ({ found, expected }) =>
      `burada ${found} hesabı, yukarıda ${expected} hesabı var; her hesabın ekstresini ayrı indirin`,
  },

  header_missing: {
    en: (facts) => `there is no header${neededEn(facts) === '' ? '' : `; expected ${neededEn(facts)}`}`,
    tr: (facts) => `başlık satırı yok${neededTr(facts) === '' ? '' : `; beklenen: ${neededTr(facts)}`}`,
  },
  header_incomplete: {
    en: (facts) => `the header lacks a column; expected ${neededEn(facts)}`,
    tr: (facts) => `başlıkta eksik sütun var; beklenen: ${neededTr(facts)}`,
  },
  row_without_date: {
    en: ({ text, forms }) => `found “${text}”; expected a date such as ${forms.join(' or ')}, or a row of totals`,
    tr: ({ text, forms }) => `“${text}” bulundu; ${forms.join(' veya ')} gibi bir tarih ya da toplam satırı olmalı`,
  },
  row_incomplete: {
    en: ({ found, columns }) => `the row has ${found} of ${columns} columns; was the file cut off?`,
    tr: ({ found, columns }) => `satırda ${columns} sütundan ${found} tanesi var. Dosya yarım mı indirildi?`,
  },
  row_overfull: {
    en: ({ columns }) =>
      `there is text right of the ${columns} columns; a text that contains the separator needs quotation marks`,
    tr: ({ columns }) => `${columns} sütunun sağında metin var; ayırıcı içeren metin tırnak içinde olmalı`,
  },
  row_after_totals: {
    en: ({ totals }) => `there is a line below the totals of line ${totals}`,
    tr: ({ totals }) => `${totals}. satırdaki toplamların altında bir satır var`,
  },
  row_unended: { en: 'the last row has no line break', tr: 'son satırın satır sonu yok' },
  row_endless: {
    en: ({ most }) => `a row has more than ${most} characters; is a quotation mark not closed?`,
    tr: ({ most }) => `${most} karakterden uzun bir satır var. Kapanmamış bir tırnak mı var?`,
  },
  quote_unclosed: {
    en: 'a quotation mark is not closed in its row',
    tr: 'açılan bir tırnak kendi satırında kapanmıyor',
  },
  quote_found: {
    en: 'a value has a quotation mark, behind which a bank may miss the separator',
    tr: 'bir değerde tırnak var; banka ardındaki ayırıcıyı görmeyebilir',
  },
  control_character: {
    en: 'a row has a control character or another line break',
    tr: 'bir satırda denetim karakteri veya başka bir satır sonu var',
  },
  table_malformed: {
    en: ({ error }) => `it cannot be read as a table (${error})`,
    tr: 'tablo olarak okunamıyor. Dosyayı bankadan yeniden indirin',
  },
  sheet_second: {
    en: 'a second sheet has values; expected one sheet. Export each account to a file of its own',
    tr: 'dolu ikinci bir çalışma sayfası var; tek sayfa olmalı. Her hesabın ekstresini ayrı indirin',
  },
  spreadsheet_locked: {
    en: 'the spreadsheet has a password; save it without one',
    tr: 'Excel dosyası parolalı; parolasız kaydedin',
  },
  spreadsheet_cut_off: {
    en: 'the spreadsheet is incomplete; was the upload cut off?',
    tr: 'Excel dosyası eksik. Yükleme yarım mı kaldı?',
  },
  spreadsheet_damaged: {
    en: ({ at }) => `the spreadsheet is damaged${at === null ? '' : ` (${at})`}; export it again`,
    tr: ({ at }) => `Excel dosyası bozuk${at === null ? '' : ` (${at})`}; bankadan yeniden indirin`,
  },

  opening_differs: {
    en: ({ found, expected }) => `the opening balance is ${found}; by the lines it is ${expected}`,
    tr: ({ found, expected }) => `açılış bakiyesi ${found}; satırlara göre ${expected} olmalı`,
  },
  closing_differs: {
    en: ({ found, expected }) => `the closing balance is ${found}; by the lines it is ${expected}`,
    tr: ({ found, expected }) => `kapanış bakiyesi ${found}; satırlara göre ${expected} olmalı`,
  },
  balance_differs: {
    en: ({ found, expected, before, beforeLine, change }) =>
      `the balance after the line is ${found}; expected ${expected}, from ${before} on line ${beforeLine} and ${change} here`,
    tr: ({ found, expected, before, beforeLine, change }) =>
      `satırdan sonraki bakiye ${found}; ${expected} olmalı (${beforeLine}. satırda ${before}, burada ${change})`,
  },
  sum_differs: {
    en: ({ field, of, found, expected }) =>
      `${SUMS[of][0]}${field === null ? '' : ` in ${field}`} is ${found}; by the lines it is ${expected}`,
    tr: ({ field, of, found, expected }) =>
      `${field === null ? '' : `${field} içindeki `}${SUMS[of][1]} ${found}; satırlara göre ${expected} olmalı`,
  },
  count_differs: {
    en: ({ field, of, found, expected }) => `the ${COUNTS[of][0]} in ${field} is ${found}; the file has ${expected}`,
    tr: ({ field, of, found, expected }) => `${field} içindeki ${COUNTS[of][1]} ${found}; dosyada ${expected} var`,
  },
  balance_unmarked: {
    en: ({ which }) => `the ${WHICH[which][0]} balance has no <CdtDbtInd>; its sign was taken from the lines`,
    tr: ({ which }) => `${WHICH[which][1]} bakiyesinde <CdtDbtInd> yok; işareti satırlardan bulundu`,
  },
  problems_more: {
    en: ({ count }) => `${count} more ${count === 1 ? 'problem' : 'problems'}`,
    tr: ({ count }) => `${count} sorun daha var`,
  },
}
