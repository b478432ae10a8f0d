import type { AsideKind, ForgedKind } from '../../kernel/refusals/checks.ts'
import type { DatabaseFault, HostFault } from '../../platform/postgres/database-faults.ts'
import type { ReplicationMode } from '../../platform/postgres/replication.ts'
import type { ExcessRight } from '../../platform/postgres/role-rights.ts'

type Words<Code extends string> = Record<Code, readonly [en: string, tr: string]>

export const RIGHTS: Words<ExcessRight> = {
  is_superuser: ['is a superuser', 'süper kullanıcı'],
  owns_tables: ['owns tables, so it can disable their triggers', 'tabloların sahibi, tetikleyicileri kapatabilir'],
  makes_tables: ['can create tables', 'tablo açabilir'],
  empties_tables: ['can empty tables or create triggers', 'tabloları boşaltabilir veya tetikleyici ekleyebilir'],
  turns_off_triggers: ['can turn off triggers in its session', 'oturumunda tetikleyicileri kapatabilir'],
}

export const FAULTS: Words<DatabaseFault> = {
  unreachable: ['The database cannot be reached at the moment.', 'Veritabanına şu an ulaşılamıyor.'],
  starting_or_stopping: [
    'The database is starting, stopping, or closed the connection.',
    'Veritabanı açılıyor, kapanıyor ya da bağlantıyı kesti.',
  ],
  tls_fails: ['The TLS connection to the database failed.', 'Veritabanına TLS bağlantısı kurulamadı.'],
  database_missing: ['The database does not exist on its server.', 'Sunucuda bu veritabanı yok.'],
  right_missing: [
    "The service's database role lacks a right that it needs.",
    'Servisin veritabanı rolünde gereken bir yetki eksik.',
  ],
  connections_in_use: [
    'The service is busy: its database connections are in use.',
    'Servis meşgul: veritabanı bağlantılarının hepsi kullanımda.',
  ],
  no_connection_free: ['The database has no free connection.', 'Veritabanında boş bağlantı yok.'],
  disk_full: ["The database's disk is full.", 'Veritabanının diski dolu.'],
  out_of_resources: [
    'The database is out of memory or of another resource.',
    'Veritabanında bellek ya da başka bir kaynak tükendi.',
  ],
  cancelled: ['The database cancelled the operation.', 'Veritabanı işlemi iptal etti.'],
  storage_fails: ['The database has a problem with its storage.', 'Veritabanının depolamasında sorun var.'],
  read_only: ['The database is read-only at the moment.', 'Veritabanı şu an salt okunur.'],
  row_contended: ['Other operations on the same rows were in the way.', 'Aynı kayıtlardaki başka işlemler engel oldu.'],
  row_locked: ['The account is busy with another operation.', 'Hesap başka bir işlemle meşgul.'],
  standby_silent: [
    "The database's synchronous standby does not confirm what is written.",
    'Veritabanının eşzamanlı yedek sunucusu yazılanı onaylamıyor.',
  ],
}

export const HOST_FAULTS: Words<HostFault> = {
  refuses_connections: ['refuses connections', 'bağlantı kabul etmiyor'],
  name_unknown: ['is a name without an address', 'adının adresi yok'],
  network_unreachable: ['is not reachable over the network', 'ağ üzerinden ulaşılamıyor'],
  password_refused: ['refuses the password of the role', 'rolün parolasını kabul etmiyor'],
  login_refused: [
    'does not let the role log in (nologin, or pg_hba.conf)',
    'rolün girişine izin vermiyor (nologin ya da pg_hba.conf)',
  ],
  takes_no_writes: ['takes no writes (a standby, or set read-only)', 'yazma kabul etmiyor (yedek ya da salt okunur)'],
  database_missing: ['does not have this database', 'bu veritabanı yok'],
  no_connection_free: ['has no free connection', 'boş bağlantısı yok'],
  starting_or_stopping: ['is starting or stopping', 'açılıyor ya da kapanıyor'],
  tls_fails: ['fails at TLS', 'TLS bağlantısı kurulamıyor'],
  does_not_respond: ['does not respond', 'yanıt vermiyor'],
  socket_missing: ['has no socket that can be opened', 'açılabilen bir soketi yok'],
  closes_connection: ['closes the connection', 'bağlantıyı kesiyor'],
  other: ['fails', 'hata veriyor'],
}

