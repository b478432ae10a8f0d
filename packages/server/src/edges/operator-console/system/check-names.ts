import type { Language } from '../../web/console/site.ts'

/** Turkish names of the checks; a part in parentheses is kept. Others keep their English name. */
const TURKISH: [name: RegExp, text: string][] = [
  [/^database$/, 'veritabanı'],
  [/^durability$/, 'kalıcılık'],
  [/^database role$/, 'veritabanı rolü'],
  [/^reading role$/, 'okuma rolü'],
  [/^writing$/, 'yazma'],
  [/^primary$/, 'ana sunucu'],
  [/^statement timeout$/, 'sorgu süresi sınırı'],
  [/^archiving$/, 'arşivleme'],
  [/^disk$/, 'disk'],
  [/^migrations$/, 'migration’lar'],
  [/^clock$/, 'saat'],
  [/^workers$/, 'arka plan işleri'],
  [/^bank (.+)$/, 'banka: $1'],
  [/^connection (.+)$/, 'bağlantı: $1'],
  [/^sources of record$/, 'hesapların kaynağı'],
  [/^callbacks$/, 'callback’ler'],
  [/^master key$/, 'ana anahtar'],
  [/^ledger$/, 'defter'],
  [/^restored$/, 'yedekten dönüş'],
  [/^payouts without a debit$/, 'borç satırı olmayan ödemeler'],
  [/^returned payouts without a credit$/, 'alacak satırı olmayan iadeler'],
  [/^debits without a payout$/, 'ödemesi olmayan borç satırları'],
  [/^incoming money that needs review$/, 'incelenecek gelen para'],
  [/^money in suspense$/, 'askıdaki para'],
  [/^statements$/, 'ekstreler'],
  [/^unread lines$/, 'okunamayan satırlar'],
  [/^unexplained lines$/, 'açıklanmamış satırlar'],
  [/^lines entered by hand$/, 'elle girilen satırlar'],
  [/^order files$/, 'talimat dosyaları'],
  [/^books of (.+)$/, '$1 gününün defteri'],
  [/^closed days$/, 'kapanan günler'],
  [/^audit$/, 'denetim kaydı'],
  [/^payouts and their withdrawals$/, 'ödemeler ve çekimleri'],
  [/^events$/, 'olaylar'],
  [/^service$/, 'servis'],
  [/^money$/, 'para'],
  [/^books$/, 'defterler'],
  [/^rows$/, 'kayıtlar'],
]

export function checkName(language: Language, check: string): string {
  const found = language === 'tr' ? TURKISH.find(([name]) => name.test(check)) : undefined
  return found ? check.replace(...found) : check
}
