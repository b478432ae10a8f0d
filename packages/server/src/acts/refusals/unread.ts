import type { LineField, UNREAD } from '../../kernel/refusals/unread.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

const FIELDS: Record<LineField, readonly [en: string, tr: string]> = {
  account: ['the account', 'hesap'],
  reference: ["the bank's number", 'bankanın no’su'],
  senderName: ["the sender's name", 'gönderenin adı'],
  senderIban: ["the sender's IBAN", 'gönderenin IBAN’ı'],
  narrative: ['the description', 'açıklama'],
  currency: ['the currency', 'para birimi'],
}

export const UNREAD_SENTENCES: Sentences<typeof UNREAD> = {
  line_kept: {
    en: ({ line, state }) => `bank line ${line} may be about it and waits in ${state}`,
    tr: ({ line, state }) => `${line} banka satırı bununla ilgili olabilir ve bekliyor (${durum(state)})`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
  unread_lines_kept: {
    en: ({ count }) => `${count} unread line(s) may be about it`,
    tr: ({ count }) => `okunamayan ${count} satır bununla ilgili olabilir`,
    cli: 'vezne line unread',
  },
  inbox_file_refused: {
    en: ({ isTable }) =>
      `Nothing was imported. Fix the cause and move the file back to inbox/, or import it by hand.${isTable ? ' How tables of this connection are read can be saved as mapping.json in its folder (docs/statements.md).' : ''}`,
    tr: ({ isTable }) =>
      `Hiçbir şey aktarılmadı. Nedeni giderip dosyayı inbox/ klasörüne geri koyun ya da elle yükleyin.${isTable ? ' Bu bağlantının tablolarının nasıl okunacağı klasöründeki mapping.json dosyasına yazılabilir (docs/statements.md).' : ''}`,
    cli: 'vezne statement import FILE',
  },
  unread_not_ours: { en: 'not one of our accounts', tr: 'hesap bizim değil' },
  unread_other_side: { en: 'the other side of one of our payouts', tr: 'bir çekimimizin karşı tarafı' },
  unread_amount_zero: { en: 'the amount is zero', tr: 'tutar sıfır' },
  unread_no_connection: {
    en: 'this account has no connection yet',
    tr: 'bu hesabın bağlantısı henüz yok',
    cli: 'vezne account connect',
  },
  unread_other_source: {
    en: ({ connection }) => `the source of record of this account is ${connection}`,
    tr: ({ connection }) => `bu hesabın esas kaynağı ${connection}`,
  },
  unread_currency_differs: {
    en: ({ line, account }) => `the line is in ${line}, the account in ${account}`,
    tr: ({ line, account }) => `satır ${line}, hesap ${account} para biriminde`,
  },
  unread_no_object: { en: 'the line is not an object', tr: 'satır okunacak biçimde değil' },
  unread_amount_wrong: { en: 'the amount cannot be read', tr: 'tutar okunamıyor' },
  unread_direction_unknown: {
    en: 'the direction is neither credit nor debit',
    tr: 'giriş mi çıkış mı olduğu yazmıyor',
  },
  unread_value_date_wrong: { en: 'the value date cannot be read', tr: 'valör okunamıyor' },
  unread_booked_at_wrong: {
    en: 'the booking time is not a time with a time zone',
    tr: 'işlem zamanı, saat dilimi olan bir zaman değil',
  },
  unread_reference_odd: {
    en: "the bank's number has a sign, a point or an exponent",
    tr: 'bankanın no’su tam sayı değil',
  },
  unread_field_missing: {
    en: ({ field }) => `${FIELDS[field][0]} is missing`,
    tr: ({ field }) => `${FIELDS[field][1]} eksik`,
  },
  unread_field_long: {
    en: ({ field, length, most }) => `${FIELDS[field][0]} has ${length} characters, more than ${most}`,
    tr: ({ field, length, most }) => `${FIELDS[field][1]} ${length} karakter; en çok ${most} olabilir`,
  },
  unread_booked_ahead: {
    en: ({ days }) => `the booking time is more than ${days} days in the future`,
    tr: ({ days }) => `işlem zamanı ${days} günden çok ileride`,
  },
  unread_booked_before: {
    en: ({ year }) => `the booking time is before ${year}`,
    tr: ({ year }) => `işlem zamanı ${year} yılından önce`,
  },
  unread_value_ahead: {
    en: ({ days }) => `the value date is more than ${days} days in the future`,
    tr: ({ days }) => `valör ${days} günden çok ileride`,
  },
  unread_value_before: {
    en: ({ year }) => `the value date is before ${year}`,
    tr: ({ year }) => `valör ${year} yılından önce`,
  },
  unread_not_storable: {
    en: ({ error }) => `the database cannot store the line: ${error}`,
    tr: ({ error }) => `veritabanı satırı kaydedemiyor: ${error}`,
  },
  unread_line: {
    en: ({ day, amount, why }) => `${day} ${amount}: ${why}`,
    tr: ({ day, amount, why }) => `${gun(day)} ${amount}: ${why}`,
  },
}
