import type { CheckKind } from '../../../domain/doctor/index.ts'
import { CHECK_KINDS } from '../../../domain/doctor/index.ts'
import type { Language } from '../../web/console/site.ts'

type Words = {
  name: string
  /** What to do if it fails. */
  todo: string
}
/** `path`: the page on which it is mended; without one it is work on the machines. */
type Shown = Record<Language, Words> & { path?: string }

const machine: Record<Language, string> = {
  tr: 'Sunucuyu yöneten kişiye bildirin.',
  en: 'Tell the person who runs the machines.',
}
const atOnce: Record<Language, string> = {
  tr: 'Hemen sunucuyu yöneten kişiye bildirin; o zamana kadar ödeme onaylamayın.',
  en: 'Tell the person who runs the machines at once; approve no payment until then.',
}

const shown = (tr: string, en: string, todo: Record<Language, string>, path?: string): Shown => ({
  ...{ tr: { name: tr, todo: todo.tr }, en: { name: en, todo: todo.en } },
  ...(path !== undefined && { path }),
})

/** Names of all checks, and what payment staff can do about each. */
const CHECKS: Record<CheckKind, Shown> = {
  database: shown('veritabanı', 'database', machine),
  durability: shown('kalıcılık', 'durability', machine),
  'database role': shown('veritabanı rolü', 'database role', machine),
  'reading role': shown('okuma rolü', 'reading role', machine),
  rights: shown('veritabanı yetkileri', 'rights', machine),
  writing: shown('yazma', 'writing', machine),
  primary: shown('ana sunucu', 'primary', atOnce),
  replication: shown('yedek sunucu (replikasyon)', 'replication', machine),
  'statement timeout': shown('sorgu süresi sınırı', 'statement timeout', machine),
  archiving: shown('arşivleme', 'archiving', machine),
  disk: shown('disk', 'disk', machine),
  migrations: shown('veritabanı sürümü', 'version of the database', machine),
  clock: shown('saat', 'clock', machine),
  API: shown('API', 'API', machine),
  workers: shown('arka plan işleri', 'workers', machine),
  'sending record': shown('gönderim kaydı', 'sending record', machine),
  callbacks: shown(
    'callback’ler',
    'callbacks',
    { tr: 'Teslim edilemeyen adreslere bakın.', en: 'Look at the addresses that cannot be reached.' },
    '/callbacks?only=failing',
  ),
  'bank {}': shown('banka: {}', 'bank {}', { tr: 'Bağlantıyı deneyin.', en: 'Test the connection.' }, '/banks'),
  'connection {}': shown(
    'bağlantı: {}',
    'connection {}',
    { tr: 'Bağlantıya bakın; kapalıysa ödeme okunmaz ve gönderilmez.', en: 'Look at the connection.' },
    '/banks',
  ),
  'sources of record': shown(
    'hesapların kaynağı',
    'sources of record',
    {
      tr: 'Bu hesaplar için bir şey yazılmaz ve gönderilmez: hesabı bir bağlantıya bağlayın.',
      en: 'Nothing is booked for these accounts or sent from them: connect them.',
    },
    '/banks',
  ),
  'refused files of {}': shown(
    'geri çevrilen dosyalar: {}',
    'refused files of {}',
    { tr: 'Dosyayı düzeltip buradan yükleyin.', en: 'Mend the file and upload it here.' },
    '/statements',
  ),
  'statements of {}': shown(
    'ekstreler: {}',
    'statements of {}',
    { tr: 'Eksik ekstreyi bankadan isteyip yükleyin.', en: 'Ask the bank for the missing statement and upload it.' },
    '/statements',
  ),
  'master key': shown('ana anahtar', 'master key', atOnce),
  ledger: shown('defter', 'ledger', atOnce),
  restored: shown('yedekten dönüş', 'restored', atOnce),
  'payouts without a debit': shown(
    'borç satırı olmayan ödemeler',
    'payouts without a debit',
    { tr: 'Ekstreyi yükleyin veya bankaya sorun.', en: 'Upload the statement, or ask the bank.' },
    '/statements',
  ),
  'returned payouts without a credit': shown(
    'alacak satırı olmayan iadeler',
    'returned payouts without a credit',
    {
      tr: 'Satıcı parasını aldı; bankaya sorun, sonra ekstreyi yükleyin.',
      en: 'The merchant has the money; ask the bank, then upload the statement.',
    },
    '/statements',
  ),
  'debits without a payout': shown(
    'ödemesi olmayan borç satırları',
    'debits without a payout',
    { tr: 'Her birini açıklayın.', en: 'Explain each of them.' },
    '/matching?kind=debits',
  ),
  'incoming money that needs review': shown(
    'incelenecek gelen para',
    'incoming money that needs review',
    { tr: 'Karar verilene kadar deftere geçmez.', en: 'It is not in the books until a person has decided.' },
    '/matching?kind=credits',
  ),
  'money in suspense': shown(
    'askıdaki para',
    'money in suspense',
    { tr: 'Kimin olduğunu bulun.', en: 'Find out whose it is.' },
    '/matching?kind=suspense',
  ),
  statements: shown('ekstre okumaları', 'statements', machine),
  'unread lines': shown(
    'okunamayan satırlar',
    'unread lines',
    {
      tr: 'Neden alınamadığına bakın; defterde değiller.',
      en: 'See why they were not taken in; they are not in the books.',
    },
    '/unread',
  ),
  'unexplained lines': shown(
    'açıklanmamış satırlar',
    'unexplained lines',
    { tr: 'Üç günden eski satırları açıklayın.', en: 'Explain the lines that are older than three days.' },
    '/matching',
  ),
  'unconfirmed lines': shown(
    'kesinleşmeyen satırlar',
    'unconfirmed lines',
    {
      tr: 'Gün sonu ekstresini yükleyin veya bankaya sorun: satır hâlâ ekstrede yok.',
      en: 'Import the final statement, or ask the bank: it does not contain the line yet.',
    },
    '/statements/enter',
  ),
  'imports of files': shown(
    'yarım kalan dosyalar',
    'imports of files',
    {
      tr: 'Dosyanın kalanı deftere geçmedi: nedenine bakın, aktarmayı geri alıp yeniden yükleyin.',
      en: 'The rest of the file is not booked: see why, undo the import and upload it again.',
    },
    '/statements',
  ),
  'lines of files': shown(
    'dosyalardan gelen satırlar',
    'lines of files',
    {
      tr: 'Bankaya sorun: hesabın bağlantısı bu satırları vermedi.',
      en: 'Ask the bank: the connection of the account has not given these lines.',
    },
    '/statements',
  ),
  'order files': shown(
    'talimat dosyaları',
    'order files',
    {
      tr: 'Hangi dosyanın neden beklediğine bakın.',
      en: 'See which file waits, and why.',
    },
    '/payouts/files',
  ),
  'rows set aside': shown(
    'ayrılan kayıtlar',
    'rows set aside',
    {
      tr: 'Kayıt işlenemiyor ve 10 dakikada bir yeniden deneniyor; ötekiler yürüyor. Kaydı bulun; gönderilmemiş bir çekimi durdurabilirsiniz.',
      en: 'The row cannot be processed and is tried again every 10 minutes; the others go on. Find it; a withdrawal that was not sent can be stopped.',
    },
    '/payouts',
  ),
  'books of {}': shown(
    '{} gününün defteri',
    'books of {}',
    { tr: 'Farkı açıklayın veya o günün ekstresini yükleyin.', en: 'Explain the difference, or upload the statement.' },
    '/books/{}',
  ),
  'closed days': shown('kapanan günler', 'closed days', atOnce, '/books'),
  audit: shown('denetim kaydı', 'audit', atOnce, '/audit'),
  'people and logins': shown('kişiler ve girişler', 'people and logins', atOnce, '/people'),
  'people without a login': shown(
    'girişi olmayan kişiler',
    'people without a login',
    {
      tr: 'Kişiyi davet edin; tanımadığınız birini devre dışı bırakın. Girişi kim açarsa o karar verir.',
      en: 'Invite the person; disable who is not known. Whoever makes the login decides.',
    },
    '/people',
  ),
  'proposals and approvals': shown('öneriler ve onaylar', 'proposals and approvals', atOnce, '/approvals'),
  'payouts and their withdrawals': shown('ödemeler ve çekimleri', 'payouts and their withdrawals', atOnce),
  events: shown('olaylar', 'events', atOnce),
  service: shown('servis', 'service', machine),
  money: shown('para', 'money', machine),
  books: shown('defterler', 'books', machine),
  rows: shown('kayıtlar', 'rows', machine),
  people: shown('kişiler', 'people', machine),
}

/** The exact name first: `statements` is a check, and so is that of one connection. */
export function checkWords(language: Language, check: string): Words & { path: string | null } {
  const kind = CHECK_KINDS.find((one) => one === check) ?? CHECK_KINDS.find((one) => fits(one, check))
  if (kind === undefined) return { name: check, todo: machine[language], path: null }
  const about = check.slice(kind.length - 2)
  const { path = null, [language]: words } = CHECKS[kind]
  const fill = (text: string) => text.replace('{}', about)
  return { name: fill(words.name), todo: words.todo, path: path && fill(path) }
}

function fits(kind: string, check: string): boolean {
  return kind.endsWith('{}') && check.startsWith(kind.slice(0, -2))
}
