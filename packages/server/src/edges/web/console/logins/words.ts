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
  code: 'Davet kodu',
  codeLead: (name: string) => `${name} parolasını belirlerken bu kodu da girer. Kod bir daha gösterilmez.`,
  codeHint:
    'Kişiye kendiniz söyleyin; daveti oluşturana vermeyin: bağlantı ve kod kimdeyse o kişi gibi giriş yapabilir.',
  codeAgain: 'Daha önce bir kod verildi; yenisi onun yerine geçer.',
  giveCode: 'Davet kodunu göster',
  invitedUsers: 'Davet edilenler',
  invitedBy: 'davet eden:',
  validUntil: 'geçerli:',
  staff: 'operatör',
  waitsForCode: 'kod bekliyor',
  codeGiven: 'kodu verildi',
  codeOfTeam: 'Kodu, sahip veya finans rolündeki başka bir kullanıcı Ekip sayfasında alır ve kişiye kendisi söyler.',
  codeOfStaff:
    'Kodu, operatörün başka bir yöneticisi veya satıcının bir sahibi (Ekip sayfasında) alır ve kişiye kendisi söyler.',
  alsoCode: 'Kişi bir de kod girer.',
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
  code: 'Code of the invitation',
  codeLead: (name) => `${name} enters this code when choosing a password. It is not shown again.`,
  codeHint: 'Tell the person yourself, and not the one who invited: who has link and code can log in as the person.',
  codeAgain: 'A code was given before; a new one replaces it.',
  giveCode: 'Show the code of the invitation',
  invitedUsers: 'Invited',
  invitedBy: 'invited by',
  validUntil: 'until',
  staff: 'the operator',
  waitsForCode: 'waits for a code',
  codeGiven: 'code given',
  codeOfTeam: 'Another user with the role owner or finance gets the code on the page Team, and tells the person.',
  codeOfStaff:
    'Another admin of the operator, or an owner of the merchant (on the page Team), gets the code, and tells the person.',
  alsoCode: 'The person also needs a code.',
  said: {
    session_ended: 'The session has ended.',
  },
}

/** Words about logins, of both consoles. */
export const LOGIN_WORDS: Record<Language, Words> = { tr, en }
