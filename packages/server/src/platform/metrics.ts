import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Histogram({
      name: 'vezne_http_request_seconds',
      help: 'Time to respond to a request, by route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    batchSizes: new Histogram({
      name: 'vezne_list_size',
      help: 'How many requests shared one database transaction.',
      labelNames: ['kind'] as const,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    callbacks: new Counter({
      name: 'vezne_callback_attempts_total',
      help: 'Calls to merchants, by outcome.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    refusedCallers: new Counter({
      name: 'vezne_refused_callers_total',
      help: 'Requests refused because of who sent them, by code; throttled: 429 after too many failures.',
      labelNames: ['code', 'throttled'] as const,
      registers,
    }),
    logins: loginCounter(registers),
    lostCalls: new Counter({
      name: 'vezne_api_calls_not_logged_total',
      help: "Calls that are not in the merchant's log, because there were too many in a second.",
      registers,
    }),
    ...workerAges(registers),
    showDeployment: deploymentGauges(registers),
    closedConnections: new Counter({
      name: 'vezne_connections_closed_total',
      help: 'Connections that were closed because they went past a limit, by limit.',
      labelNames: ['limit'] as const,
      registers,
    }),
    ...processMetrics(registers),
  }
}

/** Those that alerts look at begin with zero: an increase from nothing is not seen. */
function loginCounter(registers: Registry[]) {
  const logins = new Counter({
    name: 'vezne_logins_total',
    help: 'Steps of logins to the consoles, by what was given and what became of it.',
    labelNames: ['audience', 'factor', 'outcome'] as const,
    registers,
  })
  for (const audience of ['operator', 'merchant'])
    for (const factor of ['password', 'code', 'passkey']) logins.inc({ audience, factor, outcome: 'refused' }, 0)
  return logins
}

function processMetrics(registers: Registry[]) {
  return {
    denied: new Counter({
      name: 'vezne_database_denied_total',
      help: 'Requests that failed because the database role lacks a right.',
      registers,
    }),
    ready: new Gauge({
      name: 'vezne_ready',
      help: '1 if /readyz of this process returns 200, else 0.',
      registers,
    }),
    // With a label, so that there is no figure where there is no such folder or file.
    diskFree: new Gauge({
      name: 'vezne_disk_free_ratio',
      help: 'Free share of the disk with the data folder.',
      labelNames: ['folder'] as const,
      registers,
    }),
    backupAge: new Gauge({
      name: 'vezne_backup_age_seconds',
      help: 'Time since the file last-backup in the data folder was written, as `vezne backup` does.',
      labelNames: ['folder'] as const,
      registers,
    }),
    clockOffset: new Gauge({
      name: 'vezne_clock_offset_seconds',
      help: "How far this machine's clock is ahead of the database's.",
      registers,
    }),
    connections: new Gauge({
      name: 'vezne_db_connections',
      help: 'Database connections of this process, by pool and state.',
      labelNames: ['pool', 'state'] as const,
      registers,
    }),
  }
}

/** Seconds since each worker of this process last succeeded; of several with one name, the longest. */
function workerAges(registers: Registry[]) {
  const workers: { name: string; succeededAt: number }[] = []
  const workerAges = new Gauge({
    name: 'vezne_worker_last_success_age_seconds',
    help: 'Time since a worker of this process last succeeded, or was started.',
    labelNames: ['worker'] as const,
    registers,
    collect() {
      const oldest = new Map<string, number>()
      for (const { name, succeededAt } of workers)
        oldest.set(name, Math.min(oldest.get(name) ?? succeededAt, succeededAt))
      for (const [worker, at] of oldest) this.set({ worker }, (performance.now() - at) / 1000)
    },
  })
  return {
    workerAges,
    /** Returns the function to call after each success. */
    followWorker(name: string): () => void {
      const worker = { name, succeededAt: performance.now() }
      workers.push(worker)
      return () => void (worker.succeededAt = performance.now())
    },
    /** One worker of this name was stopped, and is not expected to succeed again. */
    forgetWorker(name: string): void {
      const at = workers.findIndex((worker) => worker.name === name)
      if (at >= 0) workers.splice(at, 1)
      if (!workers.some((worker) => worker.name === name)) workerAges.remove({ worker: name })
    },
  }
}

