import type { Language } from '../../web/console/site.ts'

const tr = {
  lead: 'Kim giriş yapabilir ve neye karar verebilir. Ad, kararlarla birlikte saklanır; başka birine verilemez.',
  name: 'Ad',
  roles: 'Roller',
  factor: 'İkinci adım',
  lastLogin: 'Son giriş',
  added: 'Eklenme',
  you: 'siz',
  active: 'etkin',
  disabled: 'devre dışı',
  disabledAt: 'Devre dışı bırakılma',
  noLogin: 'girişi yok',
  invitedUntil: 'davet geçerli:',
  notLately: 'son bir ayda yok',
  on: 'var',
  off: 'yok',
  add: 'Kişi ekle',
  addHint: 'Kişi eklenir ve davet bağlantısı bir kez gösterilir; 72 saat geçerlidir. Kişiye siz iletin.',
  addByTwo:
    'Vezne görevlisi, onaylayan veya yönetici rolü olan kişiyi ikinci bir yönetici Onaylar sayfasında onaylar; daveti ondan sonra kişinin sayfasında oluşturursunuz.',
  reason: 'Neden (ikinci yönetici için)',
  nameHint: 'ayse.yilmaz gibi: küçük harf, rakam, nokta',
  roleHints: {
    viewer: 'görüntüler; karar vermez',
    support: 'callback yeniden gönderir, adresleri açar, kapatır, dener',
    cashier: 'banka satırları, ekstreler, talimat dosyaları; belirsiz ödemeler; gün sonu',
    approver: 'vezne görevlisinin yaptığı her şey; çekimleri ve defter kayıtlarını onaylar',
    admin: 'kişiler, satıcılar, anahtarlar, komisyonlar, limitler, bankalar',
    auditor: 'denetim kaydı dahil her şeyi görüntüler; karar vermez',
  },
  changeRoles: 'Rolleri kaydet',
  rolesLead: 'Sonraki karardan itibaren geçerlidir.',
  rolesByTwo:
    'Yeni vezne görevlisi, onaylayan ve yönetici rollerini ikinci bir yönetici onaylar. Rol almak için tek yönetici yeter; ancak en az iki yönetici kalmalı.',
  inviteFirst: 'Davet et',
  inviteFirstLead: 'Davet bağlantısı bir kez gösterilir; 72 saat geçerlidir. Kişiye siz iletin.',
  reset: 'Girişi sıfırla',
  resetLead:
    'Parolasını veya ikinci adımını kaybeden kişi için. İkinci bir yönetici onaylayınca giriş silinir, oturumlar kapanır; sonra kişiyi yeniden davet edersiniz.',
  invite: 'Yeniden davet et',
  inviteLead:
    'Parolasını veya ikinci adımını kaybeden kişi için: bağlantıdan ikisini de yeniden kurar; eski oturumları kapanır.',
  needsCode: 'Kişi bir de kod girer: kodu başka bir yönetici kişinin sayfasında alır ve kişiye kendisi söyler.',
  codeOfOther:
    'Kişinin bir de koda ihtiyacı var. Bağlantıyı siz gördüğünüz için kodu başka bir yönetici bu sayfada alır ve kişiye kendisi söyler.',
  codeAsk: (name: string) =>
    `Daveti ${name} oluşturdu. Kişinin bir de koda ihtiyacı var: kodu alın ve kişiye kendiniz söyleyin.`,
  waiting: (people: string) =>
    `Karar rolü olup henüz girişi olmayanlar: ${people}. Bu girişi kim açarsa o kişi adına karar verir; tanımadığınız birini devre dışı bırakın.`,
  disable: 'Devre dışı bırak',
  disableLead: 'Oturumları hemen sona erer; bir daha karar veremez. Aynı ad yeniden kullanılamaz.',
  login: 'Giriş',
  ofOthers: 'Kendi rollerinizi ve girişinizi başka bir yönetici değiştirir.',
  decisions: 'Kararları',
  back: 'Kişilere dön',
  said: {
    roles_changed: 'Roller değişti.',
    login_reset: 'Giriş sıfırlandı; oturumlar kapandı. Şimdi kişiyi davet edin.',
    person_disabled: 'Kişi devre dışı bırakıldı; oturumları sona erdi.',
  },
}

export type PeopleWords = typeof tr

const en: PeopleWords = {
  lead: 'Who may log in, and what they may decide. Decisions keep the name; it is never used again.',
  name: 'Name',
  roles: 'Roles',
  factor: 'Second factor',
  lastLogin: 'Last login',
  added: 'Added',
  you: 'you',
  active: 'active',
  disabled: 'disabled',
  disabledAt: 'Disabled',
  noLogin: 'no login',
  invitedUntil: 'invited until',
  notLately: 'none in a month',
  on: 'on',
  off: 'off',
  add: 'Add a person',
  addHint: 'The person is added, and an invitation is shown once; it works for 72 hours. You send it to the person.',
  addByTwo:
    'A second admin approves a person with the role cashier, approver or admin, on the page Approvals; then you make the invitation on the page of the person.',
  reason: 'Why (for the second admin)',
  nameHint: 'such as ayse.yilmaz: small letters, digits, dots',
  roleHints: {
    viewer: 'looks; decides nothing',
    support: 'resends callbacks; enables, disables and tests endpoints',
    cashier: 'bank lines, statements, order files; unknown payouts; end of day',
    approver: 'all that a cashier does; approves withdrawals and journal entries',
    admin: 'people, merchants, keys, fees, limits, banks',
    auditor: 'looks at everything, also the audit; decides nothing',
  },
  changeRoles: 'Save the roles',
  rolesLead: 'In force from the next decision on.',
  rolesByTwo:
    'A second admin approves the roles cashier, approver and admin where they are new. One admin takes roles away; two admins must stay.',
  inviteFirst: 'Invite',
  inviteFirstLead: 'An invitation is shown once; it works for 72 hours. You send it to the person.',
  reset: 'Reset the login',
  resetLead:
    'For a person who lost password or second factor. Once a second admin approves it, the login and its sessions end; then you invite the person again.',
  invite: 'Invite again',
  inviteLead: 'For a person who lost password or second factor: the link sets up both anew; old sessions end.',
  needsCode: 'The person also needs a code: another admin gets it on the page of the person, and tells the person.',
  codeOfOther:
    'The person also needs a code. You have seen the link, so another admin gets the code on this page, and tells the person.',
  codeAsk: (name) => `${name} has invited this person, who also needs a code: get it, and tell the person yourself.`,
  waiting: (people) =>
    `May decide and have no login yet: ${people}. Whoever makes that login decides as that person; disable anyone you do not know.`,
  disable: 'Disable the person',
  disableLead: 'Sessions end at once; the person decides nothing any more, and the name cannot be used again.',
  login: 'Login',
  ofOthers: 'Your own roles and login are changed by another admin.',
  decisions: 'Decisions',
  back: 'Back to the people',
  said: {
    roles_changed: 'The roles are changed.',
    login_reset: 'The login and its sessions have ended. Now invite the person.',
    person_disabled: 'The person is disabled; all sessions have ended.',
  },
}

export const WORDS: Record<Language, PeopleWords> = { tr, en }
