import { hostname } from 'node:os'
import type { BankDirectory } from '../../domain/banks/index.ts'
import { distributeEvents, openDispatcher, pruneEvents } from '../../domain/webhooks/index.ts'
import type { AccountPool, DepositViews } from '../../domain/deposits/index.ts'
import { leaveBlockedAccounts, openExpiry } from '../../domain/deposits/index.ts'
import { matchLines, matchPayoutLines } from '../../domain/matching/index.ts'
import {
  checkPayouts,
  queryPayoutStatus,
  dispatchWithdrawals,
  isNewest,
  sendOrderFiles,
  submitPayouts,
  settleDue,
} from '../../domain/withdrawals/index.ts'
import { checkChain, openHeadWriter } from '../../domain/audit/index.ts'
import { KEEP_SENDING, openRunRecorder, RECORD_EVERY_MS } from '../../domain/doctor/index.ts'
import { applyRules, bookDebits, bookSaid, checkBooks, returnRefunds } from '../../domain/books/index.ts'
import { resumeImports } from '../../domain/statements/index.ts'
import { pruneLogins } from '../../domain/identity/index.ts'
import { expireProposals } from '../../domain/proposals/index.ts'
import { checkLedger } from '../../domain/ledger/index.ts'
import { listMerchants, pruneCalls, pruneSpentRequests } from '../../domain/merchants/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import { fetchLines, fillSourceOfRecord } from '../../domain/connections/index.ts'
import { pruneUploads } from '../../domain/uploads/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { BusinessClock } from '../../platform/time/business-clock.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { watchClock } from '../../platform/time/clock-check.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { SeenNumbers } from '../../platform/files/seen-numbers.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Outbound } from '../../platform/http-client/outbound.ts'
import type { Poller, Schedule } from '../../platform/concurrency/poller.ts'
import { poll as repeat } from '../../platform/concurrency/poller.ts'
import type { Random } from '../../platform/crypto/random.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { SendingGate } from './sending-gate.ts'
import { sendingGate } from './sending-gate.ts'
import { startInboxes } from './inboxes.ts'
import { statementReaders } from './statement-readers.ts'

type Deps = {
  db: Db
  clock: BusinessClock
  realClock: Clock
  ids: Ids
  random: Random
  vault: Vault
  marks: Marks
  seen: SeenNumbers
  log: Log
  metrics: Metrics
  outbound: Outbound
  banks: BankDirectory
  views: DepositViews & WithdrawalViews
  pool: AccountPool
  connections: Connection[]
  loadConnections: () => Promise<void>
  currencies: string[]
  sandbox: boolean
  keepEventsDays: number
  booksStopAmount: bigint | null
  auditHeads: string | null
}

/** Calls to a bank time out after ten seconds. One caller waits for a slow bank while the others continue. */
const CALLERS = 4

/** No one waits for a worker: a run over many rows may take longer than a request. */
const STATEMENT_MS = 30_000

/** While the machine's clock is wrong, no task runs. Metrics and `onSuccess` show when each task last succeeded. */
function atRightTime(
  { log, metrics, ...app }: Deps,
  onSuccess: (name: string, everyMs: number) => void = () => undefined,
): (schedule: Schedule) => Poller {
  const isRight = watchClock({ log, ...app })
  return (schedule) => {
    const succeeded = metrics.followWorker(schedule.name)
    const record = () => {
      succeeded()
      onSuccess(schedule.name, schedule.everyMs)
    }
    const work = async () => (isRight() ? schedule.work() : 0)
    return repeat({ log }, { ...schedule, work, onSuccess: () => void (isRight() && record()) })
  }
}

