import type { MoneyFact, Said } from '../../platform/refusal.ts'
import type { DatabaseFault, HostFault } from '../../platform/postgres/database-faults.ts'
import type { ReplicationMode } from '../../platform/postgres/replication.ts'
import type { ExcessRight } from '../../platform/postgres/role-rights.ts'
import { tells } from './catalogue.ts'

type Direction = 'credit' | 'debit'
/** `more`: how many are not named. */
type Named = { lines: readonly Said[]; more: number }

type OldestOrder = { count: number; batch: string; problem: Said | null }

/** Rows that only the service writes. */
export type ForgedKind =
  | ('operator' | 'login' | 'passkey' | 'invitation' | 'session')
  | ('proposal' | 'statement_file')
  | ('withdrawal' | 'payout' | 'finding' | 'private_network')
  | ('account' | 'settlement_account' | 'merchant_setting' | 'line_rule' | 'bank_line' | 'balance')

/** Rows that a worker sets aside. `event`: those of a transaction. `callback`: EVENT/ENDPOINT, or an endpoint. `settlement`: of a merchant. */
export type AsideKind = 'withdrawal' | 'payout' | 'deposit' | 'line' | 'event' | 'callback' | 'refund' | 'settlement'

/** What a check of the system found. Parts of a list are sentences of their own. */
export const CHECKS = {
  check_none: tells(),
  check_works: tells(),
  check_count: tells<{ count: number }>(),
  check_names: tells<{ names: readonly string[] }>(),
  check_not_done: tells<{ seconds: number }>(),
  /** `error`: of the program or the system, as it is in the log. */
  check_broken: tells<{ error: string }>(),

  // The database and its server.
  check_postgres: tells<{ version: string }>(),
  check_durability: tells<{ fsync: string; commit: string }>(),
  check_role_rows_only: tells<{ role: string }>(),
  check_role_excess: tells<{ role: string; rights: readonly ExcessRight[] }>(),
  check_reader_only_reads: tells(),
  check_reader_may_more: tells(),
  check_rights_complete: tells(),
  check_rights_missing: tells<{ rights: readonly Said[]; more: number }>(),
  check_right: tells<{ right: string; table: string }>(),
  check_write_refused: tells<{ fault: DatabaseFault | null }>(),
  check_one_host: tells(),
  check_hosts: tells<{ hosts: readonly Said[] }>(),
  check_host_takes_writes: tells<{ host: string }>(),
  check_host_fails: tells<{ host: string; fault: HostFault; code: string }>(),
  check_hosts_split: tells<{ hosts: readonly string[]; used: string }>(),
  check_replication: tells<{ mode: ReplicationMode }>(),
  check_statement_timeout: tells<{ milliseconds: string }>(),
  check_archiving_fails: tells<{ segment: string }>(),
  check_archive_mode: tells<{ mode: string }>(),
  check_disk_elsewhere: tells<{ size: string }>(),
  check_disk_free: tells<{ size: string; percent: number }>(),
  check_schema_current: tells(),
  check_schema_older: tells(),
  check_schema_newer: tells(),
  check_clock_offset: tells<{ seconds: number }>(),

  // What runs, and connections.
  check_api_answers: tells<{ url: string; status: number }>(),
  /** `error`: of the network. */
  check_api_unreachable: tells<{ url: string; error: string }>(),
  check_workers_never: tells(),
  check_workers_stopped: tells<{ minutes: number }>(),
  check_workers_stand_still: tells<{ workers: readonly string[] }>(),
  check_workers_run: tells<{ count: number }>(),
  check_sending_kept: tells<{ host: string }>(),
  check_sending_not_kept: tells(),
  check_callbacks_arrived: tells(),
  check_callbacks_oldest: tells<{ minutes: number }>(),
  check_bank_answers: tells(),
  check_bank_silent: tells<{ problem: Said }>(),
  check_folder_found: tells<{ folder: string; found: Said }>(),
  check_folder_open_to_all: tells<{ path: string }>(),
  check_folder_unusable: tells<{ error: string }>(),
  check_folder_files: tells<{ count: number; names: readonly string[] }>(),
  check_folder_rule: tells(),
  check_folders_together: tells(),
  check_folders_apart: tells(),
  check_folders_rule: tells(),
  /** Of a connection without a machine. */
  check_manual: tells(),
  check_path: tells<{ path: string }>(),
  check_problems: tells<{ problems: readonly Said[] }>(),
  check_connection_unusable: tells<{ error: string }>(),
  check_connection_disabled: tells<{ since: string; accounts: number }>(),
  check_accounts_connected: tells(),
  check_accounts_unconnected: tells<{ accounts: readonly Said[] }>(),
  /** `account`: its last four digits. */
  check_account_source: tells<{ account: string; connection: string | null }>(),
  check_lines_unreadable: tells<{ count: number; lines: readonly Said[] }>(),
  check_line_unreadable: tells<{ why: Said; raw: string }>(),
  check_files_refused: tells<{ count: number; folder: string; newest: string }>(),
  check_statements_in_time: tells(),
  check_statements_late: tells<{ accounts: readonly Said[]; more: number }>(),
  check_account_until: tells<{ account: string; until: string | null }>(),
  check_banks_unread: tells(),
  check_banks_read: tells<{ banks: readonly Said[] }>(),
  check_bank_read: tells<{ bank: string; minutes: number | null }>(),

  // Money.
  check_key_opens: tells<{ rows: readonly Said[] }>(),
  check_key_rows: tells<{ count: number; key: string }>(),
  check_key_fails: tells<{ count: number; error: string }>(),
  check_ledger_balanced: tells(),
  check_ledger_drifted: tells<{ balances: number; accounts: number; entries: number }>(),
  check_not_restored: tells(),
  check_restored_unmarked: tells(),
  check_restored_to: tells<{ at: string }>(),
  check_lines_in_time: tells(),
  check_totals: tells<{ totals: readonly Said[] }>(),
  check_totals_of: tells<{ totals: readonly Said[]; withdrawals: readonly string[] }>(),
  check_total: tells<{ count: number; amount: MoneyFact; days: number }>(),
  check_lines_explained: tells<{ days: number }>(),
  check_lines_confirmed: tells<{ days: number }>(),
  check_lines_given: tells(),
  check_lines: tells<Named>(),
  /** The search for more ended at a limit. */
  check_lines_at_least: tells<Named>(),
  check_line: tells<{ line: string; direction: Direction; amount: MoneyFact }>(),
  check_line_of_days: tells<{
    line: string
    direction: Direction
    amount: MoneyFact
    days: number
  }>(),
  check_line_of_account: tells<{
    line: string
    direction: Direction
    amount: MoneyFact
    bank: string
    account: string
    day: string
  }>(),
  check_imports_finished: tells(),
  check_imports_unfinished: tells<{ files: readonly Said[] }>(),
  check_file: tells<{ file: string; name: string }>(),
  check_rows_aside: tells<{ count: number; rows: readonly Said[]; isMore: boolean }>(),
  check_row_aside: tells<{ what: AsideKind; id: string; error: string }>(),
  check_orders_in_time: tells(),
  check_orders_held: tells<OldestOrder>(),
  check_orders_unfetched: tells<OldestOrder>(),
  check_orders_silent: tells<OldestOrder>(),
  check_orders_stopped: tells<OldestOrder>(),
  check_reports_unfitting: tells<{ count: number; newest: readonly Said[] }>(),
  check_report_of_message: tells<{ name: string; connection: string; message: string | null }>(),
  check_report_of_order: tells<{ name: string; connection: string; batch: string; order: string | null }>(),

  // Books, and rows that only the service writes.
  check_books_explained: tells(),
  check_books_unproven: tells<{ accounts: readonly string[] }>(),
  check_books_unexplained: tells<{ accounts: readonly Said[] }>(),
  check_books_stopped: tells<{ found: Said; accounts: readonly string[] }>(),
  check_account_unexplained: tells<{ account: string; amount: MoneyFact }>(),
  check_days_closed: tells<{ day: string }>(),
  check_days_changed: tells<{ count: number; day: string }>(),
  check_audit_intact: tells<{ entries: number; head: number | null }>(),
  /** `problem`: as the audit stores it, in English. */
  check_audit_broken: tells<{ problem: string }>(),
  check_payouts_as_asked: tells(),
  check_payouts_differ: tells<{ withdrawals: readonly string[] }>(),
  check_events_true: tells<{ count: number }>(),
  check_events_untrue: tells<{ events: readonly string[] }>(),
  check_rows_genuine: tells(),
  check_rows_forged: tells<{ rows: readonly Said[] }>(),
  check_row_forged: tells<{ what: ForgedKind; id: string }>(),
  check_logins_complete: tells(),
  check_logins_missing: tells<{ people: readonly Said[] }>(),
  check_person_since: tells<{ name: string; minutes: number }>(),

  // Before a deployment takes real money.
  check_mode: tells<{ mode: 'sandbox' | 'live' }>(),
  check_database_embedded: tells(),
  check_database_own: tells(),
  check_heads_in_log: tells(),
  check_merchants_shut_out: tells<{ merchants: readonly string[] }>(),
  check_rules_complete: tells(),
  check_rules_missing: tells<{ merchants: readonly Said[]; more: number }>(),
  check_merchant: tells<{ name: string; merchant: string }>(),
}