/** Figures of the whole deployment, not of this process. Amounts are in minor units; an age of zero means none. */
const DEPLOYMENT = {
  undeliveredSeconds: ['vezne_callback_oldest_undelivered_seconds', 'Age of the oldest event that has not arrived.'],
  unknownPayoutSeconds: ['vezne_payout_oldest_unknown_seconds', 'Age of the oldest payout with unknown outcome.'],
  approvalSeconds: [
    'vezne_withdrawal_oldest_approval_seconds',
    'Age of the oldest withdrawal that waits for approval.',
  ],
  queuedWithdrawalSeconds: [
    'vezne_withdrawal_oldest_queued_seconds',
    'How long the oldest withdrawal is due and not sent.',
  ],
  batchesUnfetched: ['vezne_order_batches_unfetched', 'Order files that no one has fetched for an hour.'],
  batchesSilent: [
    'vezne_order_batches_silent',
    'Order files fetched two business days ago, without any report or debit since.',
  ],
  reportsUnfitting: [
    'vezne_order_reports_unfitting',
    'Reports of the last seven days, or orders in them, that fit no batch or contradict how a payout ended.',
  ],
  archivingFails: ['vezne_archiving_fails', '1 while PostgreSQL cannot archive its log, else 0.'],
  archiveSeconds: ['vezne_archive_age_seconds', 'Time since PostgreSQL last archived a segment of its log.'],
  rowsSetAside: ['vezne_rows_set_aside', 'Rows that a worker cannot process; each is tried again every 10 minutes.'],
  restoreOpen: ['vezne_restore_open', '1 while a restored database sends no payouts, else 0.'],
  replication: [
    'vezne_replication_mode',
    'Replication of the database: 0 none, 1 asynchronous, 2 a synchronous standby is in force.',
  ],
  suspense: ['vezne_suspense_lines', 'Incoming lines in suspense.'],
  suspenseAmount: ['vezne_suspense_amount', 'Their sum, in minor units.'],
  suspenseSeconds: ['vezne_suspense_oldest_seconds', 'Age of the oldest.'],
  payoutsWithoutDebit: ['vezne_payouts_without_debit', 'Completed payouts without a debit after two business days.'],
  payoutsWithoutDebitAmount: ['vezne_payouts_without_debit_amount', 'Their sum, in minor units.'],
  payoutsWithoutDebitSeconds: ['vezne_payouts_without_debit_oldest_seconds', 'Age of the oldest.'],
  payoutsWithoutCredit: [
    'vezne_payouts_without_credit',
    'Payouts returned on the word of the bank, without a credit after two business days.',
  ],
  payoutsWithoutCreditAmount: ['vezne_payouts_without_credit_amount', 'Their sum, in minor units.'],
  payoutsWithoutCreditSeconds: ['vezne_payouts_without_credit_oldest_seconds', 'Age of the oldest.'],
  debitsWithoutPayout: ['vezne_debits_without_payout', 'Debits that no payout explains.'],
  debitsWithoutPayoutAmount: ['vezne_debits_without_payout_amount', 'Their sum, in minor units.'],
  debitsWithoutPayoutSeconds: ['vezne_debits_without_payout_oldest_seconds', 'Age of the oldest.'],
  queuedCredits: ['vezne_credits_in_queue', 'Incoming lines that are not in the books until a person decides.'],
  queuedCreditsAmount: ['vezne_credits_in_queue_amount', 'Their sum, in minor units.'],
  queuedCreditsSeconds: ['vezne_credits_in_queue_oldest_seconds', 'Age of the oldest.'],
  statementSeconds: ['vezne_statement_read_age_seconds', 'Time since a statement was last read to its end.'],
  unreadLines: ['vezne_unread_lines', 'Statement lines that could not be imported.'],
  unreadLinesSeconds: ['vezne_unread_lines_oldest_seconds', 'Age of the oldest.'],
  drifted: ['vezne_ledger_drifted_accounts', 'Balances that differed from their transfers at the last check.'],
  booksUnexplained: ['vezne_books_unexplained_amount', "Unexplained in yesterday's books, by account, in minor units."],
  booksCheckSeconds: ['vezne_books_check_age_seconds', "Time since yesterday's books were last proved."],
  booksOpenDays: ['vezne_books_open_days', 'Days that are over and not closed.'],
  ledgerCheckSeconds: ['vezne_ledger_check_age_seconds', 'Time since the last check of the ledger ended.'],
} as const

type Labels = Partial<Record<'currency' | 'source' | 'connection' | 'account', string>>
export type Figure = { gauge: keyof typeof DEPLOYMENT; labels?: Labels; value: number }

/** Replaces all figures: without a response of the database there are none, because old values would look current. */
function deploymentGauges(registers: Registry[]): (figures: Figure[]) => void {
  const labelNames = ['currency', 'source', 'connection', 'account'] as const
  const gauges = new Map(
    Object.entries(DEPLOYMENT).map(([key, [name, help]]) => [key, new Gauge({ name, help, labelNames, registers })]),
  )
  return (figures) => {
    for (const gauge of gauges.values()) gauge.reset()
    for (const { gauge, labels = {}, value } of figures) gauges.get(gauge)?.set(labels, value)
  }
}