/** Which domain function runs when. Any number of processes may run these concurrently. */
export function startWorkers(given: Deps): Poller[] {
  const app = { ...given, db: given.db.withStatementLimit(STATEMENT_MS) }
  const runs = openRunRecorder({ ...app, host: hostname() })
  const poll = atRightTime(app, runs.succeeded)
  const callers = (name: string, work: () => Promise<number>) =>
    Array.from({ length: CALLERS }, () => poll({ name, everyMs: 1000, work }))
  const gate = sendingGate(app, () => [router, ...senders].forEach((worker) => worker.poke()))
  // Lines just read are matched at once; the matchers' own schedule handles lines that other processes read.
  const matchers = [
    poll({ name: 'match-lines', everyMs: 1000, work: thenTryOpen(gate, () => matchLines(app)) }),
    poll({ name: 'match-payout-lines', everyMs: 1000, work: thenTryOpen(gate, () => matchPayoutLines(app)) }),
  ]
  const read = async (connection: Connection) => {
    const imported = await fetchLines(app, connection, () => gate.readToEnd(connection.name))
    if (imported > 0 || !gate.isOpen()) matchers.forEach((matcher) => matcher.poke())
    return imported
  }
  const senders = callers('submit-payouts', async () => (gate.isOpen() ? submitPayouts(app) : 0))
  const router = poll({
    name: 'dispatch-withdrawals',
    everyMs: 500,
    async work() {
      const dispatched = gate.isOpen() ? await dispatchWithdrawals(app) : 0
      if (dispatched > 0) senders.forEach((sender) => sender.poke())
      return dispatched
    },
  })
  return [
    ...startCallbacks(app, poll),
    // A customer sees "expired" at most a second late.
    poll({ name: 'expire-deposits', everyMs: 1000, work: openExpiry(app) }),
    ...startHousekeeping(app, poll),
    poll({ name: 'record-runs', everyMs: RECORD_EVERY_MS, work: () => runs.record().then(() => 0) }),
    poll({ name: 'leave-blocked-accounts', everyMs: 2000, work: () => leaveBlockedAccounts(app) }),
    startReaders(app, poll, read),
    ...matchers,
    ...senders,
    // Files are made every few minutes; a step of a batch is a rename.
    poll({ name: 'send-order-files', everyMs: 5000, work: () => sendOrderFiles(app, gate.isOpen()) }),
    ...callers('ask-payouts', () => queryPayoutStatus(app)),
    router,
    // Every claim checks it too: this one alarms when there is nothing to send.
    poll({ name: 'check-sending', everyMs: 10_000, work: () => isNewest(app).then(() => 0) }),
    ...startKeeping(app, poll),
  ]
}

/** Only where there is a data folder: its runs tell doctor that some process keeps what was sent. */
function startKeeping({ seen, log, sandbox }: Deps, poll: (schedule: Schedule) => Poller): Poller[] {
  const keep = async () => {
    seen.keep()
    return 0
  }
  if (seen.isKept()) return [poll({ name: KEEP_SENDING, everyMs: 10_000, work: keep })]
  if (!sandbox) log.warn('VEZNE_DATA is no folder; after a restart this process does not know what was sent')
  return []
}

/** Reads each bank, and notices within seconds that a connection was added, changed or disabled. */
function startReaders(
  app: Deps,
  poll: (schedule: Schedule) => Poller,
  read: (connection: Connection) => Promise<number>,
): Poller {
  const readers = statementReaders(app, (connection) => {
    const name = `read-${connection.name}`
    // The simulated bank responds in a millisecond; a customer sees the payment within a second or two.
    const reader = poll({ name, everyMs: 1000, work: () => read(connection) })
    const stop = () => reader.stop().then(() => app.metrics.forgetWorker(name))
    return { ...reader, stop }
  })
  readers.update()
  const work = async () => {
    await app.loadConnections()
    readers.update()
    return 0
  }
  const loader = poll({ name: 'load-connections', everyMs: 2000, work })
  const stop = async () => {
    await loader.stop()
    await readers.stop()
  }
  return { poke: readers.poke, stop }
}

/** Payout sending may be waiting for the matcher to finish, so try to open the gate when nothing is left to match. */
function thenTryOpen(gate: SendingGate, match: () => Promise<number>): () => Promise<number> {
  return async () => {
    const matched = await match()
    if (matched === 0) await gate.tryOpen()
    return matched
  }
}

