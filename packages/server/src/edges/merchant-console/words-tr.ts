import { sharedTr } from '../web/console/words-tr.ts'

export const tr = {
  ...sharedTr,
  console: 'Vezne · Satıcı',
  home: 'Özet',
  deposits: 'Yatırımlar',
  links: 'Ödeme linkleri',
  withdrawals: 'Çekimler',
  instructions: 'Çekim talimatları',
  callbacks: 'Callback’ler',
  developer: 'Geliştirici',
  balance: 'Bakiye',
  calls: 'API kayıtları',
  team: 'Ekip',
  brand: 'Marka',

  balances: 'Bakiye',
  available: 'Kullanılabilir',
  held: 'Ayrılan',
  inTransit: 'Yolda',
  today: { deposits: 'Bugünkü yatırımlar', withdrawals: 'Bugünkü çekimler' },
  count: 'Adet',
  sum: 'Toplam',
  noneToday: 'Bugün henüz yok.',
  endpoints: 'Callback adresleri',
  endpoint: 'Adres',
  noRecord:
    'Vezne’de bu önerinin kaydı yok: adı geçen kişi önermemiştir. Yalnızca reddedilebilir; ödeme kuruluşunuza bildirin.',
  noUrl: 'adres girilmedi',
  noEndpoints: 'Callback adresi yok. Olaylar saklanır; bir adres eklendiğinde oradan yeniden gönderilebilir.',
  health: 'Durum',
  healthy: 'çalışıyor',
  disabled: 'kapalı',
  failingSince: (age: string) => `${age} süredir teslim edilemiyor`,
  inQueue: 'Sırada bekleyen',
  waitingInstructions: (count: number) => `Onay bekleyen ${count} çekim talimatı var`,
  rotated: 'API secret’ı yenilendi',
  theOperator: 'hizmetin işletmecisi',
  rotatedHint: 'Yeni secret ile çekim oluşturulabilir. Bundan haberiniz yoksa hemen sorun.',

  currency: 'Para birimi',
  username: 'Kullanıcı',
  net: 'Net tutar',
  refundOf: 'İade edilen yatırım',
  bankReference: 'Banka referansı',
  sendsAt: 'Gönderilecek',
  returned: 'banka parayı geri gönderdi',
  settlement: 'hakediş ödemesi',
  moments: {
    created: 'Oluşturuldu',
    claimed: 'Müşteri gönderdiğini söyledi; para hareketi değildir',
    status: (from: string, to: string) => `Durum: ${from} → ${to}`,
    callback: 'Callback',
  },

  callbacksLead:
    'Sunucunuza bildirdiğimiz olaylar, en yenisi üstte. Teslim edilemeyenler otuz gün boyunca otomatik olarak yeniden gönderilir.',

  logInTitle: 'Satıcı girişi',
  loginName: 'E-posta',
  proveLead: 'Değişiklikler için son on dakikada girilmiş bir parola gerekir.',
}

export type Words = typeof tr