export const REPLICATION: Words<ReplicationMode> = {
  none: ['none', 'yok'],
  asynchronous: ['asynchronous', 'eşzamansız'],
  synchronous: ['synchronous', 'eşzamanlı'],
}

export const FORGED: Words<ForgedKind> = {
  operator: ['operator', 'personel'],
  login: ['login', 'giriş'],
  passkey: ['passkey of login', 'şu girişin geçiş anahtarı:'],
  invitation: ['invitation', 'davet'],
  session: ['session', 'oturum'],
  proposal: ['proposal', 'öneri'],
  statement_file: ['statement file', 'ekstre dosyası'],
  withdrawal: ['withdrawal', 'çekim'],
  payout: ['payout', 'ödeme'],
  finding: ['finding about withdrawal', 'şu çekim için bildirilen sonuç:'],
  private_network: ['private network', 'özel ağ'],
  account: ['collecting account', 'tahsilat hesabı'],
  settlement_account: ['settlement account', 'hakediş hesabı'],
  merchant_setting: ['setting', 'satıcı ayarı'],
  line_rule: ['line rule', 'satır kuralı'],
  bank_line: ['bank line', 'banka satırı'],
  balance: ['balance of merchant', 'satıcı bakiyesi'],
}

export const ASIDE: Words<AsideKind> = {
  withdrawal: ['withdrawal', 'çekim'],
  payout: ['payout', 'ödeme'],
  deposit: ['deposit', 'yatırım'],
  line: ['line', 'banka satırı'],
  event: ['event', 'olay'],
  callback: ['callback', 'callback'],
  refund: ['refund', 'iade'],
  settlement: ['settlement', 'hakediş'],
}

export const agedEn = (minutes: number) => {
  if (minutes < 120) return `${minutes} min`
  return minutes < 2 * 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`
}
export const agedTr = (minutes: number) => {
  if (minutes < 120) return `${minutes} dk`
  return minutes < 2 * 1440 ? `${Math.floor(minutes / 60)} saat` : `${Math.floor(minutes / 1440)} gün`
}

export const oldestEn = (batch: string, problem: string | null) =>
  `(the oldest: ${batch}${problem === null ? '' : `: ${problem}`})`
export const oldestTr = (batch: string, problem: string | null) =>
  `(en eskisi: ${batch}${problem === null ? '' : `: ${problem}`})`

export const listed = (names: readonly string[], more: string) => [...names, ...(more === '' ? [] : [more])].join(', ')
export const moreEn = (more: number, what = 'more') => (more === 0 ? '' : `and ${more} ${what}`)
/** `1 line (…) and 3 more`: in Turkish without a comma. */
export const listedTr = (names: readonly string[], more: number, what: string) =>
  `${names.join(', ')}${more === 0 ? '' : ` ve ${what.replace('{}', String(more))}`}`

export const lineTr = (direction: 'credit' | 'debit') => (direction === 'credit' ? 'gelen' : 'giden')

export const ledgerEn = (balances: number, accounts: number, entries: number) =>
  [
    ...(balances > 0 ? [`${balances} balance(s) drifted`] : []),
    ...(accounts > 0 ? [`${accounts} account(s) have transfers of another merchant`] : []),
    ...(entries > 0 ? [`the transfers of ${entries} entries differ in kind, subject, date or author`] : []),
  ].join('; ')
export const ledgerTr = (balances: number, accounts: number, entries: number) =>
  [
    ...(balances > 0 ? [`${balances} bakiye hareketlerini tutmuyor`] : []),
    ...(accounts > 0 ? [`${accounts} hesapta başka satıcının hareketi var`] : []),
    ...(entries > 0 ? [`${entries} kaydın hareketleri tür, konu, tarih ya da yazarda birbirini tutmuyor`] : []),
  ].join('; ')