/** Background tasks that no one waits for. */
function startHousekeeping(app: Deps, poll: (schedule: Schedule) => Poller): Poller[] {
  const pruneAll = async () => {
    const merchants = await listMerchants(app.db)
    return pruneEvents(
      app,
      merchants.map(({ id }) => id),
    )
  }
  return [
    // Repeated, to include accounts opened in the meantime.
    poll({ name: 'fill-source-of-record', everyMs: 10_000, work: () => fillSourceOfRecord(app) }),
    // The time of a schedule is a minute.
    poll({ name: 'settle-merchants', everyMs: 10_000, work: () => settleDue(app) }),
    startInboxes(app, poll),
    startHeadWriter(app, poll),
    poll({ name: 'verify-audit', everyMs: 60_000, work: () => checkChain(app).then(() => 0) }),
    poll({ name: 'resume-imports', everyMs: 60_000, work: () => resumeImports(app) }),
    poll({ name: 'prune-spent-requests', everyMs: 10_000, work: () => pruneSpentRequests(app) }),
    poll({ name: 'expire-changes', everyMs: 60_000, work: () => expireProposals(app) }),
    poll({ name: 'prune-api-calls', everyMs: 60_000, work: () => pruneCalls(app) }),
    // The router subtracts debits that are not booked yet, so nothing waits for this.
    poll({ name: 'book-debits', everyMs: 1000, work: () => bookDebits(app) }),
    // After the matcher, which takes what names a deposit or a payout.
    poll({ name: 'apply-rules', everyMs: 5000, work: () => applyRules(app) }),
    poll({ name: 'book-said', everyMs: 20_000, work: () => bookSaid(app) }),
    poll({ name: 'return-refunds', everyMs: 1000, work: () => returnRefunds(app) }),
    // Retention is in days, so an hour makes no difference.
    poll({ name: 'prune-logins', everyMs: 3_600_000, work: () => pruneLogins(app).then(() => 0) }),
    poll({ name: 'prune-uploads', everyMs: 600_000, work: () => pruneUploads(app).then(() => 0) }),
    poll({ name: 'prune-events', everyMs: 3_600_000, work: pruneAll }),
    poll({ name: 'check-ledger', everyMs: 60_000, work: () => checkLedger(app).then(() => 0) }),
    // Who has imported a statement looks at the accounts next.
    poll({ name: 'check-books', everyMs: 2000, afterFailureMs: 60_000, work: () => checkBooks(app).then(() => 0) }),
    poll({ name: 'check-payouts', everyMs: 3_600_000, work: () => checkPayouts(app).then(() => 0) }),
  ]
}

/** Also at the stop, so that little is lost of what the head outside proves. */
function startHeadWriter(app: Deps, poll: (schedule: Schedule) => Poller): Poller {
  // A stop does not wait for a database that is away.
  const write = openHeadWriter({ ...app, db: app.db.withStatementLimit(4000) })
  const writer = poll({ name: 'write-audit-head', everyMs: 60_000, work: () => write().then(() => 0) })
  const failed = (error: unknown) => app.log.error({ err: error }, 'the audit head was not written at the stop')
  return { ...writer, stop: () => writer.stop().then(write).catch(failed) }
}

/** Events reach a healthy endpoint within half a second of the change. */
export function startCallbacks(app: Deps, poll = atRightTime(app)): Poller[] {
  const sender = openDispatcher(app, () => delivery.poke())
  const delivery = poll({
    name: 'deliver-callbacks',
    everyMs: 200,
    work: async () => Number((await sender.deliver()).more),
  })
  const distributor = poll({
    name: 'distribute-events',
    everyMs: 200,
    async work() {
      const distributed = await distributeEvents(app)
      if (distributed > 0) delivery.poke()
      return distributed
    },
  })
  const stop = async () => {
    await delivery.stop()
    await sender.stop()
  }
  return [distributor, { poke: delivery.poke, stop }]
}
