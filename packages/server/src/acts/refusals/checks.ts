import type { CHECKS } from '../../kernel/refusals/checks.ts'
import {
  agedEn,
  agedTr,
  ASIDE,
  FAULTS,
  FORGED,
  HOST_FAULTS,
  ledgerEn,
  ledgerTr,
  lineTr,
  listed,
  listedTr,
  moreEn,
  oldestEn,
  oldestTr,
  REPLICATION,
  RIGHTS,
} from './check-words.ts'
import type { Sentence, Sentences, Text } from './sentence.ts'
import { gun } from './words.ts'

/** Nothing in it is of a language. */
const same = <Facts>(text: Text<Facts>): Sentence<Facts> => ({ en: text, tr: text })

export const CHECK_SENTENCES: Sentences<typeof CHECKS> = {
  check_none: { en: 'none', tr: 'yok' },
  check_works: { en: 'works', tr: 'çalışıyor' },
  check_count: same(({ count }) => `${count}`),
  check_names: same(({ names }) => names.join(', ')),
  check_path: same(({ path }) => path),
  check_problems: same(({ problems }) => problems.join('; ')),
  check_not_done: {
    en: ({ seconds }) => `not done within ${seconds} s`,
    tr: ({ seconds }) => `${seconds} sn içinde bitmedi`,
  },
  check_broken: { en: ({ error }) => error, tr: ({ error }) => `hata: ${error}` },

  check_postgres: same(({ version }) => `PostgreSQL ${version}`),
  check_durability: same(({ fsync, commit }) => `fsync ${fsync}, synchronous_commit ${commit}`),
  check_role_rows_only: {
    en: ({ role }) => `${role} can change rows only`,
    tr: ({ role }) => `${role} yalnız kayıtları değiştirir`,
  },
  check_role_excess: {
    en: ({ role, rights }) => `${role} ${rights.map((one) => RIGHTS[one][0]).join(', ')}`,
    tr: ({ role, rights }) => `${role}: ${rights.map((one) => RIGHTS[one][1]).join(', ')}`,
  },
  check_reader_only_reads: { en: 'vezne_read only reads', tr: 'vezne_read yalnız okur' },
  check_reader_may_more: {
    en: 'vezne_read may hold locks that stop the workers, and write large objects',
    tr: 'vezne_read arka plan işlerini durduran kilitler tutabilir ve büyük nesneler yazabilir',
  },
  check_rights_complete: { en: 'has all', tr: 'hepsi var' },
  check_rights_missing: {
    en: ({ rights, more }) => `lacks ${listed(rights, moreEn(more))}`,
    tr: ({ rights, more }) => `eksik yetki: ${listedTr(rights, more, '{} yetki daha')}`,
  },
  check_right: { en: ({ right, table }) => `${right} on ${table}`, tr: ({ right, table }) => `${table} için ${right}` },
  check_write_refused: {
    en: ({ fault }) => (fault === null ? 'The check failed; the log has the reason.' : FAULTS[fault][0]),
    tr: ({ fault }) => (fault === null ? 'Denetim yapılamadı; nedeni günlükte.' : FAULTS[fault][1]),
  },
  check_one_host: { en: 'one host', tr: 'tek sunucu' },
  check_hosts: same(({ hosts }) => hosts.join('; ')),
  check_host_takes_writes: { en: ({ host }) => `${host} takes writes`, tr: ({ host }) => `${host} yazma kabul ediyor` },
  check_host_fails: {
    en: ({ host, fault, code }) => `${host} ${HOST_FAULTS[fault][0]}${fault === 'other' ? ` with ${code}` : ''}`,
    tr: ({ host, fault, code }) => `${host}: ${HOST_FAULTS[fault][1]}${fault === 'other' ? ` (${code})` : ''}`,
  },
  check_hosts_split: {
    en: ({ hosts, used }) =>
      `${hosts.join(' and ')} both take writes; stop the one that is not the primary. All other checks read ${used}, which may be the wrong one`,
    tr: ({ hosts, used }) =>
      `${hosts.join(' ve ')} ikisi de yazma kabul ediyor; ana sunucu olmayan durdurulmalı. Diğer denetimler ${used} sunucusunu okuyor, o da yanlış olabilir`,
  },
  check_replication: { en: ({ mode }) => REPLICATION[mode][0], tr: ({ mode }) => REPLICATION[mode][1] },
  check_statement_timeout: same(({ milliseconds }) => `${milliseconds} ms`),
  check_archiving_fails: {
    en: ({ segment }) => `fails, last with ${segment}`,
    tr: ({ segment }) => `başarısız; sonuncusu ${segment}`,
  },
  check_archive_mode: same(({ mode }) => `archive_mode ${mode}`),
  check_disk_elsewhere: {
    en: ({ size }) => `the database takes ${size}; watch the disk of its server`,
    tr: ({ size }) => `veritabanı ${size}; sunucusunun diskini izleyin`,
  },
  check_disk_free: {
    en: ({ size, percent }) => `the database takes ${size}; ${percent} % of the disk is free`,
    tr: ({ size, percent }) => `veritabanı ${size}; diskin %${percent} kadarı boş`,
  },
  check_schema_current: { en: 'up to date', tr: 'güncel' },
  check_schema_older: { en: 'missing', tr: 'eksik' },
  check_schema_newer: { en: 'newer than this version', tr: 'bu sürümden yeni' },
  check_clock_offset: {
    en: ({ seconds }) =>
      `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`,
    tr: ({ seconds }) =>
      `bu sunucunun saati veritabanınınkinden ${Math.abs(seconds)} sn ${seconds < 0 ? 'geri' : 'ileri'}`,
  },

  check_api_answers: {
    en: ({ url, status }) => `${url} returns ${status}`,
    tr: ({ url, status }) => `${url} yanıtı: ${status}`,
  },
  check_api_unreachable: {
    en: ({ url, error }) => `${url}: ${error}`,
    tr: ({ url, error }) => `${url} yanıt vermiyor (${error})`,
  },
  check_workers_never: { en: 'none has run yet', tr: 'henüz çalışan yok' },
  check_workers_stopped: {
    en: ({ minutes }) => `none has run for ${agedEn(minutes)}`,
    tr: ({ minutes }) => `${agedTr(minutes)} süredir hiçbiri çalışmadı`,
  },
  check_workers_stand_still: {
    en: ({ workers }) => `these stand still: ${workers.join(', ')}`,
    tr: ({ workers }) => `duranlar: ${workers.join(', ')}`,
  },
  check_workers_run: { en: ({ count }) => `${count} run`, tr: ({ count }) => `${count} iş çalışıyor` },
  check_sending_kept: {
    en: ({ host }) => `kept outside the database, last on ${host}`,
    tr: ({ host }) => `veritabanının dışında tutuluyor; son olarak ${host} üzerinde`,
  },
  check_sending_not_kept: {
    en: 'no worker keeps it outside the database',
    tr: 'hiçbir arka plan işi veritabanının dışında tutmuyor',
  },
  check_callbacks_arrived: { en: 'every event has arrived', tr: 'her olay ulaştı' },
  check_callbacks_oldest: {
    en: ({ minutes }) => `the oldest undelivered event is ${agedEn(minutes)} old`,
    tr: ({ minutes }) => `teslim edilmeyen en eski olay ${agedTr(minutes)} önceden`,
  },
  check_bank_answers: { en: 'answers', tr: 'yanıt veriyor' },
  check_bank_silent: same(({ problem }) => problem),
  check_folder_found: same(({ folder, found }) => `${folder}: ${found}`),
  check_folder_open_to_all: {
    en: ({ path }) => `${path} is writable by everyone`,
    tr: ({ path }) => `${path} klasörüne herkes yazabiliyor`,
  },
  check_folder_unusable: { en: ({ error }) => error, tr: ({ error }) => `kullanılamıyor (${error})` },
  check_folder_files: {
    en: ({ count, names }) => `${count} file(s)${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
    tr: ({ count, names }) => `${count} dosya${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
  },
  check_folder_rule: {
    en: 'a folder that this user can read and write, and that not everyone can write',
    tr: 'bu kullanıcının okuyup yazabildiği, herkesin yazamadığı bir klasör',
  },
  check_folders_together: { en: 'one', tr: 'tek' },
  check_folders_apart: { en: 'several, or a folder is missing', tr: 'birden çok, ya da bir klasör eksik' },
  check_folders_rule: {
    en: 'all five folders on one file system, so that moving a file is atomic',
    tr: 'beş klasörün hepsi aynı dosya sisteminde: dosya ancak o zaman tek adımda taşınır',
  },
  check_manual: {
    en: 'a person is the connection: nothing to check',
    tr: 'bağlantı bir kişi: denetlenecek bir şey yok',
  },
  check_connection_unusable: { en: ({ error }) => error, tr: ({ error }) => `ayarları açılamıyor (${error})` },
  check_connection_disabled: {
    en: ({ since, accounts }) => `disabled since ${since}, with ${accounts} account(s)`,
    tr: ({ since, accounts }) => `${gun(since.slice(0, 10))} tarihinden beri kapalı; ${accounts} hesabı var`,
  },
  check_accounts_connected: { en: 'all are configured', tr: 'hepsinin var' },
  check_accounts_unconnected: same(({ accounts }) => accounts.join(', ')),
  check_account_source: {
    en: ({ account, connection }) => `…${account} ${connection ?? 'none yet'}`,
    tr: ({ account, connection }) => `…${account} ${connection ?? 'henüz yok'}`,
  },
  check_lines_unreadable: {
    en: ({ count, lines }) => `${count} wrong line(s): ${lines.join('; ')}`,
    tr: ({ count, lines }) => `${count} satır okunamıyor: ${lines.join('; ')}`,
  },
  check_line_unreadable: same(({ why, raw }) => `${why}: ${raw}`),
  check_files_refused: {
    en: ({ count, folder, newest }) => `${count} in ${folder}, the newest ${newest}`,
    tr: ({ count, folder, newest }) => `${folder} içinde ${count} dosya; en yenisi ${newest}`,
  },
  check_statements_in_time: { en: 'none is late', tr: 'geciken yok' },
  check_statements_late: {
    en: ({ accounts, more }) => `imported: ${listed(accounts, moreEn(more, 'others'))}`,
    tr: ({ accounts, more }) => `aktarılan: ${listedTr(accounts, more, '{} hesap daha')}`,
  },
  check_account_until: {
    en: ({ account, until }) => `…${account} ${until === null ? 'never' : `until ${until}`}`,
    tr: ({ account, until }) => `…${account} ${until === null ? 'hiç' : `${gun(until)} gününe kadar`}`,
  },
  check_banks_unread: { en: 'no bank is read', tr: 'okunan banka yok' },
  check_banks_read: same(({ banks }) => banks.join(', ')),
  check_bank_read: {
    en: ({ bank, minutes }) => `${bank} ${minutes === null ? 'never read' : `read ${agedEn(minutes)} ago`}`,
    tr: ({ bank, minutes }) => `${bank}: ${minutes === null ? 'hiç okunmadı' : `${agedTr(minutes)} önce okundu`}`,
  },

  check_key_opens: {
    en: ({ rows }) => `opens all (${rows.join(', ')})`,
    tr: ({ rows }) => `hepsini açıyor (${rows.join(', ')})`,
  },
  check_key_rows: {
    en: ({ count, key }) => `${count} sealed by ${key}`,
    tr: ({ count, key }) => `${key} ile ${count} kayıt`,
  },
  check_key_fails: {
    en: ({ count, error }) => `${count} secret(s) do not open; the first: ${error}`,
    tr: ({ count, error }) => `${count} sır açılmıyor; ilki: ${error}`,
  },
  check_ledger_balanced: {
    en: 'every balance equals the sum of its transfers, every transfer fits its entry',
    tr: 'her bakiye hareketlerinin toplamına eşit, her hareket kaydına uyuyor',
  },
  check_ledger_drifted: {
    en: ({ balances, accounts, entries }) => ledgerEn(balances, accounts, entries),
    tr: ({ balances, accounts, entries }) => ledgerTr(balances, accounts, entries),
  },
  check_not_restored: { en: 'no', tr: 'hayır' },
  check_restored_unmarked: {
    en: 'not marked, but the database may be older than what was sent',
    tr: 'işaretlenmemiş, ama veritabanı gönderilenden eski olabilir',
  },
  check_restored_to: {
    en: ({ at }) => `to ${at}; no payout is sent`,
    tr: ({ at }) => `${at} anına dönüldü; ödeme gönderilmiyor`,
  },
  check_lines_in_time: { en: 'none after two business days', tr: 'iki iş gününden eski yok' },
  check_totals: same(({ totals }) => totals.join('; ')),
  check_totals_of: same(({ totals, withdrawals }) => `${totals.join('; ')}: ${withdrawals.join(', ')}`),
  check_total: {
    en: ({ count, amount, days }) => `${count} (${amount}), the oldest ${days} ${days === 1 ? 'day' : 'days'} old`,
    tr: ({ count, amount, days }) => `${count} (${amount}); en eskisi ${days === 0 ? 'bugünden' : `${days} günlük`}`,
  },
  check_lines_explained: {
    en: ({ days }) => `none older than ${days} days`,
    tr: ({ days }) => `${days} günden eski yok`,
  },
  check_lines_confirmed: {
    en: ({ days }) => `each was on a final statement within ${days} business days`,
    tr: ({ days }) => `hepsi ${days} iş günü içinde gün sonu ekstresinde çıktı`,
  },
  check_lines_given: {
    en: 'the connections gave all lines of their accounts within a day',
    tr: 'bağlantılar, hesaplarının bütün satırlarını bir gün içinde verdi',
  },
  check_lines: {
    en: ({ lines, more }) => listed(lines, moreEn(more, 'others')),
    tr: ({ lines, more }) => listedTr(lines, more, '{} satır daha'),
  },
  check_lines_at_least: {
    en: ({ lines, more }) => listed(lines, moreEn(more, 'or more others')),
    tr: ({ lines, more }) => listedTr(lines, more, 'en az {} satır daha'),
  },
  check_line: {
    en: ({ line, direction, amount }) => `${line} (${direction}, ${amount})`,
    tr: ({ line, direction, amount }) => `${line} (${lineTr(direction)} ${amount})`,
  },
  check_line_of_days: {
    en: ({ line, direction, amount, days }) => `${line} (${direction}, ${amount}, ${days} days)`,
    tr: ({ line, direction, amount, days }) => `${line} (${lineTr(direction)} ${amount}, ${days} günlük)`,
  },
  check_line_of_account: {
    en: ({ line, direction, amount, bank, account, day }) =>
      `${line} (${direction}, ${amount}, ${bank} …${account} of ${day})`,
    tr: ({ line, direction, amount, bank, account, day }) =>
      `${line} (${lineTr(direction)} ${amount}, ${bank} …${account}, ${gun(day)})`,
  },
  check_imports_finished: { en: 'none is unfinished', tr: 'yarım kalan yok' },
  check_imports_unfinished: same(({ files }) => files.join(', ')),
  check_file: same(({ file, name }) => `${file} (${name})`),
  check_rows_aside: same(({ count, rows, isMore }) => `${count}: ${rows.join('; ')}${isMore ? ' …' : ''}`),
  check_row_aside: {
    en: ({ what, id, error }) => `${ASIDE[what][0]} ${id} (${error})`,
    tr: ({ what, id, error }) => `${ASIDE[what][1]} ${id} (${error})`,
  },
  check_orders_in_time: { en: 'none overdue', tr: 'geciken yok' },
  check_orders_held: {
    en: ({ count, batch, problem }) => `${count} held up ${oldestEn(batch, problem)}`,
    tr: ({ count, batch, problem }) => `${count} dosya bekletiliyor ${oldestTr(batch, problem)}`,
  },
  check_orders_unfetched: {
    en: ({ count, batch, problem }) => `${count} not fetched for an hour ${oldestEn(batch, problem)}`,
    tr: ({ count, batch, problem }) => `${count} dosya bir saattir alınmadı ${oldestTr(batch, problem)}`,
  },
  check_orders_silent: {
    en: ({ count, batch, problem }) =>
      `${count} fetched, without a report or debit for two business days ${oldestEn(batch, problem)}`,
    tr: ({ count, batch, problem }) =>
      `${count} dosya alındı, iki iş günüdür rapor veya borç satırı yok ${oldestTr(batch, problem)}`,
  },
  check_orders_stopped: {
    en: ({ count, batch, problem }) => `${count} in outbox/ although it must not be sent ${oldestEn(batch, problem)}`,
    tr: ({ count, batch, problem }) =>
      `${count} dosya gönderilmemesi gerekirken klasördeydi ${oldestTr(batch, problem)}`,
  },
  check_reports_unfitting: {
    en: ({ count, newest }) =>
      `${count} report(s), or orders in them, match nothing (the newest: ${newest.join('; ')})`,
    tr: ({ count, newest }) =>
      `${count} rapor veya rapor satırı hiçbir şeyle eşleşmiyor (en yenileri: ${newest.join('; ')})`,
  },
  check_report_of_message: {
    en: ({ name, connection, message }) => `${name} of ${connection}, message ${message ?? 'without id'}`,
    tr: ({ name, connection, message }) => `${connection}: ${name}, mesaj ${message ?? '(numarasız)'}`,
  },
  check_report_of_order: {
    en: ({ name, connection, batch, order }) => `${name} of ${connection}, order file ${batch}, order ${order}`,
    tr: ({ name, connection, batch, order }) => `${connection}: ${name}, talimat dosyası ${batch}, talimat ${order}`,
  },

  check_books_explained: { en: 'everything is explained', tr: 'her şey açıklandı' },
  check_books_unproven: {
    en: ({ accounts }) => `not proven: the bank gave no balance for ${accounts.join(', ')}`,
    tr: ({ accounts }) => `doğrulanamadı: banka şu hesaplar için bakiye vermedi: ${accounts.join(', ')}`,
  },
  check_books_unexplained: {
    en: ({ accounts }) => `not explained: ${accounts.join(', ')}`,
    tr: ({ accounts }) => `açıklanmayan: ${accounts.join(', ')}`,
  },
  check_books_stopped: {
    en: ({ found, accounts }) => `${found}; payouts stopped from ${accounts.join(', ')}`,
    tr: ({ found, accounts }) => `${found}; şu hesaplardan ödeme durdu: ${accounts.join(', ')}`,
  },
  check_account_unexplained: {
    en: ({ account, amount }) => `${amount} on ${account}`,
    tr: ({ account, amount }) => `${account} hesabında ${amount}`,
  },
  check_days_closed: { en: ({ day }) => `until ${day}`, tr: ({ day }) => `${gun(day)} gününe kadar` },
  check_days_changed: {
    en: ({ count, day }) => `${count} balance(s) of ${day} are not the sum of their entries`,
    tr: ({ count, day }) => `${gun(day)} gününün ${count} bakiyesi kayıtlarının toplamı değil`,
  },
  check_audit_intact: {
    en: ({ entries, head }) => `${entries} entries${head === null ? '' : `, head ${head} outside`}`,
    tr: ({ entries, head }) => `${entries} kayıt${head === null ? '' : `; ${head} dışarıya yazıldı`}`,
  },
  check_audit_broken: { en: ({ problem }) => problem, tr: ({ problem }) => `zincir kopuk (${problem})` },
  check_payouts_as_asked: { en: 'every payout is as it was requested', tr: 'her ödeme istenenle aynı' },
  check_payouts_differ: same(({ withdrawals }) => withdrawals.join(', ')),
  check_events_true: {
    en: ({ count }) => `the newest ${count} of each merchant agree with their transactions`,
    tr: ({ count }) => `her satıcının son ${count} olayı işlemleriyle uyuyor`,
  },
  check_events_untrue: same(({ events }) => events.join(', ')),
  check_rows_genuine: {
    en: 'all marked rows are as the service wrote them',
    tr: 'işaretli kayıtların hepsi servisin yazdığı gibi',
  },
  check_rows_forged: same(({ rows }) => rows.join(', ')),
  check_row_forged: {
    en: ({ what, id }) => `${FORGED[what][0]} ${id}`,
    tr: ({ what, id }) => `${FORGED[what][1]} ${id}`,
  },
  check_logins_complete: {
    en: 'everyone who may decide has a login',
    tr: 'karar verebilen herkesin girişi var',
  },
  check_logins_missing: same(({ people }) => people.join(', ')),
  check_person_since: {
    en: ({ name, minutes }) => `${name} (${agedEn(minutes)})`,
    tr: ({ name, minutes }) => `${name} (${agedTr(minutes)})`,
  },

  check_mode: { en: ({ mode }) => mode, tr: ({ mode }) => (mode === 'live' ? 'canlı' : 'sandbox') },
  check_database_embedded: { en: 'the embedded one', tr: 'gömülü veritabanı' },
  check_database_own: { en: 'a database of its own', tr: 'kendi veritabanı' },
  check_heads_in_log: { en: 'only in the log', tr: 'yalnız günlükte' },
  check_merchants_shut_out: {
    en: ({ merchants }) => `without allowed addresses, so they cannot withdraw: ${merchants.join(', ')}`,
    tr: ({ merchants }) => `izinli adresi olmadığı için çekim yapamayanlar: ${merchants.join(', ')}`,
  },
  check_rules_complete: { en: 'every merchant has one', tr: 'her satıcının var' },
  check_rules_missing: {
    en: ({ merchants, more }) => `none, so every payout waits for two people: ${listed(merchants, moreEn(more))}`,
    tr: ({ merchants, more }) =>
      `kuralı olmayan satıcılar, her ödemeleri iki kişi bekler: ${listedTr(merchants, more, '{} satıcı daha')}`,
  },
  check_merchant: same(({ name, merchant }) => `${name} (${merchant})`),
}
