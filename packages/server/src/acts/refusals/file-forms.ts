import type { FormProblems } from '@vezne/bank-formats'
import type { FileNotices } from '../../kernel/refusals/files.ts'
import type { Sentences } from './sentence.ts'

type Words = readonly [en: string, tr: string]

const KINDS: Record<FormProblems['file_is']['kind'], Words> = {
  old_excel: [
    'it is an old Excel file (.xls) or has a password; open it in Excel and save it as .xlsx without a password, or as CSV',
    'eski bir Excel dosyası (.xls) veya parolalı; Excel’de açıp parolasız .xlsx ya da CSV olarak kaydedin',
  ],
  excel_xml: [
    'it is an XML spreadsheet of Excel 2003; open it in Excel and save it as .xlsx',
    'Excel 2003 XML tablosu; Excel’de açıp .xlsx olarak kaydedin',
  ],
  html: [
    'it is a web page, whatever its name; open it in Excel and save it as .xlsx, or export CSV from the bank',
    'uzantısı ne olursa olsun bir web sayfası; Excel’de açıp .xlsx olarak kaydedin ya da bankadan CSV indirin',
  ],
  pdf: [
    'it is a PDF; export the statement as CSV, XLSX, MT940 or camt',
    'PDF dosyası; ekstreyi CSV, XLSX, MT940 veya camt olarak indirin',
  ],
  binary: [
    'it is no text, perhaps an image; export the statement as CSV, XLSX, MT940 or camt',
    'resim gibi, metin olmayan bir dosya; ekstreyi CSV, XLSX, MT940 veya camt olarak indirin',
  ],
  zip: [
    'it is a zip file and no spreadsheet; unpack it and import what is inside',
    'Excel dosyası olmayan bir zip; açıp içindeki dosyayı yükleyin',
  ],
  payment_order: ['it is a payment order (pain.001), not a statement', 'ödeme talimatı (pain.001); ekstre değil'],
  order_report: [
    'it is a report about payment orders (pain.002), not a statement',
    'ödeme talimatlarının sonuç raporu (pain.002); ekstre değil',
  ],
  xml: ['it is XML, but neither camt nor pain.002', 'camt veya pain.002 olmayan bir XML'],
  text: [
    'it is neither XML, MT940, a spreadsheet nor a table with a known header',
    'XML, MT940, Excel veya başlığı tanınan bir tablo değil',
  ],
}

const FORMATS: Readonly<Record<string, string>> = { csv: 'CSV', xlsx: 'XLSX', mt940: 'MT940', mt942: 'MT942' }
const format = (name: string) => FORMATS[name] ?? name

const LARGE: Record<FormProblems['too_large']['what'], Words> = {
  file: ['the file', 'dosya'],
  report: ['the report', 'rapor'],
  workbook: ['the unpacked spreadsheet', 'Excel dosyasının açılmış hâli'],
  part: ['each part of the spreadsheet', 'Excel dosyasının her bölümü'],
  day: ['the lines of one day', 'bir günün satırları'],
  newest_first: ['a file that begins with its newest line', 'en yeni satırla başlayan bir dosya'],
}

const LONG: Record<FormProblems['too_long']['what'], Words> = {
  line: ['a line', 'bir satır'],
  field: ['a field', 'bir alan'],
  row: ['a row', 'bir satır'],
  cell: ['a cell', 'bir hücre'],
  text: ['a text', 'bir metin'],
  attribute: ['an attribute', 'bir öznitelik'],
  name: ['a name', 'bir ad'],
  element: ['an element', 'bir öge'],
  gap: ['what stands between two elements', 'iki öge arasındaki bölüm'],
}

