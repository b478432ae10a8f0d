import type { HeldBy } from '../../../domain/withdrawals/index.ts'
import type { Language } from '../../web/console/site.ts'

type Held = NonNullable<HeldBy> | 'differs_from_withdrawal'

const tr = {
  title: 'Elle gönderilecekler',
  link: (count: number) => (count === 0 ? 'Elle gönderilecekler' : `Elle gönderilecekler (${count})`),
  lead: 'Bu çekimleri Vezne göndermez: bir kişi bankanın kendi sisteminden gönderir ve bankanın referansını buraya yazar.',
  none: 'Elle gönderilecek çekim yok.',
  steps: [
    '“Ben gönderiyorum” deyin: 15 dakika boyunca çekim sizdedir, bilgileri yalnızca siz kopyalarsınız.',
    'Bankanın sisteminde tek tek gönderin: yazan hesaptan, yazan tutar ve açıklamayla.',
    'Gönderir göndermez bankanın referansını kaydedin. Çekim tamamlanır ve satıcıya bildirilir.',
  ],
  oldest: (count: number) => `En eski ${count} çekim gösteriliyor.`,
  name: 'Alıcı adı',
  iban: 'Alıcı IBAN’ı',
  amount: 'Tutar',
  description: 'Açıklama',
  rail: 'Ödeme yolu',
  copy: (what: string) => `Kopyala: ${what}`,
  held: {
    merchant_frozen: 'Göndermeyin: satıcı dondurulmuş. Bu karttaki çekimi zaten gönderdiyseniz referansını kaydedin.',
    ledger_drifted: 'Göndermeyin: defterdeki bakiyeler hareketlerle tutmuyor. Önce sunucuyu yöneten kişiye sorun.',
    restored:
      'Göndermeyin: sistem yedekten geri yüklendi, bu çekim daha önce ödenmiş olabilir. Önce sunucuyu yöneten kişiye sorun.',
    differs_from_withdrawal:
      'Göndermeyin: bu ödeme Vezne’nin yazdığı gibi değil. Hemen sunucuyu yöneten kişiye haber verin.',
  } satisfies Record<Held, string>,
  seenOnStatement: 'Göndermeyin: ekstrede bu çekime ait olabilecek bir satır var.',
  reported: 'Bu çekim için görüş bildiren var: göndermeden önce bankanın sistemine bir kez daha bakın.',
  reference: 'Bankanın referansı',
  take: 'Ben gönderiyorum',
  release: 'Göndermedim, bırak',
  takenBy: (name: string, until: string) => `${name} gönderiyor (en geç ${until}). Siz göndermeyin.`,
  yours: (until: string) => `${until} saatine kadar sizde. Gönderince referansı kaydedin; göndermeyecekseniz bırakın.`,
  opened: (name: string, at: string) =>
    `${name} bu bilgileri açtı (${at}) ve bir şey kaydetmedi: göndermeden önce bankaya bakın.`,
  sentBefore: 'Gönderilmiş ama kaydedilmemiş',
  sent: 'Gönderildi, kaydet',
  cannot: 'Gönderilemiyor',
  cannotLead:
    'Banka kabul etmiyorsa iki kişi birbirinden bağımsız olarak bildirir; para satıcıya geri döner. Bankanın sisteminde başlamış bir transfer kalmadığından emin olun.',
  notSent: 'Gönderilmedi',
  unproven:
    'Bankanın sistemine baktım: bu çekim gönderilmedi ve artık gönderilmeyecek. Gönderilmişse aynı para iki kez çıkmış olur.',
  said: {
    sentByHand: 'Kaydedildi: çekim tamamlandı.',
    taken: 'Çekim sizde: bilgileri kartında.',
    released: 'Bırakıldı: başkası gönderebilir.',
  },
}

type ByHandWords = typeof tr

const en: ByHandWords = {
  title: 'To send by hand',
  link: (count) => (count === 0 ? 'To send by hand' : `To send by hand (${count})`),
  lead: 'Vezne does not send these payouts: a person sends them in the bank’s own system and records the bank’s reference here.',
  none: 'No payout is to be sent by hand.',
  steps: [
    'Press “I am sending it”: the payout is yours for 15 minutes, and only you can copy its data.',
    'Send one at a time in the bank’s system: from the account that is shown, with this amount and description.',
    'Record the bank’s reference at once. The payout is completed, and the merchant is told.',
  ],
  oldest: (count) => `The oldest ${count} are shown.`,
  name: 'Recipient',
  iban: 'IBAN of the recipient',
  amount: 'Amount',
  description: 'Description',
  rail: 'Rail',
  copy: (what) => `Copy: ${what}`,
  held: {
    merchant_frozen: 'Do not send it: the merchant is frozen. If you have sent it already, record its reference.',
    ledger_drifted:
      'Do not send it: balances of the ledger differ from their transfers. Ask the person who runs the machines first.',
    restored:
      'Do not send it: the service was restored from a backup, and this payout may have been paid before. Ask the person who runs the machines first.',
    differs_from_withdrawal:
      'Do not send it: Vezne has not written this payout as it is. Tell the person who runs the machines at once.',
  },
  seenOnStatement: 'Do not send it: the statement has a line that may be this payout.',
  reported: 'Someone has reported about this payout: look at the bank’s system once more before you send it.',
  reference: 'The bank’s reference',
  take: 'I am sending it',
  release: 'I did not send it, let go',
  takenBy: (name, until) => `${name} is sending it (until ${until} at most). Do not send it.`,
  yours: (until) => `Yours until ${until}. Record the reference once it is sent; if you will not send it, let it go.`,
  opened: (name, at) => `${name} opened these data (${at}) and recorded nothing: check the bank before you send it.`,
  sentBefore: 'Sent, but not recorded',
  sent: 'It was sent, record',
  cannot: 'It cannot be sent',
  cannotLead:
    'If the bank does not take it, two people report so, independently; the money goes back to the merchant. Make sure that no transfer of it is left in the bank’s system.',
  notSent: 'Not sent',
  unproven:
    'I have looked at the bank’s system: this payout was not sent and will not be. If it was, the same money leaves twice.',
  said: {
    sentByHand: 'Recorded: the payout is completed.',
    taken: 'The payout is yours: its card has the data.',
    released: 'Let go: another person may send it.',
  },
}

export const BY_HAND_WORDS: Record<Language, ByHandWords> = { tr, en }
