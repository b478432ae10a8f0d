import type { CheckKind } from '../../../domain/doctor/index.ts'
import { CHECK_KINDS } from '../../../domain/doctor/index.ts'
import type { Language } from '../../web/console/site.ts'

/** `who`: it is work on the machines. `path`: the page on which it is mended. */
type Shown = Record<Language, string> & { who?: 'machine' | 'atOnce'; path?: string }

const WHO: Record<'machine' | 'atOnce', Record<Language, string>> = {
  machine: {
    tr: 'Sunucuyu yöneten kişiye bildirin.',
    en: 'Tell the person who runs the machines.',
  },
  atOnce: {
    tr: 'Hemen sunucuyu yöneten kişiye bildirin; o zamana kadar ödeme onaylamayın.',
    en: 'Tell the person who runs the machines at once; approve no payment until then.',
  },
}

/** Names of all checks, and where or by whom each is mended. */
const CHECKS: Record<CheckKind, Shown> = {
  database: { tr: 'veritabanı', en: 'database', who: 'machine' },
  durability: { tr: 'kalıcılık', en: 'durability', who: 'machine' },
  'database role': { tr: 'veritabanı rolü', en: 'database role', who: 'machine' },
  'reading role': { tr: 'okuma rolü', en: 'reading role', who: 'machine' },
  rights: { tr: 'veritabanı yetkileri', en: 'rights', who: 'machine' },
  writing: { tr: 'yazma', en: 'writing', who: 'machine' },
  primary: { tr: 'ana sunucu', en: 'primary', who: 'atOnce' },
  replication: { tr: 'yedek sunucu (replikasyon)', en: 'replication', who: 'machine' },
  'statement timeout': { tr: 'sorgu süresi sınırı', en: 'statement timeout', who: 'machine' },
  archiving: { tr: 'arşivleme', en: 'archiving', who: 'machine' },
  disk: { tr: 'disk', en: 'disk', who: 'machine' },
  migrations: { tr: 'veritabanı sürümü', en: 'version of the database', who: 'machine' },
  clock: { tr: 'saat', en: 'clock', who: 'machine' },
  API: { tr: 'API', en: 'API', who: 'machine' },
  workers: { tr: 'arka plan işleri', en: 'workers', who: 'machine' },
  'sending record': { tr: 'gönderim kaydı', en: 'sending record', who: 'machine' },
  callbacks: { tr: 'callback’ler', en: 'callbacks', path: '/callbacks?only=failing' },
  'bank {}': { tr: 'banka: {}', en: 'bank {}', path: '/banks' },
  'connection {}': { tr: 'bağlantı: {}', en: 'connection {}', path: '/banks' },
  'sources of record': { tr: 'hesapların kaynağı', en: 'sources of record', path: '/banks' },
  'refused files of {}': { tr: 'geri çevrilen dosyalar: {}', en: 'refused files of {}', path: '/statements' },
  'statements of {}': { tr: 'ekstreler: {}', en: 'statements of {}', path: '/statements' },
  'master key': { tr: 'ana anahtar', en: 'master key', who: 'atOnce' },
  ledger: { tr: 'defter', en: 'ledger', who: 'atOnce' },
  restored: { tr: 'yedekten dönüş', en: 'restored', who: 'atOnce' },
  'payouts without a debit': { tr: 'borç satırı olmayan ödemeler', en: 'payouts without a debit', path: '/statements' },
  'returned payouts without a credit': {
    tr: 'alacak satırı olmayan iadeler',
    en: 'returned payouts without a credit',
    path: '/statements',
  },
  'debits without a payout': {
    tr: 'ödemesi olmayan borç satırları',
    en: 'debits without a payout',
    path: '/matching?kind=debits',
  },
  'incoming money that needs review': {
    tr: 'incelenecek gelen para',
    en: 'incoming money that needs review',
    path: '/matching?kind=credits',
  },
  'money in suspense': { tr: 'askıdaki para', en: 'money in suspense', path: '/matching?kind=suspense' },
  statements: { tr: 'ekstre okumaları', en: 'statements', who: 'machine' },
  'unread lines': { tr: 'okunamayan satırlar', en: 'unread lines', path: '/unread' },
  'unexplained lines': { tr: 'açıklanmamış satırlar', en: 'unexplained lines', path: '/matching' },
  'unconfirmed lines': { tr: 'kesinleşmeyen satırlar', en: 'unconfirmed lines', path: '/statements/enter' },
  'imports of files': { tr: 'yarım kalan dosyalar', en: 'imports of files', path: '/statements' },
  'lines of files': { tr: 'dosyalardan gelen satırlar', en: 'lines of files', path: '/statements' },
  'order files': { tr: 'talimat dosyaları', en: 'order files', path: '/payouts/files' },
  'rows set aside': { tr: 'ayrılan kayıtlar', en: 'rows set aside', path: '/payouts' },
  'books of {}': { tr: '{} gününün defteri', en: 'books of {}', path: '/books/{}' },
  'closed days': { tr: 'kapanan günler', en: 'closed days', who: 'atOnce', path: '/books' },
  audit: { tr: 'denetim kaydı', en: 'audit', who: 'atOnce', path: '/audit' },
  marks: { tr: 'işaretli kayıtlar', en: 'marked rows', who: 'atOnce' },
  'people without a login': { tr: 'girişi olmayan kişiler', en: 'people without a login', path: '/people' },
  'payouts and their withdrawals': { tr: 'ödemeler ve çekimleri', en: 'payouts and their withdrawals', who: 'atOnce' },
  events: { tr: 'olaylar', en: 'events', who: 'atOnce' },
  service: { tr: 'servis', en: 'service', who: 'machine' },
  money: { tr: 'para', en: 'money', who: 'machine' },
  books: { tr: 'defterler', en: 'books', who: 'machine' },
  rows: { tr: 'kayıtlar', en: 'rows', who: 'machine' },
  people: { tr: 'kişiler', en: 'people', who: 'machine' },
}

type Words = { name: string; path: string | null; forWhom: string | null }

/** The exact name first: `statements` is a check, and so is that of one connection. */
export function checkWords(language: Language, check: string): Words {
  const kind = CHECK_KINDS.find((one) => one === check) ?? CHECK_KINDS.find((one) => fits(one, check))
  if (kind === undefined) return { name: check, path: null, forWhom: WHO.machine[language] }
  const about = check.slice(kind.length - 2)
  const { path = null, who, [language]: name } = CHECKS[kind]
  const fill = (text: string) => text.replace('{}', about)
  return { name: fill(name), path: path && fill(path), forWhom: who ? WHO[who][language] : null }
}

function fits(kind: string, check: string): boolean {
  return kind.endsWith('{}') && check.startsWith(kind.slice(0, -2))
}