const MANY: Record<FormProblems['too_many']['what'], Words> = {
  balances: ['balances', 'bakiye'],
  information: ['lines of :86: for one :61:', '(bir :61: için) :86: satırı'],
  payments: ['payments', 'ödeme grubu'],
  transactions: ['transactions', 'işlem'],
  rows: ['rows', 'satır'],
  columns: ['columns', 'sütun'],
  texts: ['texts', 'metin'],
  sheets: ['sheets', 'çalışma sayfası'],
  parts: ['parts', 'bölüm'],
  elements: ['elements', 'öge'],
  attributes: ['attributes of an element', '(bir ögede) öznitelik'],
  levels: ['levels of elements', 'iç içe öge'],
}
/** A shorter period has fewer of these. */
const OF_PERIOD: ReadonlySet<string> = new Set(['balances', 'transactions', 'rows', 'texts', 'elements'])

const or = (names: readonly string[]) => names.join(' or ')
const veya = (names: readonly string[]) => names.join(' veya ')

const CHOOSE = '--profile NAME\n--mapping FILE'

/** What a file is, that it is too large, and what its messages lack. */
export const FORM_SENTENCES: Sentences<Pick<FileNotices, keyof FormProblems | 'file_place'>> = {
  file_place: {
    en: ({ sheet, line, column, problem }) =>
      `${sheet === null ? '' : `sheet “${sheet}”, `}line ${line}${column === null ? '' : `, column ${column}`}: ${problem}`,
    tr: ({ sheet, line, column, problem }) =>
      `${sheet === null ? '' : `“${sheet}” sayfası, `}${line}. satır${column === null ? '' : `, ${column}. sütun`}: ${problem}`,
  },

  file_empty: { en: 'the file is empty', tr: 'dosya boş' },
  file_is: { en: ({ kind }) => KINDS[kind][0], tr: ({ kind }) => KINDS[kind][1] },
  format_differs: {
    en: ({ found, expected }) => `it is ${format(found)}, not ${format(expected)}`,
    tr: ({ found, expected }) => `dosya ${format(found)}; ${format(expected)} olmalı`,
  },
  encoding_unknown: {
    en: ({ encoding }) => `the encoding “${encoding}” is not known; expected one such as UTF-8 or ISO-8859-9`,
    tr: ({ encoding }) => `“${encoding}” kodlaması bilinmiyor; UTF-8 veya ISO-8859-9 gibi olmalı`,
  },
  encoding_wrong: {
    en: ({ encoding }) => `what stands here is not ${encoding}; export the file again, as UTF-8 if the bank offers it`,
    tr: ({ encoding }) =>
      `buradaki bir karakter ${encoding} değil; dosyayı bankadan yeniden, mümkünse UTF-8 olarak indirin`,
  },
  zero_byte: {
    en: 'there is a zero byte, which no text has; export the file again, as UTF-8 if the bank offers it',
    tr: 'metinde olmaması gereken bir sıfır baytı var; dosyayı bankadan yeniden, mümkünse UTF-8 olarak indirin',
  },
  bank_unshown: {
    en: ({ line }) => `nothing shows which bank the table is of (header on line ${line}); choose the layout`,
    tr: ({ line }) => `tablonun hangi bankanın olduğu anlaşılmıyor (başlık ${line}. satırda); banka düzenini seçin`,
    cli: CHOOSE,
  },
  bank_ambiguous: {
    en: ({ banks }) => `it may be of ${or(banks)}; choose the layout`,
    tr: ({ banks }) => `şunlardan birinin olabilir: ${veya(banks)}; banka düzenini seçin`,
    cli: CHOOSE,
  },
  bank_unfitting: {
    en: ({ problem }) => `it fits no known bank${problem === null ? '' : ` (${problem})`}; choose the layout`,
    tr: ({ problem }) => `bilinen bir bankaya uymuyor${problem === null ? '' : ` (${problem})`}; banka düzenini seçin`,
    cli: CHOOSE,
  },
  header_unknown: {
    en: 'it is a table whose header is of no known bank; choose the layout',
    tr: 'başlığı bilinen bir bankaya uymayan bir tablo; banka düzenini seçin',
    cli: CHOOSE,
  },

  too_large: {
    en: ({ what, megabytes }) => `${LARGE[what][0]} may have ${megabytes} MB at most; export a shorter period`,
    tr: ({ what, megabytes }) =>
      `${LARGE[what][1]} en çok ${megabytes} MB olabilir; daha kısa bir dönemin dosyasını indirin`,
  },
  too_long: {
    en: ({ what, most }) => `${LONG[what][0]} is longer than ${most} characters`,
    tr: ({ what, most }) => `${LONG[what][1]} ${most} karakterden uzun`,
  },
  too_many: {
    en: ({ what, most }) =>
      `there are more than ${most} ${MANY[what][0]}${OF_PERIOD.has(what) ? '; export a shorter period' : ''}`,
    tr: ({ what, most }) =>
      `en çok ${most} ${MANY[what][1]} olabilir; bu dosyada daha fazlası var${OF_PERIOD.has(what) ? '. Daha kısa bir dönemin dosyasını indirin' : ''}`,
  },

  xml_malformed: {
    en: ({ error }) => `it is not valid XML (${error}); was the file cut off?`,
    tr: 'dosya geçerli bir XML değil. Yarım mı indirildi?',
  },
  xml_doctype: {
    en: 'it has a document type (DOCTYPE), which no message of a bank has',
    tr: 'banka mesajlarında olmayan bir belge türü tanımı (DOCTYPE) var',
  },
  message_unexpected: {
    en: ({ found, expected }) =>
      found === null ? `it has no message of ${or(expected)}` : `found “${found}”; expected ${or(expected)}`,
    tr: ({ found, expected }) =>
      found === null ? `dosyada ${veya(expected)} mesajı yok` : `“${found}” bulundu; ${veya(expected)} olmalı`,
  },
  namespace_differs: {
    en: ({ element, format, namespace }) => `${element} is of ${format}, but its namespace is that of ${namespace}`,
    tr: ({ element, format, namespace }) => `${element} ögesi ${format} mesajının, ama ad alanı ${namespace} mesajının`,
  },
  message_unfinished: {
    en: ({ end }) => `the message ends without ${or(end)}: lines may be missing. Export the file again`,
    tr: ({ end }) => `mesaj ${veya(end)} olmadan bitiyor: satırlar eksik olabilir. Dosyayı yeniden indirin`,
  },
  field_missing: {
    en: ({ fields, inside }) => `${inside ?? 'the message'} has no ${or(fields)}`,
    tr: ({ fields, inside }) => `${inside === null ? 'mesajda' : `${inside} içinde`} ${veya(fields)} yok`,
  },
  field_twice: {
    en: ({ field }) => `${field} is there twice; expected once`,
    tr: ({ field }) => `${field} iki kez var; bir kez olmalı`,
  },
  field_misplaced: {
    en: ({ field, before }) => `${field} comes too late; expected before ${before.join(' and ')}`,
    tr: ({ field, before }) => `${field} çok geç geliyor; ${before.join(' ve ')} alanından önce olmalı`,
  },
  field_wrong: {
    en: ({ field, text, example }) => `${field} is “${text}”; expected a value such as ${example}`,
    tr: ({ field, text, example }) => `${field} alanında “${text}” var; ${example} gibi olmalı`,
  },
  code_unknown: {
    en: ({ field, text, known }) => `${field} is “${text}”; expected one of ${known.join(', ')}`,
    tr: ({ field, text, known }) => `${field} alanında “${text}” var; şunlardan biri olmalı: ${known.join(', ')}`,
  },
  balance_sign_unknown: {
    en: 'a balance has no <CdtDbtInd>, and the lines do not show whether it is a credit or a debit. Ask the bank for a correct file',
    tr: 'bir bakiyede <CdtDbtInd> yok; alacak mı borç mu olduğu satırlardan da anlaşılmıyor. Bankadan doğru dosyayı isteyin',
  },
}
