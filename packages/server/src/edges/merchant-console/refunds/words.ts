const tr = {
  title: 'İade et',
  left: (amount: string) => `İade edilebilir: ${amount}. Para, yatırımın geldiği hesaba gider.`,
  amountHint: '350 veya 1.250,00 gibi yazın. Tamamı için olduğu gibi bırakın.',
  wrongAmount: '350 veya 1.250,00 gibi yazılmalı',
  reason: 'Neden (isteğe bağlı)',
  refund: 'İade et',
  unknown: 'Banka göndereni bildirmediyse',
  unknownHint:
    'Gönderenin IBAN’ı biliniyorsa burayı boş bırakın. Bilinmiyorsa müşterinizden alın; bu iadeyi ödeme kuruluşundan iki kişi onaylar.',
  name: 'Hesap sahibi',
  twice: (amount: string) =>
    `İki kez ödendi: ${amount} tutarındaki ikinci ödeme bakiyenize geçmedi, ödeme kuruluşunda bekliyor ve gönderene oradan iade edilir. Müşteriniz fazla ödediğini geri istiyorsa iade yapmanız gerekmez.`,
  besides: 'İkinci ödemeyi değil, bakiyeme geçen ödemeyi iade ediyorum.',
  said: { refund_made: 'İade çekim olarak oluşturuldu. Durumunu Çekimler’den izleyin.' },
}

type Words = typeof tr

const en: Words = {
  title: 'Refund',
  left: (amount) => `${amount} can be refunded. The money goes to the account that the deposit came from.`,
  amountHint: 'Such as 350 or 1.250,00. Leave it as it is to refund all.',
  wrongAmount: 'must be written as 350 or 1.250,00',
  reason: 'Reason (optional)',
  refund: 'Refund',
  unknown: 'If the bank did not name the sender',
  unknownHint:
    'Leave it empty if the IBAN of the sender is known. Otherwise ask your customer; two people of the payment service then approve the refund.',
  name: 'Account holder',
  twice: (amount) =>
    `Paid twice: the second payment, ${amount}, is not in your balance. It waits with the payment service, which sends it back to the sender. If your customer only wants the surplus back, you need not refund anything.`,
  besides: 'I am refunding the payment in my balance, not the second one.',
  said: { refund_made: 'The refund is created as a withdrawal. Follow it under Withdrawals.' },
}

export const REFUND_WORDS = { tr, en }
