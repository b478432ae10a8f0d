/** What a page says after a decision. */
export const saidTr = {
  lineMatched: 'Eşleşti: yatırım tamamlandı. Sıradaki satır açıldı.',
  matchProposed: 'Öneri kaydedildi: eşleştirmeyi başka biri onaylamalı. Sıradaki satır açıldı.',
  lineSuspended: 'Para askıda. Sıradaki satır açıldı.',
  lineReturned: 'İade kaydedildi. Sıradaki satır açıldı.',
  lineSent: 'Çekimin borç satırı kaydedildi. Sıradaki satır açıldı.',
  lineCorrected: 'Satırın ne olduğu kaydedildi. Sıradaki satır açıldı.',
  newMoneyProposed: 'Öneri kaydedildi: başka bir ödeme olduğunu ikinci bir kişi de onaylamalı. Sıradaki satır açıldı.',
  lineRetried: 'Satır yeniden eşleştiriciye verildi. Sıradaki satır açıldı.',
  lineDismissed: 'Satır defterden çıktı. Sıradaki satır açıldı.',
  lineDismissalProposed: 'Kaydedildi: ikinci bir kişi de söylemeli. Sıradaki satır açıldı.',
  withdrawalStopped: 'Çekim durduruldu; para satıcıya geri döndü.',
  entryWaits: 'Öneri kaydedildi: başka biri onaylamalı.',
  entryProposed: 'Öneri kaydedildi: başka biri onaylamalı. Sıradaki satır açıldı.',
}

export const saidEn: typeof saidTr = {
  lineMatched: 'Matched: the deposit is completed. The next line is open.',
  matchProposed: 'Proposed: another person must approve the match. The next line is open.',
  lineSuspended: 'The money is in suspense. The next line is open.',
  lineReturned: 'The return is recorded. The next line is open.',
  lineSent: 'The debit of the payout is recorded. The next line is open.',
  lineCorrected: 'What the line is, is recorded. The next line is open.',
  newMoneyProposed: 'Proposed: a second person must approve that it is another payment. The next line is open.',
  lineRetried: 'The matcher judges the line again. The next line is open.',
  lineDismissed: 'The line is out of the books. The next line is open.',
  lineDismissalProposed: 'Recorded: a second person must say so, too. The next line is open.',
  withdrawalStopped: 'The withdrawal is stopped; the money is back with the merchant.',
  entryWaits: 'The proposal is recorded: another person must approve it.',
  entryProposed: 'The proposal is recorded: another person must approve it. The next line is open.',
}
