import type { Language } from '../site.ts'

const tr = {
  person: 'Kişi',
  sessions: 'Açık oturumlar',
  noSessions: 'Açık oturum yok.',
  device: 'Cihaz',
  commandLine: 'komut satırı',
  address: 'IP',
  lastUsed: 'Son kullanım',
  current: 'bu oturum',
  end: 'Bitir',
  unknown: 'bilinmiyor',
  own: 'Kendi girişiniz',
  currentPassword: 'Şimdiki parola',
  changePassword: 'Parolayı değiştir',
  otherSessions: 'Parola değişince diğer oturumlarınız kapanır.',
  factor: 'İkinci adım (doğrulama uygulaması)',
  factorOn: (codes: number) => `Açık. Kalan kurtarma kodu: ${codes}.`,
  factorOff: 'Kapalı. Açtığınızda girişte parolanızdan sonra bir kod sorulur.',
  setUp: 'İkinci adımı kur',
  setUpAgain: 'Yeni uygulamayla kur',
  invited: 'Davet bağlantısı',
  invitedLead: (name: string) => `${name} bu bağlantıdan parolasını belirler. Bağlantı bir daha gösterilmez.`,
  inviteHint: 'Bağlantı bir kez gösterilir ve 72 saat geçerlidir. Kişiye siz iletin.',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  said: {
    session_ended: 'Oturum bitirildi.',
    password_changed: 'Parola değişti; diğer oturumlarınız kapandı.',
  },
}

type Words = typeof tr

const en: Words = {
  person: 'Person',
  sessions: 'Open sessions',
  noSessions: 'No open session.',
  device: 'Device',
  commandLine: 'command line',
  address: 'IP',
  lastUsed: 'Last used',
  current: 'this session',
  end: 'End',
  unknown: 'unknown',
  own: 'Your own login',
  currentPassword: 'Current password',
  changePassword: 'Change the password',
  otherSessions: 'Your other sessions end with the change.',
  factor: 'Second factor (authenticator app)',
  factorOn: (codes) => `On. Recovery codes left: ${codes}.`,
  factorOff: 'Off. When it is on, the login asks for a code after the password.',
  setUp: 'Set up the second factor',
  setUpAgain: 'Set up with a new app',
  invited: 'Invitation',
  invitedLead: (name) => `${name} chooses a password with this link. It is not shown again.`,
  inviteHint: 'The link is shown once and works for 72 hours. You send it to the person.',
  copy: 'Copy',
  copied: 'Copied',
  said: {
    session_ended: 'The session has ended.',
    password_changed: 'The password is changed; your other sessions have ended.',
  },
}

/** Words about logins, of both consoles. */
export const LOGIN_WORDS: Record<Language, Words> = { tr, en }
