const tr = {
  lead: 'Bir müşteri için elle yatırım oluşturun; adresi mesajla veya karekodla gönderin. Müşteri banka seçer ve havale yapar.',
  title: 'Ödeme linki',
  make: 'Link oluştur',
  customerId: 'Müşteri no',
  optional: 'isteğe bağlı',
  amountHint: '350 veya 1.250,00 gibi yazın',
  wrongAmount: '350 veya 1.250,00 gibi yazılmalı',
  note: 'Not',
  noteHint: 'Callback’te metadata.note olarak gelir.',
  address: 'Ödeme adresi',
  open: 'Sayfayı aç',
  qr: 'Ödeme adresinin karekodu',
  made: 'Elle oluşturulan linkler',
  none: 'Henüz link oluşturulmadı.',
  madeAt: 'Oluşturma',
  notMade: 'oluşturulamadı',
  notMadeText: 'Bu link için yatırım oluşturulmadı: istek reddedildi. Yeni bir link oluşturun.',
  all: 'Bütün linkler',
  transaction: 'İşlemi gör',
  said: { link_made: 'Link hazır. Müşterinize gönderin.' },
}

type Words = typeof tr

const en: Words = {
  lead: 'Make a deposit by hand for a customer; send the address in a message or as a QR code. The customer chooses a bank and pays.',
  title: 'Payment link',
  make: 'Make a link',
  customerId: 'Customer number',
  optional: 'optional',
  amountHint: 'Such as 350 or 1.250,00',
  wrongAmount: 'must be written as 350 or 1.250,00',
  note: 'Note',
  noteHint: 'Comes with the callback as metadata.note.',
  address: 'Payment address',
  open: 'Open the page',
  qr: 'QR code of the payment address',
  made: 'Links made by hand',
  none: 'No link was made yet.',
  madeAt: 'Made',
  notMade: 'not made',
  notMadeText: 'There is no deposit for this link: the request was refused. Make a new link.',
  all: 'All links',
  transaction: 'Show the transaction',
  said: { link_made: 'The link is ready. Send it to your customer.' },
}

export const LINK_WORDS = { tr, en }
