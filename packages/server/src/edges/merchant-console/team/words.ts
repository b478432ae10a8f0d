const tr = {
  lead: 'Kim giriş yapabilir ve ne yapabilir. Davet edilen kişi bağlantıdan parolasını belirler.',
  users: 'Kullanıcılar',
  email: 'E-posta',
  role: 'Rol',
  since: 'Üyelik',
  you: 'siz',
  change: 'Değiştir',
  disable: 'Devre dışı bırak',
  invite: 'Davet et',
  roles: {
    owner: 'her şey, kullanıcılar ve marka',
    finance: 'çekim, iade, ödeme linki, davet kodu',
    developer: 'anahtar, callback, IP listesi',
    support: 'görüntüler, ödeme linki oluşturur, callback’i yeniden gönderir',
  },
  ownLead: 'Kendi parolanız, ikinci adımınız ve geçiş anahtarlarınız:',
  back: 'Ekibe dön',
  said: {
    role_changed: 'Rol değişti.',
    login_disabled: 'Kullanıcı devre dışı bırakıldı; oturumları sona erdi.',
  },
}

type Words = typeof tr

const en: Words = {
  lead: 'Who may log in, and what they may do. An invited person chooses a password with the link.',
  users: 'Users',
  email: 'E-mail',
  role: 'Role',
  since: 'Since',
  you: 'you',
  change: 'Change',
  disable: 'Disable',
  invite: 'Invite',
  roles: {
    owner: 'everything, users and brand',
    finance: 'withdrawals, refunds, payment links, codes of invitations',
    developer: 'keys, callbacks, IP list',
    support: 'looks, payment links, resends',
  },
  ownLead: 'Your own password, second factor and passkeys:',
  back: 'Back to the team',
  said: {
    role_changed: 'The role is changed.',
    login_disabled: 'The login is disabled; its sessions have ended.',
  },
}

export const TEAM_WORDS = { tr, en }
