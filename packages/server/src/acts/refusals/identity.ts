import type { IDENTITY } from '../../kernel/refusals/identity.ts'
import { rol } from './roles.ts'
import type { Sentences } from './sentence.ts'

const GIVER = {
  en: {
    admin: 'The code is given by an admin other than the one who sent the link.',
    admin_or_owner:
      'The code is given by an admin other than the one who sent the link, or by an owner of the merchant.',
    owner_or_finance:
      'The code is given by a user with the role owner or finance other than the one who sent the link.',
  },
  tr: {
    admin: 'Kodu, bağlantıyı gönderenden başka bir yönetici verir.',
    admin_or_owner: 'Kodu, bağlantıyı gönderenden başka bir yönetici ya da satıcının bir sahibi verir.',
    owner_or_finance: 'Kodu, sahip veya finans rolünde, bağlantıyı gönderenden başka bir kullanıcı verir.',
  },
}

export const IDENTITY_SENTENCES: Sentences<typeof IDENTITY> = {
  login_wrong: {
    en: ({ audience }) => `${audience === 'merchant' ? 'E-mail' : 'Name'} or password is wrong.`,
    tr: ({ audience }) => `${audience === 'merchant' ? 'E-posta' : 'Ad'} veya parola yanlış.`,
  },
  login_ended: {
    en: 'This login took too long or was ended. Log in again.',
    tr: 'Giriş çok uzun sürdü veya sonlandırıldı. Yeniden giriş yapın.',
  },
  attempts_too_many: {
    en: ({ seconds }) => {
      const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
      return `Too many failed attempts. Try again in ${wait}.`
    },
    tr: ({ seconds }) => {
      const wait = seconds < 120 ? `${seconds} saniye` : `${Math.ceil(seconds / 60)} dakika`
      return `Çok fazla başarısız deneme oldu. ${wait} sonra yeniden deneyin.`
    },
  },
  password_wrong: {
    en: 'The password is wrong.',
    tr: 'Parola yanlış.',
  },
  password_too_short: {
    en: ({ min }) => `must have at least ${min} characters; a few words work well`,
    tr: ({ min }) => `en az ${min} karakter olmalı; birkaç sözcükten oluşan bir parola iyidir`,
  },
  password_too_long: {
    en: ({ max }) => `must have at most ${max} characters`,
    tr: ({ max }) => `en çok ${max} karakter olmalı`,
  },
  password_has_name: {
    en: 'must not contain your name',
    tr: 'adınızı içeremez',
  },
  password_common: {
    en: 'is on lists of common passwords; choose another one',
    tr: 'yaygın parola listelerinde var; başka bir parola seçin',
  },

  second_factor_missing: {
    en: 'Set up a second factor first.',
    tr: 'Önce ikinci adımı kurun.',
  },
  second_factor_not_passed: {
    en: 'Complete the second factor first.',
    tr: 'Önce ikinci adımı tamamlayın.',
  },
  second_factor_last: {
    en: 'This is your only second factor. Set up another one first.',
    tr: 'Başka ikinci adımınız yok. Önce bir tane daha kurun.',
  },
  second_factor_code_wrong: {
    en: 'This code is wrong, too old or already used. Wait for the next one.',
    tr: 'Bu kod yanlış, eski veya kullanılmış. Sonraki kodu bekleyin.',
  },
  second_factor_secret_missing: {
    en: 'There is no new secret to confirm. Start again.',
    tr: 'Doğrulanacak yeni bir anahtar yok. Baştan başlayın.',
  },
  passkey_unknown: {
    en: 'There is no such passkey.',
    tr: 'Böyle bir geçiş anahtarı yok.',
  },
  passkey_not_verified: {
    en: 'This passkey could not be verified. Try again.',
    tr: 'Geçiş anahtarı doğrulanamadı. Yeniden deneyin.',
  },

  admin_role_missing: {
    en: ({ name }) => `${name} does not have the role admin. Give them that role first.`,
    tr: ({ name }) => `${name} kişisinde yönetici rolü yok. Önce bu rolü verin.`,
    cli: ({ name }) => `vezne operator roles ${name} --role admin`,
  },
  first_login_made: {
    en: 'Staff members already have logins. An admin invites the others.',
    tr: 'Personelden girişi olanlar zaten var. Diğerlerini bir yönetici davet eder.',
    cli: 'vezne operator invite NAME',
  },
  operator_has_login: {
    en: ({ name }) =>
      `${name} already has a login. Two admins reset it first; then one of them invites the person again.`,
    tr: ({ name }) =>
      `${name} kişisinin girişi zaten var. Önce iki yönetici girişi sıfırlar; sonra biri kişiyi yeniden davet eder.`,
    cli: ({ name }) => `vezne operator reset ${name}`,
  },
  operator_without_login: {
    en: ({ name }) => `${name} has no login yet. Invite the person.`,
    tr: ({ name }) => `${name} kişisinin girişi henüz yok. Kişiyi davet edin.`,
    cli: ({ name }) => `vezne operator invite ${name}`,
  },
  user_email_taken: {
    en: 'This e-mail address cannot be used for this merchant. Use another one.',
    tr: 'Bu e-posta adresi bu satıcı için kullanılamaz. Başka bir adres yazın.',
  },
  user_role_takes_invitation: {
    en: ({ role, name }) =>
      `The role ${role} may decide more than ${name} can now, so this needs two people: invite ${name} again with this role.`,
    tr: ({ role, name }) =>
      `Bu rolün (${rol(role)}) yetkisi, ${name} kullanıcısının şimdiki yetkisinden geniş; bu yüzden iki kişi gerekir: kullanıcıyı bu rolle yeniden davet edin.`,
  },

  invitation_over: {
    en: 'This invitation has been used or replaced, or is older than 72 hours. Ask for a new one.',
    tr: 'Bu davet kullanıldı, yenilendi veya 72 saatten eski. Yeni bir davet isteyin.',
  },
  invitation_missing: {
    en: ({ name, merchant }) =>
      `${name} has no open invitation${merchant === null ? '' : ' of this merchant'}. Invite the person again.`,
    tr: ({ name, merchant }) =>
      merchant === null
        ? `${name} için geçerli bir davet yok. Kişiyi yeniden davet edin.`
        : `${name} için bu satıcının geçerli bir daveti yok. Kullanıcıyı yeniden davet edin.`,
    cli: ({ name, merchant }) =>
      merchant === null ? `vezne operator invite ${name}` : `vezne merchant invite ${merchant} ${name} --role ROLE`,
  },
  invitation_code_wrong: {
    en: ({ giver }) => `The code is wrong. ${GIVER.en[giver]}`,
    tr: ({ giver }) => `Kod yanlış. ${GIVER.tr[giver]}`,
  },
  invitation_code_not_yours: {
    en: ({ name, giver }) => `You cannot give the code of ${name}. ${GIVER.en[giver]}`,
    tr: ({ name, giver }) => `${name} için kodu siz veremezsiniz. ${GIVER.tr[giver]}`,
  },
  invitation_code_without_giver: {
    en: ({ name }) =>
      `No other user with the role owner or finance could give the code of ${name}. Ask the operator to send the invitation.`,
    tr: ({ name }) =>
      `${name} için kodu verebilecek, sahip veya finans rolünde başka bir kullanıcı yok. Daveti ödeme kuruluşunuzdan isteyin.`,
  },
  code_giver_needed: {
    en: 'Someone other than you must keep the role owner or finance. Ask the operator to change this role.',
    tr: 'Sizden başka birinde sahip veya finans rolü kalmalı. Bu rolün değiştirilmesini ödeme kuruluşunuzdan isteyin.',
  },
}
