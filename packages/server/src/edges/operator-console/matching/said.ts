/** What a page says after a decision. */
export const saidTr = {
  lineMatched: 'Eşleşti: yatırım tamamlandı.',
  matchProposed: 'Öneri kaydedildi: eşleştirmeyi başka biri onaylamalı.',
  lineSuspended: 'Para askıda.',
  lineReturned: 'İade kaydedildi.',
  lineSent: 'Çekimin borç satırı kaydedildi.',
  lineCorrected: 'Satırın ne olduğu kaydedildi.',
  lineRetried: 'Satır yeniden eşleştiriciye verildi.',
  lineDismissed: 'Satır defterden çıktı.',
  lineDismissalProposed: 'Kaydedildi: ikinci bir kişi de söylemeli.',
  lineRestored: 'Satır yeniden geçerli.',
  lineRestoreProposed: 'Kaydedildi: ikinci bir kişi de söylemeli.',
  newMoneyProposed: 'Öneri kaydedildi: başka bir ödeme olduğunu ikinci bir kişi de onaylamalı.',
  sameMoneyProposed: 'Öneri kaydedildi: aynı para olduğunu ikinci bir kişi de onaylamalı.',
  withdrawalStopped: 'Çekim durduruldu; para satıcıya geri döndü.',
  entryWaits: 'Öneri kaydedildi: başka biri onaylamalı.',
  entryProposed: 'Öneri kaydedildi: başka biri onaylamalı.',
  entryPosted: 'Kayıt deftere geçti.',
}

const saidEn: typeof saidTr = {
  lineMatched: 'Matched: the deposit is completed.',
  matchProposed: 'Proposed: another person must approve the match.',
  lineSuspended: 'The money is in suspense.',
  lineReturned: 'The return is recorded.',
  lineSent: 'The debit of the payout is recorded.',
  lineCorrected: 'What the line is, is recorded.',
  lineRetried: 'The matcher judges the line again.',
  lineDismissed: 'The line is out of the books.',
  lineDismissalProposed: 'Recorded: a second person must say so, too.',
  lineRestored: 'The line counts again.',
  lineRestoreProposed: 'Recorded: a second person must say so, too.',
  newMoneyProposed: 'Proposed: a second person must approve that it is another payment.',
  sameMoneyProposed: 'Proposed: a second person must approve that it is the same money.',
  withdrawalStopped: 'The withdrawal is stopped; the money is back with the merchant.',
  entryWaits: 'The proposal is recorded: another person must approve it.',
  entryProposed: 'The proposal is recorded: another person must approve it.',
  entryPosted: 'The entry is booked.',
}

/** After the key of an outcome, if the next line was opened. */
export const NEXT = '.next'

/** With what was opened after it. */
const withNext = (texts: typeof saidTr, next: string) =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => [
      [key, text],
      [`${key}${NEXT}`, `${text} ${next}`],
    ]),
  )

export const SAID = {
  tr: withNext(saidTr, 'Sıradaki satır açıldı.'),
  en: withNext(saidEn, 'The next line is open.'),
}
