import type { RevealReason } from '../../../domain/people/index.ts'

const tr = {
  show: 'Kişisel verileri göster',
  lead: 'Ad, IBAN ve banka açıklaması on dakika yalnızca size açık görünür. Kim, neyi, neden açtı: denetim kaydına yazılır.',
  reason: 'Neden',
  choose: 'Seçin',
  note: 'Açıklama',
  noteHint: 'talep no veya konu; kişisel veri yazmayın',
  confirm: 'Göster ve kaydet',
  shownUntil: (time: string) => `Kişisel veriler size ${time} saatine kadar açık. Bu görüntüleme kaydedildi.`,
  reasons: {
    customer_asks: 'Müşterinin sorusu',
    payment_sought: 'Ödeme aranıyor',
    bank_asked: 'Bankaya sorulacak',
    fraud_suspected: 'Dolandırıcılık şüphesi',
    required_by_law: 'Resmî talep',
  } satisfies Record<RevealReason, string>,
  revealed: 'Kişisel veriler on dakika açık; bu görüntüleme kaydedildi.',
}

const en: typeof tr = {
  show: 'Show personal data',
  lead: 'Names, IBANs and the text of the bank are shown to you alone for ten minutes. Who opened what and why is written to the audit log.',
  reason: 'Reason',
  choose: 'Choose',
  note: 'Explanation',
  noteHint: 'number or subject of the request; no personal data',
  confirm: 'Show and record',
  shownUntil: (time) => `Personal data is shown to you until ${time}. This is recorded.`,
  reasons: {
    customer_asks: 'The customer asks',
    payment_sought: 'A payment is sought',
    bank_asked: 'The bank is asked',
    fraud_suspected: 'Fraud is suspected',
    required_by_law: 'Required by law',
  },
  revealed: 'Personal data is shown for ten minutes; this is recorded.',
}

export const REVEAL_WORDS = { tr, en }
