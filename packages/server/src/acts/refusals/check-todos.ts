import type { CHECK_TODOS } from '../../kernel/refusals/check-todos.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

export const CHECK_TODO_SENTENCES: Sentences<typeof CHECK_TODOS> = {
  todo_audit: {
    en: 'Find out who writes to the database.',
    tr: 'Veritabanına kimin yazdığı bulunmalı.',
    cli: 'vezne audit verify\ndocs/operations.md, "Audit"',
  },
  todo_books: {
    en: 'Explain the difference, or import the statement of the day.',
    tr: 'Farkı açıklayın veya o günün ekstresini yükleyin.',
    cli: ({ day }) => `vezne books day ${day}\ndocs/books.md, "Not explained"`,
  },
  todo_books_unproven: {
    en: ({ day }) => `Import the statement of ${day}.`,
    tr: ({ day }) => `${gun(day)} ekstresini yükleyin.`,
    cli: 'docs/books.md, "Not proven"',
  },
  todo_closed_days: {
    en: 'An entry was written into a closed day: find out how.',
    tr: 'Kapanmış bir güne kayıt yazılmış: nasıl olduğu bulunmalı.',
    cli: 'docs/books.md, "A closed day changed"',
  },
  todo_payouts_differ: {
    en: 'Stop the workers.',
    tr: 'Arka plan işleri durdurulmalı.',
    cli: 'docs/operations.md, "A payout that differs"',
  },
  todo_events: {
    en: 'Someone else may write to the database.',
    tr: 'Veritabanına başka biri yazıyor olabilir.',
    cli: 'docs/operations.md, "An event that is not true"',
  },
  todo_logins: {
    en: 'Invite these people, or disable those you do not know. Whoever creates the login can decide in their name.',
    tr: 'Bu kişileri davet edin; tanımadıklarınızı devre dışı bırakın. Girişi kim açarsa onların adına o karar verebilir.',
    cli: 'vezne operator disable NAME',
  },
  todo_rows_forged: {
    en: 'Someone else is writing to the database.',
    tr: 'Veritabanına başka biri yazıyor.',
    cli: 'docs/operations.md, "A row that the service did not write"',
  },
  todo_not_done: {
    en: 'Run the check on the command line, which waits longer.',
    tr: 'Denetimi komut satırından yapın: orada daha uzun beklenir.',
    cli: 'vezne doctor',
  },
  todo_api: {
    en: 'Check that the service runs and that the proxy in front of it passes requests on.',
    tr: 'Servisin çalıştığına ve öndeki vekil sunucunun istekleri ona ilettiğine bakın.',
    cli: 'vezne serve, with VEZNE_PUBLIC_URL',
  },
  todo_api_sandbox: { en: 'Start it.', tr: 'Başlatın.', cli: 'npm start' },
  todo_workers: {
    en: 'Start a worker. Without one, nothing expires, is matched, sent or delivered.',
    tr: 'Arka plan işlerini başlatın: onlar olmadan hiçbir şeyin süresi dolmaz, hiçbir şey eşleşmez, gönderilmez, teslim edilmez.',
    cli: 'vezne work, or vezne up',
  },
  todo_workers_stand_still: {
    en: 'Check the log of the workers.',
    tr: 'Arka plan işlerinin günlüğüne bakın.',
    cli: 'docs/operations.md, "A worker stands still"',
  },
  todo_sending: {
    en: 'Give the workers a persistent folder.',
    tr: 'Arka plan işlerine kalıcı bir klasör verin.',
    cli: 'VEZNE_DATA of vezne work\ndocs/operations.md, "The database is older"',
  },
  todo_callbacks: {
    en: 'Check the addresses that events cannot be delivered to.',
    tr: 'Teslim edilemeyen adreslere bakın.',
    cli: 'docs/operations.md, "Callbacks do not arrive"',
  },
  todo_bank_of_settings: {
    en: 'Check the address of the bank API and its key from this machine, then ask the bank.',
    tr: 'Banka API’sinin adresini ve anahtarını bu sunucudan deneyin, sonra bankaya sorun.',
    cli: 'VEZNE_BANK_API_URL, VEZNE_BANK_API_KEY',
  },
  todo_bank: {
    en: 'Test the connection.',
    tr: 'Bağlantıyı deneyin.',
    cli: ({ connection }) => `vezne connection test ${connection}`,
  },
  todo_bank_folder: {
    en: 'Test the connection on the machine of the workers.',
    tr: 'Bağlantıyı arka plan işlerinin sunucusunda deneyin.',
    cli: ({ connection }) => `vezne connection test ${connection}`,
  },
  todo_connection_unusable: {
    en: 'The connection is not used. Set it up again.',
    tr: 'Bağlantı kullanılmıyor; yeniden ayarlayın.',
    cli: ({ connection, kind }) =>
      `vezne connection change ${connection} ${kind === 'file_exchange' ? '--orders FILE' : '--url URL --key-file FILE'}`,
  },
  todo_connection_disabled: {
    en: 'Nothing is read or sent for its accounts. Enable the connection, or connect the accounts to another one.',
    tr: 'Hesapları için bir şey okunmaz ve gönderilmez. Bağlantıyı açın ya da hesapları başka bir bağlantıya bağlayın.',
    cli: ({ connection }) => `vezne connection enable ${connection}\nvezne account connect OTHER IBAN…`,
  },
  todo_sources: {
    en: 'Nothing is booked for these accounts or sent from them, and their deposits do not expire. Connect them.',
    tr: 'Bu hesaplar için deftere bir şey geçmez, onlardan para gönderilmez, yatırımların süresi dolmaz. Hesapları bir bağlantıya bağlayın.',
    cli: 'vezne account connect CONNECTION IBAN…\ndocs/operations.md, "Connections"',
  },
  todo_files_refused: {
    en: ({ days }) =>
      `No file of the last ${days} days should be refused. Nothing was imported from these files: read the report beside each, fix the cause and import the file again.`,
    tr: ({ days }) =>
      `Son ${days} günde geri çevrilen dosya olmamalı. Bu dosyalardan hiçbir satır alınmadı: yanlarındaki rapora bakın, nedenini giderip dosyayı yeniden yükleyin.`,
    cli: 'the report: NAME.report.txt; back to inbox/, or vezne statement import FILE; then delete it from refused/',
  },
  todo_statements_late: {
    en: ({ inbox }) =>
      `The statement of each account should arrive at most one business day late. Check that your tool brings the files of the bank to ${inbox}, that a worker runs and that no file was refused; then ask the bank. Deposits of these accounts do not expire meanwhile.`,
    tr: ({ inbox }) =>
      `Her hesabın ekstresi en geç bir iş günü gecikmeyle gelmeli. Banka dosyalarının ${inbox} klasörüne geldiğine ve arka plan işlerinin çalıştığına bakın, geri çevrilen dosyalara bakın, sonra bankadan isteyin. Bu arada bu hesapların yatırımlarının süresi dolmaz.`,
  },
  todo_postgres: { en: 'Use PostgreSQL 15 or newer.', tr: 'PostgreSQL 15 veya daha yenisi gerekir.' },
  todo_durability: {
    en: 'Set fsync = on and synchronous_commit = on: a payment that was acknowledged must survive a crash.',
    tr: 'fsync = on ve synchronous_commit = on olmalı: yanıtlanmış bir ödeme çökmede kaybolmamalı.',
  },
  todo_statement_timeout: {
    en: 'Remove it from the role and the database: our sessions set it to 0, but a new session may be cut off before that.',
    tr: 'Rolden ve veritabanından kaldırın: oturumlarımız onu 0 yapar, ama yeni bir oturum ondan önce kesilebilir.',
  },
  todo_standby: {
    en: 'The standby that must confirm every write does not answer.',
    tr: 'Her yazmayı onaylaması gereken yedek sunucu yanıt vermiyor.',
    cli: 'docs/operations.md, "The standby is gone"',
  },
  todo_writing: {
    en: 'Nothing can be saved until the database takes writes again.',
    tr: 'Veritabanı yeniden yazana kadar hiçbir şey kaydedilemez.',
    cli: 'docs/operations.md, "The database is down"',
  },
  todo_archiving: {
    en: 'Check the log of PostgreSQL.',
    tr: 'PostgreSQL günlüğüne bakın.',
    cli: 'docs/backup.md, "Your own PostgreSQL"',
  },
  todo_rights: {
    en: 'Give the role its rights, as the owner of the database.',
    tr: 'Role yetkilerini veritabanının sahibi olarak verin.',
    cli: 'vezne migrate, with the owner’s DATABASE_URL\ndocs/operations.md, "A right is missing"',
  },
  todo_primary: {
    en: 'Decide nothing until one of them is stopped.',
    tr: 'Biri durdurulana kadar hiçbir karar vermeyin.',
    cli: 'docs/operations.md, "Two primaries"',
  },
  todo_replication: {
    en: 'Set synchronous_standby_names: without it a failover loses acknowledged payments.',
    tr: 'synchronous_standby_names ayarlanmalı: yoksa yedeğe geçişte yanıtlanmış ödemeler kaybolur.',
    cli: 'docs/operations.md, "The database is older"',
  },
  todo_schema_older: { en: 'Migrate the database.', tr: 'Veritabanını güncelleyin.', cli: 'vezne migrate' },
  todo_schema_newer: {
    en: 'Run the version of Vezne that migrated this database, or a newer one.',
    tr: 'Bu veritabanını güncelleyen Vezne sürümünü veya daha yenisini çalıştırın.',
  },
  todo_clock: {
    en: 'Set the clocks of this machine and of the database server by NTP. Workers do nothing until the clocks agree.',
    tr: 'Bu sunucunun ve veritabanı sunucusunun saatini NTP ile ayarlayın. Saatler tutana kadar arka plan işleri durur.',
  },
  todo_role: {
    en: 'Run the service as a role that owns nothing.',
    tr: 'Servisi hiçbir şeyin sahibi olmayan bir rolle çalıştırın.',
    cli: 'deploy/roles.sql makes vezne_app, for serve and work\ndocs/deploy.md, "Database roles"',
  },
  todo_reader: {
    en: 'Revoke these rights as a superuser. If there is none, give vezne_read only to people you trust.',
    tr: 'Bu yetkileri süper kullanıcı olarak kaldırın; süper kullanıcı yoksa vezne_read rolünü yalnız güvendiğiniz kişilere verin.',
    cli: 'deploy/roles.sql',
  },
  todo_disk: {
    en: ({ folder }) => `Free some space on the disk of ${folder}.`,
    tr: ({ folder }) => `${folder} klasörünün diskinde yer açın.`,
  },
  todo_mode: {
    en: 'A sandbox stays a sandbox: set up a separate deployment with a new database.',
    tr: 'Sandbox hep sandbox kalır: yeni bir veritabanıyla ayrı bir kurulum yapın.',
    cli: 'VEZNE_MODE=live\ndocs/guides/en/going-live.md',
  },
  todo_own_database: {
    en: 'Use a PostgreSQL that is backed up continuously.',
    tr: 'Sürekli yedeklenen bir PostgreSQL kullanın.',
    cli: 'DATABASE_URL\ndocs/backup.md',
  },
  todo_bank_connection: {
    en: 'Every payout is sent by hand, and no statements are read. Connect a bank by its API or by files.',
    tr: 'Her ödeme elle gönderiliyor, ekstreler okunmuyor. Bir bankayı API’siyle ya da dosyayla bağlayın.',
    cli: 'vezne connection add',
  },
  todo_audit_heads: {
    en: 'Have the service write the heads of the audit to a file that the owner of the database cannot change.',
    tr: 'Denetim kaydının uçları, veritabanı sahibinin değiştiremeyeceği bir dosyaya yazılmalı.',
    cli: 'VEZNE_AUDIT_HEADS\ndocs/operations.md, "Audit"',
  },
  todo_ops_port: {
    en: 'Open the metrics port, scrape it and load the alerts; otherwise no one learns of an outage.',
    tr: 'Ölçüm portunu açın, izleyin ve uyarıları yükleyin: yoksa kesintiden kimsenin haberi olmaz.',
    cli: 'VEZNE_OPS_PORT, deploy/prometheus-rules.yml',
  },
  todo_wal: {
    en: 'Archive the WAL, or use a managed PostgreSQL that does.',
    tr: 'WAL’ı arşivleyin ya da bunu yapan yönetilen bir PostgreSQL kullanın.',
    cli: 'docs/backup.md, "Your own PostgreSQL"',
  },
  todo_two_operators: {
    en: 'Add a second person: approvals need two people.',
    tr: 'İkinci bir kişi ekleyin: onaylar iki kişi ister.',
    cli: 'vezne operator add NAME --role ROLE\neveryone after the first: --as FIRST',
  },
  todo_two_admins: {
    en: 'Add a second admin: until then, one person can act as everyone.',
    tr: 'İkinci bir yönetici ekleyin: o zamana kadar tek kişi herkesin yerine geçebilir.',
    cli: 'vezne operator add NAME --role admin --as YOU',
  },
  todo_merchants: {
    en: 'Create a merchant.',
    tr: 'Bir satıcı ekleyin.',
    cli: 'vezne merchant create --name NAME --as YOU',
  },
  todo_merchants_shut_out: {
    en: 'Allow the addresses of their servers.',
    tr: 'Sunucularının adreslerine izin verin.',
    cli: 'vezne merchant allow-ip MERCHANT ADDRESS --as YOU',
  },
  todo_payout_rules: {
    en: 'Propose rules for each merchant; a second admin approves them.',
    tr: 'Her satıcı için kural önerin; ikinci bir yönetici onaylar.',
    cli: 'vezne merchant payout-rules ID --approve-from KURUS --as YOU',
  },
  todo_collecting_accounts: {
    en: 'Open an account; in live mode it becomes active once a second person has approved it.',
    tr: 'Bir hesap açın; canlıda ikinci bir kişi onaylayınca etkinleşir.',
    cli: 'vezne bank open-account --iban IBAN --title TITLE --as YOU',
  },
  todo_master_key: {
    en: 'Find out which key sealed it, or restore the row.',
    tr: 'Hangi anahtarla kilitlendiği bulunmalı ya da kayıt yedekten alınmalı.',
    cli: 'docs/operations.md, "A secret does not open"',
  },
  todo_ledger: {
    en: 'No payouts are sent.',
    tr: 'Ödeme gönderilmiyor.',
    cli: 'docs/operations.md, "The ledger drifted"',
  },
  todo_restored_unmarked: {
    en: 'A worker marks the database as restored. If none runs, mark it by hand.',
    tr: 'Arka plan işleri veritabanını işaretler; çalışmıyorlarsa elle işaretleyin.',
    cli: 'vezne restored\ndocs/operations.md, "The database is older"',
  },
  todo_restored: {
    en: 'Check what the banks have done since then.',
    tr: 'Bankaların o zamandan beri ne yaptığına bakın.',
    cli: 'vezne restore-check\ndocs/backup.md, "After a restore"',
  },
  todo_payouts_without_debit: {
    en: 'Import the statement, or ask the bank.',
    tr: 'Ekstreyi yükleyin veya bankaya sorun.',
    cli: 'vezne payout list --without-debit\ndocs/operations.md, "Lines that are missing"',
  },
  todo_returns_without_credit: {
    en: 'The merchant already has the money. Ask the bank about the return, then import the statement.',
    tr: 'Para satıcıya geri verildi. İadeyi bankaya sorun, sonra ekstreyi yükleyin.',
    cli: 'vezne payout list --without-credit\ndocs/operations.md, "Lines that are missing"',
  },
  todo_debits: {
    en: 'You should know what each of them is: explain them.',
    tr: 'Her birinin ne olduğunu bilmelisiniz: açıklayın.',
    cli: 'vezne line list --state needs_review',
  },
  todo_credits: {
    en: 'This money is not in the books until someone decides.',
    tr: 'Bu para, karar verilene kadar deftere geçmez.',
    cli: 'vezne line list --state needs_review\ndocs/operations.md, "Suspected corrections"',
  },
  todo_suspense: {
    en: 'Find out whom the money belongs to.',
    tr: 'Paranın kime ait olduğunu bulun.',
    cli: 'vezne line list --state suspense\ndocs/operations.md, "Money without a deposit"',
  },
  todo_unread: {
    en: 'These lines are not in the books. Check why; open the account or ask the bank, then import the lines again.',
    tr: 'Bu satırlar defterde değil. Neden alınamadıklarına bakın; hesabı açın ya da bankaya sorun, sonra yeniden aldırın.',
    cli: 'vezne line unread\nvezne line unread --retry',
  },
  todo_unexplained: {
    en: 'Match each line or propose a journal entry for it.',
    tr: 'Her satırı eşleştirin ya da defter kaydı önerin.',
    cli: 'vezne line candidates LINE\nvezne journal propose\ndocs/ledger.md, "Journal entries"',
  },
  todo_unconfirmed: {
    en: 'Import the final statement of the day, or ask the bank. If the bank does not know the booking, two people dismiss the line.',
    tr: 'Gün sonu ekstresini yükleyin veya bankaya sorun. Banka hareketi bilmiyorsa iki kişi satırın geçersiz olduğunu bildirir.',
    cli: 'vezne line dismiss LINE\ndocs/statements.md, "Confirmed lines"',
  },
  todo_lines_of_files: {
    en: 'These lines of an uploaded file did not come over the connection of the account: ask the bank.',
    tr: 'Yüklenen dosyadaki bu satırlar hesabın bağlantısından gelmedi: bankaya sorun.',
    cli: 'docs/statements.md, "Files that take two people"',
  },
  todo_imports: {
    en: 'The rest of the file is not booked. Check why, undo the import and import the file again.',
    tr: 'Dosyanın kalanı deftere geçmedi. Nedenine bakın, aktarmayı geri alıp dosyayı yeniden yükleyin.',
    cli: 'vezne statement show FILE\ndocs/statements.md, "Undo"',
  },
  todo_rows_aside: {
    en: 'Each is retried every 10 minutes; the others continue. A withdrawal that was not sent can be stopped.',
    tr: 'Her biri 10 dakikada bir yeniden denenir; diğerleri sürer. Gönderilmemiş bir çekim durdurulabilir.',
    cli: 'docs/operations.md, "A row that is set aside"',
  },
  todo_orders: {
    en: 'Check which file waits and why.',
    tr: 'Hangi dosyanın neden beklediğine bakın.',
    cli: 'vezne batch list\nvezne batch show ID\nvezne batch reports\ndocs/operations.md, "Order files"',
  },
  todo_statements: {
    en: 'Deposits at this bank do not expire until it is read. Check that a worker runs; its log says why the bank does not answer.',
    tr: 'Okunana kadar bu bankadaki yatırımların süresi dolmaz. Arka plan işlerinin çalıştığına bakın; bankanın neden yanıt vermediği günlüktedir.',
    cli: 'vezne work, or vezne up\nif the bank does not know the cursor (HTTP 400): vezne line reread SOURCE',
  },
}
