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
  invited: 'Davet bağlantısı',
  invitedLead: (name: string) => `${name} bu bağlantıdan parolasını belirler. Bağlantı bir daha gösterilmez.`,
  inviteHint: 'Bağlantı bir kez gösterilir ve 72 saat geçerlidir. Kişiye siz iletin.',
  needsCode: 'Kişi bir de kod girer: kodu başka bir yönetici kişinin sayfasında alır ve kişiye kendisi söyler.',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  said: {
    session_ended: 'Oturum bitirildi.',
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
  invited: 'Invitation',
  invitedLead: (name) => `${name} chooses a password with this link. It is not shown again.`,
  inviteHint: 'The link is shown once and works for 72 hours. You send it to the person.',
  needsCode: 'The person also needs a code: another admin gets it on the page of the person, and tells the person.',
  copy: 'Copy',
  copied: 'Copied',
  said: {
    session_ended: 'The session has ended.',
  },
}

/** Words about logins, of both consoles. */
export const LOGIN_WORDS: Record<Language, Words> = { tr, en }
