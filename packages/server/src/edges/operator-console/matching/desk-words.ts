import type { Language } from '../../web/console/site.ts'

const tr = {
  named: 'Kodun yatırımı',
  differs: (asked: string, received: string) =>
    `İstenen ${asked}, gelen ${received}: yatırım ${received} ile tamamlansın.`,
  entered: 'Elle girilen satır',
  waits: 'öneri bekliyor',
  noTime: 'saati yok',
  today: 'bugün',
  sameDay: 'aynı gün, satırın saati yok',
  unconfirmed: 'kesinleşmedi',
  refund: 'İade',
  entry: 'Defter kaydı',
  restore: 'Satır yeniden geçerli',
  restoreTitle: 'Defterde değil',
  restoreLead: {
    dismissed: 'İki kişi, bankanın bu satırı saymadığını söyledi. Banka sayıyorsa satırı yine iki kişi geçerli kılar.',
    replaced:
      'Yerine başka bir satır geçti. Bu yanlışsa, onu geçirmemiş bir kişi satırı geçerli kılar; yerine geçen satır önce defterden çıkmalıdır.',
  },
  enterAgain: 'Elle girilmişti ve defterden çıktı. Banka sayıyorsa yeniden girilir:',
  beingMatched: 'Eşleştirici bu satıra bakacak.',
  otherOfOurs: 'diğer hesabımız',
  suspendedAlready: 'Para zaten askıda.',
  noSuspend: 'Bu satırdaki para askıya alınamaz.',
  ofSender:
    'Dikkat: bu kayıtla bir gönderenin parası müşteriye değil, bizim sonucumuza yazılır. Banka mı gönderdi, emin olun.',
  waitsTitle: 'Bekleyen öneri',
  waitsLead: 'Bu satır için bir öneri var. Başka biri onaylar veya reddeder; öneren geri alabilir.',
  thirdParty:
    'Gönderen müşteri değil; para bu yüzden bekletiliyor. Bu yatırıma ait olduğundan eminseniz nedenini yazıp eşleştirin; değilse parayı gönderene iade edin.',
  goesTo: 'Parayı alacak',
  toSender: 'gönderen',
  toOther: 'satırdaki hesap değil',
  house: 'İade edilecek para (bizde)',
  houseHeld: 'İade için ayrılan para (bizde)',
  outcome: 'Sonuç',
  paidTwice: 'İkinci ödemesi olduğu yatırım',
  paidBefore: (money: string) => `için aynı gönderenden ${money} zaten alındı: ikinci ödeme olabilir`,
  corrected: 'Banka bu satırı düzeltmiş olabilir. Önce düzeltme satırına karar verin:',
  firstIsBooked:
    'İlk satır deftere geçmiş. Banka onun yerine bu satırı sayıyorsa önce aşağıdaki öneriyi verin; ikinci kişi onaylayınca burada “İlkinin yerine geçer” seçeneği açılır.',
  firstStands: (dismiss: string) =>
    `Banka ilk satırı sayıyor, bu satırı saymıyorsa ve tutarlar farklıysa “${dismiss}” deyin.`,
  costs: (sent: string, came: string, rest: string, by: 'merchant' | 'operator') =>
    `${sent} gönderilmişti, ${came} geri geldi: ${rest} masrafı ${by === 'merchant' ? 'satıcı öder' : 'biz öderiz'}.`,
  payoutBecomes: {
    completed: 'tamamlanır; borç satırı bu olur',
    debited: 'borç satırı bu olur',
    notDebited: 'artık borç satırı yok; durumu değişmez',
    returned: 'geri döndü olur; satıcıya bildirilir',
    notReturned: 'geri dönmemiş olur',
  },
  twoLines: 'Bu satır ve tekrarı olabileceği satır',
  thisLine: 'Bu satır',
  firstLine: 'İlk satır',
  text: 'Açıklama',
  alike: { same: 'aynı', other: 'farklı', unknown: 'bilinmiyor' },
  enteredFirst: (who: string) =>
    `İlk satırı ${who} elle girdi. Bu satır başka bir ödemeyse ya da göndereni veya kodu farklıysa, ne olduğunu onu girmemiş iki kişi söylemeli: biri önerir, öteki Onaylar sayfasında onaylar.`,
  creditedFirst: 'İlk satır deftere geçmiş. Bunun başka para olduğunu iki kişi söylemeli.',
  setAside: 'Deftere alınmadı',
  setAsideLead: 'Bu satır, ilk satırla aynı hareket sayıldığı için deftere alınmadı. Yanlışsa ne olduğunu söyleyin.',
}

