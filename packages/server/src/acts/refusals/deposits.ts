import type { DEPOSITS } from '../../kernel/refusals/deposits.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

export const DEPOSITS_SENTENCES: Sentences<typeof DEPOSITS> = {
  transaction_exists: {
    en: ({ kind, processId, differs }) =>
      `A ${kind} with processId ${JSON.stringify(processId)} already exists. ${
        differs.length === 0
          ? 'It is the same request.'
          : `This request differs from the first in ${differs.join(', ')}.`
      }`,
    tr: ({ kind, processId, differs }) =>
      `İşlem no’su ${JSON.stringify(processId)} olan bir ${kind === 'deposit' ? 'yatırım' : 'çekim'} zaten var. ${
        differs.length === 0 ? 'İki istek aynı.' : `İlk istekten farklı olanlar: ${differs.join(', ')}.`
      }`,
    api: ({ transaction }) => `See GET /v1/transactions/${transaction}.`,
  },
  request_repeated: {
    en: ({ at }) => `This exact signed request was received before${at === null ? '' : `, at ${at}`}.`,
    tr: ({ at }) => `İmzasıyla birlikte aynı istek daha önce alındı${at === null ? '' : ` (${at})`}.`,
    api: 'Look the result up with GET, or sign again with a new timestamp.',
  },
  form_id_malformed: {
    en: 'does not belong to this form; open the form again',
    tr: 'geçerli değil; formu yeniden açın',
  },

  deposit_not_pending: {
    en: ({ status }) => `Only a pending deposit can be changed or cancelled; this one is ${status}.`,
    tr: ({ status }) =>
      `Yalnızca bekleyen yatırımlar değiştirilebilir veya iptal edilebilir; bu yatırımın durumu: ${durum(status)}.`,
  },
  deposit_not_ended: {
    en: ({ status }) => `The deposit is ${status}: it has not ended.`,
    tr: ({ status }) => `Yatırım henüz sonuçlanmadı; durumu: ${durum(status)}.`,
  },
  deposit_awaits_late_money: {
    en: ({ until }) => `The deposit has expired, and late money may come until ${until}.`,
    tr: ({ until }) => `Yatırımın süresi doldu, ama ${gun(until.slice(0, 10))} gününe kadar geç ödeme gelebilir.`,
  },
  deposit_below_refunds: {
    en: ({ deposit, refunded, received }) =>
      `${refunded} of deposit ${deposit} are refunded or on their way, so it cannot be left with ${received}. Stop its refunds first, then repeat this. If they can no longer be stopped, the money has left: leave the deposit as it is. If the bank took the payment back, two people book its debit as owed to us, and take it from the merchant's balance.`,
    tr: ({ deposit, refunded, received }) =>
      `${deposit} numaralı yatırımın ${refunded} kadarı iade edildi veya ediliyor; bu yüzden ${received} ile bırakılamaz. Önce iadelerini durdurun, sonra bunu yineleyin. Durdurulamıyorsa para çıkmıştır: yatırımı olduğu gibi bırakın. Ödemeyi banka geri aldıysa iki kişi bankanın çektiğini alacak olarak kaydeder ve satıcının bakiyesinden düşer.`,
    cli: ({ deposit }) =>
      [
        'vezne withdrawal stop WITHDRAWAL',
        'vezne journal propose receivable --line DEBIT',
        `vezne journal propose receivable --settles ENTRY --deposit ${deposit}`,
      ].join('\n'),
  },
  deposit_outcome_unknown: {
    en: 'The database was lost while this was looked up, so it is not known whether the deposit exists. Look it up before you try again.',
    tr: 'Veritabanına ulaşılamadı; yatırımın oluşup oluşmadığı bilinmiyor. Yeniden denemeden önce işlemlere bakın.',
    api: 'Use GET /v1/transactions?processId=….',
  },
  deposits_open_too_many: {
    en: ({ open, most }) =>
      `${open} deposits are open, of ${most} that this account may have open at once. They end when they are paid, cancelled or expired; cancel those that are not needed, or ask the operator for a higher limit.`,
    tr: ({ open, most }) =>
      `Bu hesabın aynı anda en çok ${most} açık yatırımı olabilir; şu anda ${open} açık yatırım var. Ödenen, iptal edilen veya süresi dolan yatırım sayılmaz: gerekmeyenleri iptal edin veya işletmeciden sınırı artırmasını isteyin.`,
  },
  deposit_time_passed: {
    en: 'The time to pay has passed.',
    tr: 'Ödeme süresi doldu.',
  },

  // Of an API request: no page has this field.
  bank_not_listed: {
    en: ({ given }) =>
      `must be the _id or the four-digit code of a bank from GET /v1/available-banks, or "FAST", not ${JSON.stringify(given)}`,
    tr: ({ given }) => `bilinen bir banka kodu veya FAST olmalı, ${JSON.stringify(given)} değil`,
  },
  bank_not_offered: {
    en: ({ bank, code, isDisabled }) =>
      `is ${bank} (${code}), which is ${isDisabled ? 'disabled' : 'not available to this account'} at the moment; choose another one from GET /v1/available-banks`,
    tr: ({ bank, code, isDisabled }) =>
      `${bank} (${code}) şu anda ${isDisabled ? 'kapalı' : 'bu hesap için kullanılamıyor'}; başka bir banka seçin`,
  },
  bank_without_currency: {
    en: ({ currency }) => `must be a bank with accounts in ${currency}: FAST carries TRY only`,
    tr: ({ currency }) => `${currency} hesabı olan bir banka olmalı: FAST yalnızca TRY taşır`,
  },
  bank_not_chosen: {
    en: 'Choose a bank first.',
    tr: 'Önce bir banka seçin.',
  },
  bank_changed_too_often: {
    en: 'The bank was changed too often. Pay into the account that is shown.',
    tr: 'Banka çok sık değiştirildi. Gösterilen hesaba ödeyin.',
  },
  bank_accounts_taken: {
    en: 'No account of this bank is free at the moment. Choose another bank.',
    tr: 'Bu bankanın şu anda boş hesabı yok. Başka bir banka seçin.',
  },
  banks_unavailable: {
    en: 'No bank is available at the moment.',
    tr: 'Şu anda kullanılabilir banka yok.',
    api: (asked) => inKurus(asked),
  },
  amount_outside_bank: {
    en: ({ bank, min, max }) => `${bank} takes ${min} to ${max}.`,
    tr: ({ bank, min, max }) => `${bank} ${min} ile ${max} arasındaki tutarları alıyor.`,
    api: ({ minKurus, maxKurus, ...asked }) => `In the smallest unit: ${minKurus} to ${maxKurus}. ${inKurus(asked)}`,
  },
  amount_outside_banks: {
    en: ({ min, max }) => `None of the available banks takes this amount; together they take ${min} to ${max}.`,
    tr: ({ min, max }) => `Hiçbir banka bu tutarı almıyor; bankalar birlikte ${min} ile ${max} arasını alıyor.`,
    api: ({ minKurus, maxKurus, ...asked }) => `In the smallest unit: ${minKurus} to ${maxKurus}. ${inKurus(asked)}`,
  },

  link_amount_out_of_range: {
    en: ({ most }) => `must be more than zero and at most ${most}`,
    tr: ({ most }) => `sıfırdan büyük ve en çok ${most} olmalı`,
  },
  link_customer_missing: {
    en: 'is missing',
    tr: 'eksik',
  },
  link_text_too_long: {
    en: ({ most }) => `must have at most ${most} characters`,
    tr: ({ most }) => `en çok ${most} karakter olabilir`,
  },
}

/** Who mistakes lira for kuruş sees it. */
function inKurus({ amount, kurus }: { amount: string; kurus: string }): string {
  return `The amount ${kurus} is ${amount}; amounts are in the smallest unit (kuruş).`
}
