import type { MERCHANTS } from '../../kernel/refusals/merchants.ts'
import { addressText } from '../../platform/http-client/address-problem.ts'
import type { Sentences } from './sentence.ts'
import { ADDRESS_FAULTS_TR, IBAN_FAULTS } from './faults.ts'

export const MERCHANTS_SENTENCES: Sentences<typeof MERCHANTS> = {
  merchant_suspended: {
    en: 'This account is suspended and cannot create deposits or withdrawals. Ask the operator of the service.',
    tr: 'Bu hesap donduruldu: yatırım ve çekim oluşturulamaz. Ödeme kuruluşunuza sorun.',
  },
  merchant_frozen: {
    en: ({ merchant }) => `Merchant ${merchant} is already frozen.`,
    tr: ({ merchant }) => `${merchant} adlı satıcı zaten dondurulmuş.`,
    cli: ({ merchant }) => `vezne merchant show ${merchant}`,
  },
  merchant_not_frozen: {
    en: ({ merchant }) => `Merchant ${merchant} is not frozen.`,
    tr: ({ merchant }) => `${merchant} adlı satıcı dondurulmuş değil.`,
    cli: ({ merchant }) => `vezne merchant show ${merchant}`,
  },
  merchant_without_key: {
    en: ({ merchant }) => `Merchant ${merchant} has no valid key.`,
    tr: ({ merchant }) => `${merchant} adlı satıcının geçerli bir anahtarı yok.`,
    cli: ({ merchant }) => `vezne merchant rotate-key ${merchant}`,
  },
  secret_rotated: {
    en: 'The secret was replaced or revoked in the meantime. Look again before you decide.',
    tr: 'Gizli anahtar bu arada yenilendi veya iptal edildi. Yeniden bakıp karar verin.',
  },

  setting_out_of_range: {
    en: ({ least, most }) => (most === null ? `must be ${least} or more` : `must be from ${least} to ${most}`),
    tr: ({ least, most }) =>
      most === null ? `${least} veya daha büyük bir sayı olmalı` : `${least} ile ${most} arasında olmalı`,
  },
  setting_amount_out_of_range: {
    en: ({ least, most }) => `must be from ${least} to ${most}`,
    tr: ({ least, most }) => `${least} ile ${most} arasında olmalı`,
  },
  length_wrong: {
    en: ({ least, most }) =>
      least === 0 ? `must have at most ${most} characters` : `must have ${least} to ${most} characters`,
    tr: ({ least, most }) =>
      least === 0 ? `en çok ${most} karakter olabilir` : `${least} ile ${most} karakter arasında olmalı`,
  },
  shown_text_payable: {
    en: ({ found }) => `must not contain ${PAYABLE.en[found]}`,
    tr: ({ found }) => PAYABLE.tr[found],
  },
  shown_text_hidden: {
    en: 'must not contain invisible characters or characters that change the direction of the text',
    tr: 'görünmeyen veya yazının yönünü değiştiren karakter içeremez',
  },

  accent_wrong: {
    en: 'must be a colour such as #0e5a6b',
    tr: '#0e5a6b gibi bir renk olmalı',
  },
  support_phone_wrong: {
    en: 'must be a phone number such as +90 212 555 00 00',
    tr: '+90 212 555 00 00 gibi bir telefon numarası olmalı',
  },
  email_malformed: {
    en: 'must be an e-mail address',
    tr: 'geçerli bir e-posta adresi olmalı',
  },
  logo_unreadable: {
    en: ({ found }) => `must be a PNG, JPEG or WebP image (${found})`,
    tr: ({ found }) => `PNG, JPEG veya WebP görseli olmalı (${found})`,
  },
  logo_too_many_pixels: {
    en: ({ millions }) => `has too many pixels (at most ${millions} million). Make the image smaller.`,
    tr: ({ millions }) => `çok fazla piksel içeriyor; en çok ${millions} milyon olabilir. Görseli küçültün.`,
  },
  logo_too_large: {
    en: ({ kilobytes, width, height, most }) =>
      `takes ${kilobytes} KB at ${width} × ${height} pixels (at most ${most} KB). Use fewer colours and no photo or gradient.`,
    tr: ({ kilobytes, width, height, most }) =>
      `${width} × ${height} pikselde ${kilobytes} KB; en çok ${most} KB olabilir. Daha az renk kullanın; fotoğraf ve renk geçişi olmasın.`,
  },

  return_origin_wrong: {
    en: ({ origin }) => `${origin} must be an origin such as https://shop.example`,
    tr: ({ origin }) => `${origin} uygun değil; yalnızca site adresi yazın, örneğin https://shop.example`,
  },
  network_wrong: {
    en: ({ network }) => `${network} must be an address or network such as 203.0.113.0/24`,
    tr: ({ network }) => `${network} uygun değil; bir IP adresi veya ağ yazın, örneğin 203.0.113.0/24`,
  },
  callback_network_not_private: {
    en: ({ network }) =>
      `${network} must be a private network such as 10.20.0.0/16 or 192.168.7.7, not a loopback, link-local or metadata address`,
    tr: ({ network }) =>
      `${network} uygun değil; 10.20.0.0/16 veya 192.168.7.7 gibi özel bir ağ yazın: loopback, link-local ve metadata adresleri olmaz`,
  },
  fee_too_early: {
    en: 'must be at least two seconds from now: existing transactions keep their price',
    tr: 'en az iki saniye sonrası olmalı: var olan işlemlerin komisyonu değişmez',
  },
  fee_rate_wrong: {
    en: 'must be 0 to 10000 basis points (0 to 100 %)',
    tr: 'oran %0 ile %100 arasında olmalı',
  },

  endpoint_count_reached: {
    en: ({ most }) => `A merchant can have at most ${most} endpoints. Remove one first.`,
    tr: ({ most }) => `Bir satıcının en çok ${most} callback adresi olabilir. Önce birini kaldırın.`,
  },
  endpoint_address_wrong: {
    en: addressText,
    tr: ({ fault, named }) => ADDRESS_FAULTS_TR[fault](named),
  },
  event_type_wrong: {
    en: ({ type }) => `"${type}" is not an event type`,
    tr: ({ type }) => `“${type}” diye bir olay türü yok`,
  },

  settlement_account_missing: {
    en: 'The merchant has no settlement account. Two people must register one first.',
    tr: 'Satıcının hakediş hesabı yok. Önce iki kişi kaydetmeli.',
    cli: ({ merchant }) => `vezne merchant settlement-account ${merchant} --iban … --title …`,
  },
  settlement_account_ours: {
    en: "must be the merchant's own account, not a collecting account of this service",
    tr: 'satıcının kendi hesabı olmalı; bu bir tahsilat hesabı',
  },
  settlement_schedule_changed: {
    en: 'The schedule has changed since you saw it. Look again before you decide.',
    tr: 'Otomatik gönderim siz baktıktan sonra değişti. Yeniden bakıp karar verin.',
  },

  iban_wrong: {
    en: ({ fault, characters }) => IBAN_FAULTS.en[fault](characters),
    tr: ({ fault, characters }) => IBAN_FAULTS.tr[fault](characters),
  },
  account_open: {
    en: ({ account }) => `Account ${account} is already open.`,
    tr: ({ account }) => `${account} hesabı zaten açık.`,
    cli: 'vezne account list',
  },
  account_not_recorded: {
    en: ({ account }) => `Account ${account} was not recorded by Vezne. Block it, or let two people connect it.`,
    tr: ({ account }) => `${account} hesabını Vezne kaydetmemiş. Bloke edin ya da iki kişi bağlantısını onaylasın.`,
    cli: 'vezne account connect CONNECTION ACCOUNT',
  },
  bank_limits_wrong: {
    en: ({ most }) => `must be from 0,01 to ${most}, and the minimum must not be above the maximum`,
    tr: ({ most }) => `0,01 ile ${most} arasında olmalı; en az tutar en çok tutarı aşamaz`,
  },
  fast_currency_wrong: {
    en: 'must be TRY: FAST works in TRY only',
    tr: 'TRY olmalı: FAST yalnızca TRY ile çalışır',
  },
  karekod_producer_wrong: {
    en: 'must be four digits',
    tr: 'dört rakam olmalı',
  },
  karekod_currency_wrong: {
    en: 'is only for accounts in TRY: FAST works in TRY only',
    tr: 'yalnızca TRY hesapları içindir: FAST yalnızca TRY ile çalışır',
  },
}

const PAYABLE = {
  en: {
    account: 'an IBAN or account number: customers could send money to it',
    phone: 'a mobile phone number: customers could send money to it by FAST. Use the field for the support phone',
    identity: 'a Turkish identity number: customers could send money to it by FAST',
    email: 'an e-mail address: customers could send money to it by FAST. Use the field for the support e-mail',
  },
  tr: {
    account: 'IBAN veya hesap numarası içeremez: müşteriler oraya para gönderebilir',
    phone:
      'cep telefonu numarası içeremez: müşteriler ona FAST ile para gönderebilir. Destek telefonu alanını kullanın',
    identity: 'T.C. kimlik numarası içeremez: müşteriler ona FAST ile para gönderebilir',
    email: 'e-posta adresi içeremez: müşteriler ona FAST ile para gönderebilir. Destek e-postası alanını kullanın',
  },
}
