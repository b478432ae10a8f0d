import type { Language } from '../../web/console/site.ts'

export const BY_HAND = '/payouts/by-hand'

const tr = {
  title: 'Satırı gelmeyen çekimler',
  lead: 'Ödendi ya da geri döndü sayılan, ama iki iş günü sonra da ekstrede satırı görünmeyen çekimler.',
  debits: 'Borç satırı gelmeyenler',
  debitsLead:
    'Önce ekstrenin okunduğuna ve borç satırının eşleştirme masasında beklemediğine bakın; sonra işlem no ile bankaya sorun. İki kişi birbirinden bağımsız olarak aynı sonucu bildirince biter.',
  noDebits: 'Borç satırı gelmeyen çekim yok.',
  credits: 'Alacak satırı gelmeyen iadeler',
  creditsLead:
    'Banka geri döndü dedi ve satıcı parasını aldı; ama hesaba gelen para görünmüyor. Bankaya sorun. Satır gelince ya da eşleştirme masasında ödemenin iadesi olarak seçilince listeden çıkar.',
  noCredits: 'Alacak satırı gelmeyen iade yok.',
  since: 'Sonuçlandı',
  bank: 'Banka',
  found: 'Daha önce bildirilenler',
  evidence: 'Kanıt (en az 5 harf)',
  neverPaid: 'Hiç ödenmedi',
  neverPaidEffect: 'Tutar satıcıya geri yazılır ve satıcıya bildirilir; komisyon kalır.',
  paid: 'Ödendi, borç satırı gelmeyecek',
  paidEffect: 'Deftere bir şey yazılmaz; çekim bu listeden çıkar.',
  said: {
    wasReturned: 'Hiç ödenmedi olarak kapandı: para satıcıya geri yazıldı.',
    wasPaid: 'Borç satırı olmadan ödendi olarak kapandı.',
    unseenDiffer:
      'Görüşler farklı. Üçüncü bir kişi bakıp bunlardan birine katılmalı: şimdi görüş değiştiren ötekilerin görüşünü görmüş olur. O zamana kadar hiçbir şey değişmez: çekim ödenmiş sayılır ve bu listede kalır.',
  },
}

type UnseenWords = typeof tr

const en: UnseenWords = {
  title: 'Payouts without a line',
  lead: 'Payouts that are completed or returned, and that no statement shows after two business days.',
  debits: 'Without a debit',
  debitsLead:
    'First see that the statement was read and that the debit does not wait on the matching desk; then ask the bank with the transaction id. It ends when two people report the same, independently.',
  noDebits: 'No payout lacks its debit.',
  credits: 'Returns without a credit',
  creditsLead:
    'The bank said that it was returned, and the merchant has its money; but no statement shows that it came. Ask the bank. It leaves the list when the line comes, or is chosen as the return on the matching desk.',
  noCredits: 'No return lacks its credit.',
  since: 'Ended',
  bank: 'Bank',
  found: 'Reported before',
  evidence: 'Evidence (at least 5 letters)',
  neverPaid: 'Never paid',
  neverPaidEffect: 'The amount goes back to the merchant, who is told; the fee stays.',
  paid: 'Paid, its debit will not come',
  paidEffect: 'Nothing is booked; the payout leaves this list.',
  said: {
    wasReturned: 'Ended as never paid: the money is back with the merchant.',
    wasPaid: 'Ended as paid without a debit.',
    unseenDiffer:
      'The findings differ. A third person must look and agree with one of them: who changes now has seen the others. Until then nothing happens: the payout counts as paid and stays in this list.',
  },
}

export const UNSEEN_WORDS: Record<Language, UnseenWords> = { tr, en }
