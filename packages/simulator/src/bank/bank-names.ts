import { normaliseIban } from '../iban.ts'

const NAMES: Record<string, string> = {
  '0001': 'TCMB',
  '0010': 'Ziraat Bankası',
  '0012': 'Halkbank',
  '0015': 'VakıfBank',
  '0032': 'TEB',
  '0046': 'Akbank',
  '0059': 'Şekerbank',
  '0062': 'Garanti BBVA',
  '0064': 'İş Bankası',
  '0067': 'Yapı Kredi',
  '0099': 'ING',
  '0103': 'Fibabanka',
  '0111': 'QNB',
  '0123': 'HSBC',
  '0124': 'Alternatif Bank',
  '0125': 'Burgan Bank',
  '0134': 'DenizBank',
  '0135': 'Anadolubank',
  '0143': 'Aktif Bank',
  '0146': 'Odeabank',
  '0157': 'Enpara Bank',
  '0203': 'Albaraka Türk',
  '0205': 'Kuveyt Türk',
  '0206': 'Türkiye Finans',
  '0209': 'Ziraat Katılım',
  '0210': 'Vakıf Katılım',
  '0211': 'Emlak Katılım',
  '0829': 'Papara',
}

/** An unknown code is shown as it is. */
export function bankNameOf(iban: string): string {
  const code = normaliseIban(iban).slice(5, 9)
  return NAMES[code] ?? `Banka ${code}`
}
