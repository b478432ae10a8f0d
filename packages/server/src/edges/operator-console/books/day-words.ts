import type { Language } from '../../web/console/site.ts'

const tr = {
  paperTitle: 'Gün sonu mutabakatı',
  goToSignOff: 'Kapanışa git',
  allAccounts: (count: number) => `Toplam · ${count} hesap`,
  ofAccounts: (some: number, all: number) => `${some} / ${all} hesap`,
  moved: (amount: string) => `Banka bazı satırları başka bir günde sayıyor; bu, kapanışı ${amount} değiştiriyor.`,
  matched: 'eşleşti veya defter kaydına bağlı',
  linesOfDay: (count: number) => `Günün satırları (${count})`,
  causes: {
    entered: 'elle girilen satır ekstrede yok',
    unconfirmed: 'gün içi satırı gün sonu ekstresinde yok',
    dismissed: 'iki kişinin geçersiz saydığı satır',
  },
  likelyCause: 'Farkın nedeni, karar bekleyen satırlar olabilir:',
  linesToReview: (count: string, sum: string) => `incelenecek ${count} satır, ${sum}`,
  unreadLines: (count: number) => `okunamayan ${count} satır`,
  signatures: ['Kapatmayı öneren', 'Günü kapatan'],
  signatureFields: { name: 'Ad soyad', date: 'Tarih', signature: 'İmza' },
}

const en: typeof tr = {
  paperTitle: 'Reconciliation of the day',
  goToSignOff: 'Go to the sign-off',
  allAccounts: (count) => (count === 1 ? 'Total · 1 account' : `Total · ${count} accounts`),
  ofAccounts: (some, all) => `${some} of ${all} accounts`,
  moved: (amount) => `The bank counts some lines on another day; that changes the closing by ${amount}.`,
  matched: 'matched, or in a journal entry',
  linesOfDay: (count) => `Lines of the day (${count})`,
  causes: {
    entered: 'a line entered by hand is not in the statement',
    unconfirmed: 'a line of the day is not in its final statement',
    dismissed: 'a line that two people dismissed',
  },
  likelyCause: 'Lines that wait for a decision may be the cause:',
  linesToReview: (count, sum) => (count === '1' ? `1 line to review, ${sum}` : `${count} lines to review, ${sum}`),
  unreadLines: (count) => (count === 1 ? '1 unread line' : `${count} unread lines`),
  signatures: ['Proposed by', 'Closed by'],
  signatureFields: { name: 'Name', date: 'Date', signature: 'Signature' },
}

/** Of the page of a day, on screen and on paper. */
export const DAY_WORDS: Record<Language, typeof tr> = { tr, en }