const en: typeof tr = {
  named: 'Deposit of the code',
  differs: (asked, received) => `Asked for ${asked}, received ${received}: complete the deposit with ${received}.`,
  entered: 'Line entered by hand',
  waits: 'proposal waits',
  noTime: 'no time',
  today: 'today',
  sameDay: 'the same day, the line has no time',
  unconfirmed: 'not confirmed',
  refund: 'Refund',
  entry: 'Journal entry',
  restore: 'The line counts again',
  restoreTitle: 'Not in the books',
  restoreLead: {
    dismissed: 'Two people said that the bank does not count this line. If the bank does, two people say so here.',
    replaced:
      'Another line replaced this one. If that was wrong, a person who did not replace it says so here; the other line must be out of the books first.',
  },
  enterAgain: 'It was entered by hand and is out of the books. If the bank counts it, enter it again:',
  beingMatched: 'The matcher will judge this line.',
  otherOfOurs: 'our other account',
  suspendedAlready: 'The money is in suspense already.',
  noSuspend: 'The money of this line cannot be put in suspense.',
  ofSender:
    'Careful: this books money that someone sent as our own result, not as a customer’s. Make sure that the bank sent it.',
  waitsTitle: 'Proposal that waits',
  waitsLead:
    'There is a proposal about this line. Another person approves or rejects it; who proposed it can take it back.',
  thirdParty:
    'The sender is not the customer, so the money is held. If you are sure that it is for this deposit, say why and match it; if not, refund it to its sender.',
  goesTo: 'Goes to',
  toSender: 'the sender',
  toOther: 'not the account on the line',
  house: 'Money to be refunded (ours)',
  houseHeld: 'Money set aside for the refund (ours)',
  outcome: 'What happens',
  paidTwice: 'Second payment of deposit',
  paidBefore: (money) => `already has ${money} of the same sender: this may be a second payment`,
  corrected: 'The bank may have corrected this line. Decide first about the correction:',
  firstIsBooked:
    'The first line is booked. If the bank counts this one instead, make the proposal below; once a second person has approved it, “It replaces the first” can be chosen here.',
  firstStands: (dismiss) =>
    `If the bank counts the first line and not this one, and their amounts differ: “${dismiss}”.`,
  costs: (sent, came, rest, by) =>
    `${sent} was sent, ${came} came back: ${by === 'merchant' ? 'the merchant bears' : 'we bear'} the costs of ${rest}.`,
  payoutBecomes: {
    completed: 'is completed; this is its debit',
    debited: 'this is its debit',
    notDebited: 'has no debit any more; its state stays',
    returned: 'is returned; the merchant is told',
    notReturned: 'did not come back',
  },
  twoLines: 'This line and the one that it may repeat',
  thisLine: 'This line',
  firstLine: 'First line',
  text: 'Text',
  alike: { same: 'same', other: 'different', unknown: 'not known' },
  enteredFirst: (who) =>
    `${who} entered the first line by hand. If this one is another payment, or its sender or code differs, two people who did not enter it say what it is: one proposes it, the other approves it on Approvals.`,
  creditedFirst: 'The first line is booked. That this one is other money takes two people.',
  setAside: 'Not booked',
  setAsideLead:
    'This line was not booked because it was taken for the same booking as the first. If that is wrong, say what it is.',
}

/** About proposals that wait, other people's money, and where a refund goes. */
export const DESK_WORDS: Record<Language, typeof tr> = { tr, en }
