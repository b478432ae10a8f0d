import type { Language } from '../../web/console/site.ts'

const tr = {
  lead: 'Henüz hiçbir satır aktarılmadı. Satırları ve toplamları bankanın kendi sitesiyle karşılaştırın, sonra karar verin.',
  newLines: 'Yeni satırlar',
  noNewLines: 'Yeni satır yok.',
  firstLines: (shown: number, all: number) =>
    `${all} yeni satırın ilk ${shown} tanesi gösteriliyor. Kalanları dosyanın kendisindedir.`,
  day: 'Gün',
  amount: 'Tutar',
  sender: 'Karşı taraf',
  text: 'Açıklama',
  number: 'Numara',
  suspected: 'düzeltme şüphesi',
  enteredBefore: 'elle girilmişti; deftere alınmaz',
  unreadLines: 'Okunamayan satırlar',
  unreadWhy: 'Neden alınamıyor',
  unreadInLive:
    'Bu satırlar bu dosyadan deftere alınmaz, sonra da alınmaz. Para hesaptaysa iki kişi satırı elle girer ya da dosyanın aktarımı geri alınıp dosya okunabilir olunca yeniden yüklenir.',
  unreadInSandbox: 'Bu satırlar “Okunamayan satırlar” sayfasında bekler. Canlıda bu dosyadan deftere alınmaz.',
  firstUnread: (shown: number, all: number) =>
    `${all} okunamayan satırın ilk ${shown} tanesi gösteriliyor. Kalanları dosyanın kendisindedir.`,
  decision: 'Karar',
  differs:
    'Dosya şimdi önerilenden başka bir sonuç verir; bu hâliyle onaylanamaz. Önce eski günlerin dosyalarını onaylayın. Bekleyen eski dosya yoksa bu öneriyi reddedin ve dosyayı yeniden yükleyin.',
  already: 'Bu dosya daha önce aktarılmış; öneriyi reddedebilirsiniz.',
  refusedTitle: 'Dosya gösterilemiyor',
  decided: {
    applied: 'Öneri onaylandı; dosya aktarıldı.',
    rejected: 'Öneri reddedildi; hiçbir satır aktarılmadı.',
    withdrawn: 'Öneri geri çekildi; hiçbir satır aktarılmadı.',
    expired: 'Önerinin süresi doldu: yedi gün içinde onaylanmadı. Dosyayı yeniden yükleyin.',
  },
  toApprovals: 'Onaylara dön',
}

const en: typeof tr = {
  lead: "No line has been imported yet. Compare lines and sums with the bank's own site, then decide.",
  newLines: 'New lines',
  noNewLines: 'No new lines.',
  firstLines: (shown, all) => `These are the first ${shown} of ${all} new lines. The others are in the file itself.`,
  day: 'Day',
  amount: 'Amount',
  sender: 'Other side',
  text: 'Text',
  number: 'Number',
  suspected: 'suspected correction',
  enteredBefore: 'was entered by hand; is not booked',
  unreadLines: 'Unread lines',
  unreadWhy: 'Why it is not booked',
  unreadInLive:
    'These lines are not booked from this file, also not later. If the money is on the account, two people enter the line by hand, or the import is undone and the file uploaded again when it is readable.',
  unreadInSandbox:
    'These lines wait on the page “Lines that could not be read”. In live they are not booked from this file.',
  firstUnread: (shown, all) =>
    `These are the first ${shown} of ${all} unread lines. The others are in the file itself.`,
  decision: 'Decision',
  differs:
    'The file would now bring something other than what was proposed, so it cannot be approved as it is. Approve files of earlier days first. If none waits, reject this proposal and upload the file again.',
  already: 'This file has been imported; you may reject the proposal.',
  refusedTitle: 'The file cannot be shown',
  decided: {
    applied: 'The proposal was approved, and the file imported.',
    rejected: 'The proposal was rejected; no line was imported.',
    withdrawn: 'The proposal was withdrawn; no line was imported.',
    expired: 'The proposal has expired: no one approved it within seven days. Upload the file again.',
  },
  toApprovals: 'Back to the approvals',
}

export const PROPOSED_WORDS: Record<Language, typeof tr> = { tr, en }
