import type { PEOPLE } from '../../kernel/refusals/people.ts'
import { rol, rolesOr, roller } from './roles.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

export const PEOPLE_SENTENCES: Sentences<typeof PEOPLE> = {
  proof_needed: {
    en: 'Enter your password or a code again: for this, it must have been entered in the last ten minutes.',
    tr: 'Parolanızı ya da kodunuzu yeniden girin: bu işlem için son on dakika içinde girilmiş olmalı.',
  },
  proposal_own: {
    en: ({ proposedBy }) => `${proposedBy} proposed this; another person must approve it.`,
    tr: ({ proposedBy }) => `Bunu ${proposedBy} önerdi; başka biri onaylamalı.`,
  },
  proposal_open: {
    en: ({ proposedBy, proposal }) =>
      `${proposedBy} already has an open proposal for this (${proposal}). Approve, reject or withdraw that one first.`,
    tr: ({ proposedBy, proposal }) =>
      `${proposedBy} bunun için zaten öneri yaptı (${proposal}). Önce o öneri onaylanmalı, reddedilmeli ya da geri alınmalı.`,
    cli: ({ proposal }) => `vezne proposal show ${proposal}`,
  },
  proposal_just_ended: {
    en: 'Another proposal for this was decided just now. Try again.',
    tr: 'Bunun için başka bir öneri az önce sonuçlandı. Yeniden deneyin.',
  },
  reason_missing: {
    en: 'must say why, in at least five characters',
    tr: 'en az beş karakter yazın',
  },
  evidence_missing: {
    en: 'must say what shows this, such as where you looked, in at least five characters',
    tr: 'bunu neyin gösterdiğini, örneğin nereye baktığınızı, en az beş karakterle yazın',
  },

  two_people_needed: {
    en: 'This needs two people: one proposes it, another approves it.',
    tr: 'Bunun için iki kişi gerekir: biri önerir, başka biri onaylar.',
    cli: 'vezne proposal --help',
  },
  decider_missing: {
    en: 'Say who decides.',
    tr: 'Kimin karar verdiğini belirtin.',
    cli: '--as NAME\nvezne operator list',
  },
  decision_not_of_merchant: {
    en: 'A merchant cannot decide this, or it belongs to another merchant.',
    tr: 'Bu kararı satıcı veremez ya da konu başka bir satıcıya ait.',
  },
  user_without_right: {
    en: ({ role, action, needs }) =>
      `The role ${role} may not do this (${action})${needs.length > 0 ? `: the role ${rolesOr(needs)} is needed` : ''}.`,
    tr: ({ role, needs }) =>
      `Rolünüzün (${rol(role)}) buna yetkisi yok${needs.length > 0 ? `: ${roller(needs)} rolü gerekir` : ''}.`,
  },
  operator_without_right: {
    en: ({ name, action, needs }) =>
      needs.length > 0
        ? `${name} may not do this (${action}): the role ${rolesOr(needs)} is needed. An admin gives roles.`
        : `${name} may not do this (${action}): only users of the merchant may.`,
    tr: ({ name, needs }) =>
      needs.length > 0
        ? `${name} bunu yapamaz: ${roller(needs)} rolü gerekir. Rolleri yönetici verir.`
        : `${name} bunu yapamaz: yalnızca satıcının kendi kullanıcıları yapabilir.`,
    cli: ({ name, needs }) => (needs.length > 0 ? `vezne operator roles ${name} --role ROLE` : ''),
  },
  operator_disabled: {
    en: ({ name }) => `${name} is disabled and can no longer decide.`,
    tr: ({ name }) => `${name} devre dışı; artık karar veremez.`,
  },
  operator_not_active: {
    en: ({ name }) => `There is no staff member ${name}, or the person is disabled.`,
    tr: ({ name }) => `Personel arasında ${name} adlı kişi yok ya da kişi devre dışı.`,
    cli: 'vezne operator list',
  },
  operator_roles_not_recorded: {
    en: ({ name }) =>
      `Vezne has no record that ${name} was given these roles, so they do not count. An admin must give them again.`,
    tr: ({ name }) =>
      `Vezne’de ${name} kişisine bu rollerin verildiğine dair kayıt yok; bu yüzden geçersizler. Bir yönetici yeniden vermeli.`,
    cli: ({ name }) => `vezne operator roles ${name} --role ROLE`,
  },

  operator_exists: {
    en: ({ name }) => `There is or was already a person ${name}. A name is never used twice: choose another one.`,
    tr: ({ name }) => `${name} adlı kişi zaten var ya da vardı. Bir ad ikinci kez verilmez: başka bir ad seçin.`,
  },
  operator_name_malformed: {
    en: 'must be like ayse.yilmaz: 2 to 40 characters from a-z 0-9 . _ -, starting with a letter',
    tr: 'ayse.yilmaz gibi olmalı: a-z, 0-9, nokta, _ ve - karakterlerinden 2–40 tane, ilki harf',
  },
  operator_name_reserved: {
    en: ({ name }) => `must be the name of a person; ${name} is reserved`,
    tr: ({ name }) => `bir kişinin adı olmalı; ${name} kullanılamaz`,
  },
  roles_unknown: {
    en: ({ known }) => `must be one or more of ${known.join(', ')}`,
    tr: ({ known }) => `şunlardan biri veya birkaçı olmalı: ${known.map(rol).join(', ')}`,
  },
  not_one_of: {
    en: ({ known }) => `must be one of ${known.join(', ')}`,
    tr: ({ known }) => `şunlardan biri olmalı: ${known.map(rol).join(', ')}`,
  },
  role_needs_holder: {
    en: ({ role }) => `At least one active person must have the role ${role}. Give it to another person first.`,
    tr: ({ role }) => `En az bir etkin kişide ${rol(role)} rolü olmalı. Önce bu rolü başka birine verin.`,
  },
  second_admin_disabled: {
    en: ({ name, day }) =>
      `${name} was disabled less than a week ago, and there is no other admin to approve this. After ${day}, one admin alone may do this.`,
    tr: ({ name, day }) =>
      `${name} devre dışı bırakılalı bir hafta olmadı ve bunu onaylayacak başka yönetici yok. ${gun(day)} gününden sonra tek yönetici yeter.`,
  },
  admin_with_money_takes_two: {
    en: 'Only two admins together can give one person both the role admin and a role for money (cashier, approver). Choose one of the two.',
    tr: 'Yönetici rolü ile para rollerinden birini (vezne görevlisi, onaylayan) aynı kişiye ancak iki yönetici birlikte verebilir. Birini seçin.',
  },

  mark_in_place: {
    en: 'Vezne cannot record this: in its place is a mark that Vezne did not write. Let another person decide, and tell your system administrator.',
    tr: 'Vezne bunu kaydedemiyor: yerinde Vezne’nin yazmadığı bir işaret var. Başka biri karar versin; sistem yöneticisine de bildirin.',
    cli: 'vezne doctor',
  },
  row_in_place: {
    en: 'Vezne has not recorded this: someone else has written a row in its place. Try again, and tell your system administrator.',
    tr: 'Vezne bunu kaydetmedi: yerine başka biri bir satır yazmış. Yeniden deneyin ve sistem yöneticisine bildirin.',
    cli: 'vezne doctor',
  },
  word_not_recorded: {
    en: ({ person }) =>
      `Vezne has no record that ${person} said this as it is stored, so it does not count. Reject it, propose it again and tell your system administrator.`,
    tr: ({ person }) =>
      `Vezne’de bunu ${person} kişisinin bu hâliyle söylediğine dair kayıt yok; bu yüzden geçersiz. Reddedip yeniden önerin ve sistem yöneticisine bildirin.`,
    cli: 'vezne doctor',
  },
}
