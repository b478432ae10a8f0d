/** Lines that people enter, in Turkish. See `translate.ts`. */
export const ENTERED: Record<string, string> = {
  'must say why the line is entered by hand': 'satırın neden elle girildiğini en az beş karakterle yazın',
  '{} has entered it: use --withdraw.': 'Satırı siz girdiniz: reddetmeyin, geri alın.',
  '{} has entered it: only that person withdraws it; use --reject.':
    'Satırı {1} girdi: yalnızca o geri alabilir. Siz reddedebilirsiniz.',
  'must be the booking day, like 2026-01-31, not before 2001 and not in the future':
    'bir gün olmalı; 2001’den önce veya ileri tarihli olamaz',
  'must be the name that the bank shows': 'bankanın gösterdiği adı yazın',
  'must be an IBAN: {}': 'geçerli bir IBAN değil',
  'cannot be booked: {}': 'deftere geçemez; tutarı ve metinlerin uzunluğunu denetleyin',
  'There is no entered line {}. See: vezne line enter --list': 'Elle girilmiş {1} satırı yok.',
  'It was {} by {} already.': 'Buna daha önce karar verildi: {1} ({2}).',
  '{} has entered it; another person must confirm it.': 'Satırı {1} girdi; başka biri onaylamalı.',
  '{}, who entered it, may not decide any more. Reject it and let two others decide.':
    'Satırı giren {1} artık karar veremez. Reddedin; gerekirse başka biri yeniden girsin.',
  'It is not what you saw: it was changed, or similar lines came. Look again.':
    'Gördüğünüz gibi değil: bilgiler değişti veya benzer satırlar geldi. Yeniden bakıp karar verin.',
  '{} is not a line of this account, direction, amount, day and sender':
    '{1} bu hesap, yön, tutar, gün ve karşı tarafla bir satır değil',
  'Line {} ({}) has the same account, direction, amount, day and sender: it may be this booking. See: vezne line show {}. If it is another payment, enter the line again with --besides {}':
    '{1} satırının ({2}) hesabı, yönü, tutarı, günü ve karşı tarafı aynı: aynı hareket olabilir. Başka bir ödemeyse satırı yeniden girip onun kutusunu işaretleyin.',
  'The account has no source of record. Name it first: vezne account connect':
    'Hesabın esas kaynağı belli değil. Önce Bankalar sayfasında bağlantısını seçin.',
  'The line cannot be booked: {}.': 'Satır deftere geçemez: tarihini ve hesabını denetleyin.',
  'Line {} is not confirmed: no final statement of the bank contains it. Its money cannot be sent away. Import the statement of {}. If the bank does not know the booking, two people dismiss the line: vezne line dismiss {}':
    '{1} satırı kesinleşmedi: bankanın hiçbir gün sonu ekstresinde yok. Parası gönderilemez. {2} gününün ekstresini yükleyin. Banka böyle bir hareket bilmiyorsa iki kişi “Bankada geçersiz satır” demeli.',
  'Line {} is not confirmed: the statement of {} (file {}) does not contain it. Its money cannot be sent away. Ask the bank. If it does not know the booking, two people dismiss the line: vezne line dismiss {}':
    '{1} satırı kesinleşmedi: {2} gününün ekstresinde ({3} dosyası) yok. Parası gönderilemez. Bankaya sorun. Banka böyle bir hareket bilmiyorsa iki kişi “Bankada geçersiz satır” demeli.',
  'The import cannot be undone: it confirms line {}, whose money was refunded. Stop the refund first, if it is not sent: vezne withdrawal stop':
    'Aktarma geri alınamaz: parası iade edilen {1} satırı bu dosyayla kesinleşti. İade gönderilmediyse önce onu durdurun.',
  'Line {} shows line {}, which was entered by hand and whose money was refunded. Stop the refund first, if it is not sent: vezne withdrawal stop':
    '{1} satırı, elle girilen ve parası iade edilen {2} satırının bankadaki karşılığı. İade gönderilmediyse önce onu durdurun.',
}
