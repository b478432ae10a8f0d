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
    en: ({ status }) => `The deposit is ${status}, so it is not final yet.`,
    tr: ({ status }) => `Yatırım henüz sonuçlanmadı; durumu: ${durum(status)}.`,
  },
  deposit_awaits_late_money: {
    en: ({ until }) => `The deposit has expired, but late money may still arrive until ${until}.`,
    tr: ({ until }) => `Yatırımın süresi doldu, ama ${gun(until.slice(0, 10))} gününe kadar geç ödeme gelebilir.`,
  },
  deposit_below_refunds: {
    en: ({ deposit, refunded, received }) =>
      `${refunded} of deposit ${deposit} has been or is being refunded, so the deposit cannot be left with ${received}. Stop its refunds first, then try again. If they can no longer be stopped, the money has left: leave the deposit as it is. If the bank took the payment back, propose its debit as owed by the bank, then take it from the merchant's balance.`,
    tr: ({ deposit, refunded, received }) =>
      `${deposit} yatırımının ${refunded} kadarı iade edildi veya ediliyor; bu yüzden ${received} ile bırakılamaz. Önce iadelerini durdurun, sonra yeniden deneyin. Durdurulamıyorsa para çıkmıştır: yatırımı olduğu gibi bırakın. Ödemeyi banka geri aldıysa borç satırını bankadan alacak olarak önerin, sonra satıcının bakiyesinden düşün.`,
    cli: ({ deposit }) =>
      [
        'vezne withdrawal stop WITHDRAWAL',
        'vezne journal propose receivable --line DEBIT',
        `vezne journal propose receivable --settles ENTRY --deposit ${deposit}`,
      ].join('\n'),
  },
  deposit_outcome_unknown: {
    en: 'The database could not be reached, so it is not known whether the deposit was created. Look it up before you try again.',
    tr: 'Veritabanına ulaşılamadı; yatırımın oluşup oluşmadığı bilinmiyor. Yeniden denemeden önce işlemlere bakın.',
    api: 'Use GET /v1/transactions?processId=….',
  },
  deposits_open_too_many: {
    en: ({ open, most }) =>
      `${open} deposits are open; this account may have at most ${most} open at once. Deposits that are paid, cancelled or expired do not count. Cancel those that are not needed, or ask the operator for a higher limit.`,
    tr: ({ open, most }) =>
      `Bu hesabın aynı anda en çok ${most} açık yatırımı olabilir; şu anda ${open} açık yatırım var. Ödenen, iptal edilen veya süresi dolan yatırım sayılmaz. Gerekmeyenleri iptal edin veya ödeme kuruluşunuzdan sınırı artırmasını isteyin.`,
  },
  deposit_time_passed: {
    en: 'The time to pay is over.',
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
    en: ({ currency }) => `must be a bank with accounts in ${currency}: FAST works in TRY only`,
    tr: ({ currency }) => `${currency} hesabı olan bir banka olmalı: FAST yalnızca TRY ile çalışır`,
  },
  bank_not_chosen: {
    en: 'Choose a bank first.',
    tr: 'Önce bir banka seçin.',
  },
  bank_changed_too_often: {
    en: 'The bank was changed too often. Pay to the account shown.',
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
    en: ({ bank, min, max }) => `${bank} accepts ${min} to ${max}.`,
    tr: ({ bank, min, max }) => `${bank}: tutar ${min} ile ${max} arasında olmalı.`,
    api: ({ minKurus, maxKurus, ...asked }) => `In the smallest unit: ${minKurus} to ${maxKurus}. ${inKurus(asked)}`,
  },
  amount_outside_banks: {
    en: ({ min, max }) => `None of the available banks accepts this amount; together they accept ${min} to ${max}.`,
    tr: ({ min, max }) =>
      `Kullanılabilir bankaların hiçbiri bu tutarı kabul etmiyor; kabul edilen tutarlar ${min} ile ${max} arasında.`,
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
