import { COMMON } from './bank-profile.ts'
import type { BankProfile, ColumnRole, SenderRule } from './bank-profile.ts'

/** Names that Turkish internet branches give their columns. */
const COLUMNS: Record<ColumnRole, string[]> = {
  date: [
    'İşlem Tarihi',
    'Tarih',
    'Tarih/Saat',
    'İşlem Tarihi/Saati',
    'İşlem Tarihi ve Saati',
    'İşlem Tarih ve Saati',
    'Hareket Tarihi',
    'Muhasebe Tarihi',
    'Kayıt Tarihi',
  ],
  valueDate: ['Valör', 'Valör Tarihi'],
  description: ['Açıklama', 'İşlem Açıklaması', 'İşlem Açıklama', 'Hareket Açıklaması', 'Açıklamalar'],
  amount: ['İşlem Tutarı', 'Tutar', 'Hareket Tutarı', 'İşlem Tutar', 'Miktar'],
  debit: ['Borç', 'Borç Tutarı', 'Borç Tutar'],
  credit: ['Alacak', 'Alacak Tutarı', 'Alacak Tutar'],
  mark: ['B/A', 'A/B', 'Borç/Alacak', 'Alacak/Borç', 'B/A Kodu', 'Borç Alacak Kodu', 'İşlem Yönü', 'Yön', '+/-'],
  balance: ['Bakiye', 'İşlem Sonrası Bakiye', 'Son Bakiye', 'Kalan Bakiye', 'Bakiye Tutarı'],
  reference: [
    'Dekont No',
    'Dekont Numarası',
    'Fiş/Dekont No',
    'Dekont/Fiş No',
    'İşlem Referans Numarası',
    'İşlem Referans No',
    'İşlem Referansı',
    'İşlem No',
    'İşlem Numarası',
    'Fiş No',
    'Fiş Numarası',
    'Referans No',
    'Referans Numarası',
    'Referans',
  ],
  account: ['Hesap No', 'Hesap Numarası'],
  iban: ['IBAN', 'Hesap IBAN', 'IBAN No'],
  currency: ['Para Birimi', 'Döviz Cinsi', 'Döviz Kodu', 'Döviz', 'Para Cinsi', 'Hesap Para Birimi', 'PB'],
  counterpartyName: ['Karşı Taraf', 'Karşı Taraf Adı', 'Karşı Hesap Sahibi', 'Karşı Hesap Adı', 'Gönderen/Alıcı'],
  counterpartyIban: ['Karşı IBAN', 'Karşı Taraf IBAN', 'Karşı Hesap IBAN', 'Gönderen/Alıcı IBAN'],
  senderName: ['Gönderen', 'Gönderen Adı', 'Gönderen Ad Soyad', 'Gönderen Adı Soyadı', 'Gönderen Ünvanı'],
  senderIban: ['Gönderen IBAN', 'Gönderen IBAN No', 'Gönderen Hesap IBAN'],
}

const CORE = new Set<ColumnRole>(['date', 'description', 'amount', 'debit', 'credit', 'mark'])

/** GELEN FAST-AD SOYAD-description, and Gönderen: AD SOYAD anywhere. */
const SENDER: SenderRule[] = [
  ...['GELEN FAST', 'GELEN EFT', 'GELEN HAVALE', 'FAST GELEN', 'EFT GELEN', 'HAVALE GELEN'].map((begins) => ({
    begins,
    separator: '-',
    parts: 3,
    name: 1,
  })),
  { label: 'Gönderen:', gives: 'name', ends: [',', ';', '/', '|', ' - ', 'IBAN', 'Sorgu', 'Açıklama', 'Gönderen'] },
  { label: 'Gönderen IBAN:', gives: 'iban', ends: [',', ';', '/', '|', ' - ', 'Sorgu', 'Açıklama'] },
]

function profile(id: string, name: string, alwaysSigned: boolean, recognise: BankProfile['recognise']): BankProfile {
  const optional = (Object.keys(COLUMNS) as ColumnRole[]).filter((role) => !CORE.has(role))
  const amounts: BankProfile['amounts'] = ['marked', 'split', 'signed']
  return { ...COMMON, id, name, amounts, alwaysSigned, columns: COLUMNS, optional, sender: SENDER, recognise }
}

/** Banks that are known. Another bank is described by a column mapping of the same type. */
export const BANK_PROFILES: Readonly<Record<'ziraat' | 'garanti' | 'vakifbank' | 'kuveyt-turk' | 'teb', BankProfile>> =
  {
    ziraat: profile('ziraat', 'Ziraat Bankası', false, {
      bankCodes: ['0010'],
      names: ['Ziraat Bankası'],
      headers: [['Tarih', 'Açıklama', 'Borç', 'Alacak', 'Bakiye', 'Dekont No']],
    }),
    garanti: profile('garanti', 'Garanti BBVA', true, {
      bankCodes: ['0062'],
      names: ['Garanti Bankası', 'Garanti BBVA'],
      headers: [['Tarih', 'Açıklama', 'Etiket', 'Tutar']],
    }),
    vakifbank: profile('vakifbank', 'VakıfBank', false, {
      bankCodes: ['0015'],
      names: ['Vakıflar Bankası', 'VakıfBank'],
      headers: [['Fiş No', 'İşlem Tarihi', 'Açıklama', 'B/A']],
    }),
    'kuveyt-turk': profile('kuveyt-turk', 'Kuveyt Türk', true, {
      bankCodes: ['0205'],
      names: ['Kuveyt Türk'],
      headers: [['İşlem Tarihi', 'Açıklama', 'Bakiye', 'İşlem Referans Numarası']],
    }),
    teb: profile('teb', 'TEB', false, {
      bankCodes: ['0032'],
      names: ['Türk Ekonomi Bankası', 'Türkiye Ekonomi Bankası', 'TEB A.Ş.'],
      headers: [['Tarih', 'Açıklama', 'Borç', 'Alacak', 'Bakiye', 'İşlem No']],
    }),
  }
