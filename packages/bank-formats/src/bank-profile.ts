export type DateFormat = 'dd.MM.yyyy' | 'dd/MM/yyyy' | 'dd-MM-yyyy' | 'yyyy-MM-dd'
export type Separator = ';' | ',' | '\t'

/** `signed`: one amount with its sign. `split`: a column for debits, one for credits. `marked`: an amount and B or A. */
export type AmountLayout = 'signed' | 'split' | 'marked'

export type ColumnRole =
  | 'date'
  | 'valueDate'
  | 'description'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'mark'
  | 'balance'
  | 'reference'
  | 'account'
  | 'iban'
  | 'currency'
  /** The other side of any line. */
  | 'counterpartyName'
  | 'counterpartyIban'
  /** The other side of a credit only. */
  | 'senderName'
  | 'senderIban'

export type MetadataField = 'iban' | 'account' | 'currency' | 'period' | 'from' | 'to' | 'opening' | 'closing'

/** A description that begins so is split into at least `parts` parts; `name` and `iban` are numbers of parts, from 0. */
export type PartsRule = { begins: string; separator: string; parts: number; name: number; iban?: number }
/** What follows the label, up to one of `ends`. */
export type LabelRule = { label: string; gives: 'name' | 'iban'; ends: string[] }
/** How to find who paid in the description of a credit. */
export type SenderRule = PartsRule | LabelRule

/** How one bank writes statements as a table. Names are compared without regard to case, spaces, signs and Turkish letters. */
export type BankProfile = {
  id: string
  name: string
  /** Of the account, where the file does not say it. */
  currency: string
  /** `turkish` 1.234,56 or `point` 1234.56; for text only, a number of a spreadsheet is a number. */
  decimals: 'turkish' | 'point'
  dates: DateFormat[]
  /** Null: the one with which a header is found. */
  separator: Separator | null
  /** In this order; the header decides. */
  amounts: AmountLayout[]
  /** Signed amounts are accepted without a balance that proves their signs. */
  alwaysSigned: boolean
  /** Names of each column; the first name that the header has counts. */
  columns: Partial<Record<ColumnRole, string[]>>
  /** Columns that a file may lack. */
  optional: ColumnRole[]
  marks: { debit: string[]; credit: string[] }
  /** Labels above the header: the value follows in the same cell after a colon, or in the next cell. */
  metadata: Partial<Record<MetadataField, string[]>>
  /** A row that begins with one of these ends the lines. */
  footer: string[]
  /** Rows with a balance and no amount whose description begins so: the balance before the first line. */
  carriedForward: string[]
  sender: SenderRule[]
  /** How to recognise the bank: its codes in an IBAN, its names above the header, or headers that only it has. */
  recognise: { bankCodes: string[]; names: string[]; headers: string[][] }
}

/** What Turkish banks have in common; a column mapping starts from this, too. */
export const COMMON = {
  currency: 'TRY',
  decimals: 'turkish',
  dates: ['dd.MM.yyyy', 'dd/MM/yyyy', 'dd-MM-yyyy', 'yyyy-MM-dd'],
  separator: null,
  marks: { debit: ['B', 'Borç', '-'], credit: ['A', 'Alacak', '+'] },
  metadata: {
    iban: ['IBAN', 'Hesap IBAN', 'IBAN No', 'IBAN Numarası', 'Hesap IBAN No'],
    account: [
      'Hesap No',
      'Hesap Numarası',
      'Hesap',
      'Şube/Hesap No',
      'Şube - Hesap No',
      'Hesap No/IBAN',
      'IBAN/Hesap No',
    ],
    currency: ['Para Birimi', 'Döviz Cinsi', 'Döviz Kodu', 'Para Cinsi', 'Hesap Para Birimi', 'Döviz Türü'],
    period: ['Dönem', 'Tarih Aralığı', 'Ekstre Dönemi', 'Hesap Özeti Dönemi', 'Sorgu Tarih Aralığı'],
    from: ['Başlangıç Tarihi', 'İlk Tarih', 'Dönem Başlangıcı'],
    to: ['Bitiş Tarihi', 'Son Tarih', 'Dönem Sonu'],
    opening: [
      'Açılış Bakiyesi',
      'Açılış Bakiye',
      'Devreden Bakiye',
      'Devir Bakiyesi',
      'Dönem Başı Bakiyesi',
      'Dönem Başı Bakiye',
      'Önceki Bakiye',
      'Başlangıç Bakiyesi',
    ],
    closing: ['Kapanış Bakiyesi', 'Kapanış Bakiye', 'Dönem Sonu Bakiyesi', 'Dönem Sonu Bakiye'],
  },
  footer: [
    'Toplam',
    'Genel Toplam',
    'Borç Toplamı',
    'Alacak Toplamı',
    'Kapanış Bakiye',
    'Dönem Sonu Bakiye',
    'Son Bakiye',
    'Bakiye',
    'Kullanılabilir Bakiye',
    'Kayıt Sayısı',
    'İşlem Sayısı',
    'İşlem Adedi',
    'Bu belge',
    'Bu ekstre',
    'Bu rapor',
    'Rapor Tarihi',
    'Sayfa',
  ],
  carriedForward: ['Devreden', 'Devir', 'Açılış Bakiye', 'Önceki Bakiye', 'Dönem Başı Bakiye'],
} satisfies Partial<BankProfile>
