import { isPolled } from '../../domain/connections/index.ts'
import { oldestUndelivered } from '../../domain/webhooks/index.ts'
import { selectChecks } from '../../domain/books/index.ts'
import { closedUntil, lastCheck } from '../../domain/ledger/index.ts'
import { istanbul, startOfDay } from '../../kernel/istanbul.ts'
import type { LineTotal } from '../../domain/statements/index.ts'
import { countUnread, lastReads, suspenseTotals } from '../../domain/statements/index.ts'
import { missingLines } from '../../domain/matching/index.ts'
import {
  oldestUnknown,
  overdueBatches,
  findOpenRestore,
  oldestQueued,
  oldestToApprove,
} from '../../domain/withdrawals/index.ts'
import { countAside } from '../../domain/set-aside/index.ts'
import type { Figure } from '../../platform/metrics.ts'
import { REPLICATION_MODES, replicationMode } from '../../platform/postgres/replication.ts'
import { archiverState } from '../../platform/postgres/server-facts.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { Api } from './route.ts'

/** Operator metrics for the whole deployment. Queries run one after another, so that they use at most one connection. */
export async function readDeploymentGauges(api: Api): Promise<Figure[]> {
  const { db, clock } = api
  const age = (since: Date | null | undefined) => (since ? ageSeconds(clock.now(), since) : 0)
  const unknown = await oldestUnknown(db)
  const unread = await countUnread(db)
  return [
    { gauge: 'undeliveredSeconds', value: age(await oldestUndelivered(api)) },
    { gauge: 'unknownPayoutSeconds', labels: { connection: 'bank' }, value: age(unknown.bank) },
    { gauge: 'unknownPayoutSeconds', labels: { connection: 'manual' }, value: age(unknown.manual) },
    { gauge: 'approvalSeconds', value: age(await oldestToApprove(db)) },
    { gauge: 'queuedWithdrawalSeconds', value: age(await oldestQueued(db)) },
    { gauge: 'rowsSetAside', value: await countAside(db) },
    { gauge: 'restoreOpen', value: (await findOpenRestore(db)) ? 1 : 0 },
    { gauge: 'replication', value: REPLICATION_MODES.indexOf(await replicationMode(db)) },
    { gauge: 'unreadLines', value: unread.count },
    { gauge: 'unreadLinesSeconds', value: age(unread.oldest) },
    ...(await archiveFigures(api)),
    ...(await batchFigures(api)),
    ...(await moneyFigures(api)),
    ...(await statementFigures(api)),
    ...(await ledgerFigures(api)),
    ...(await bookFigures(api)),
  ]
}

/** Empty if the server does not archive its log. */
async function archiveFigures({ db, realClock }: Api): Promise<Figure[]> {
  const state = await archiverState(db)
  if (!state) return []
  const { fails, archivedAt } = state
  return [
    { gauge: 'archivingFails', value: fails ? 1 : 0 },
    ...(archivedAt ? [{ gauge: 'archiveSeconds', value: ageSeconds(realClock.now(), archivedAt) } as const] : []),
  ]
}

async function batchFigures(api: Api): Promise<Figure[]> {
  const { unfetched, silent, unfittingReports } = await overdueBatches(api)
  return [
    { gauge: 'batchesUnfetched', value: unfetched.length },
    { gauge: 'batchesSilent', value: silent.length },
    { gauge: 'reportsUnfitting', value: unfittingReports },
  ]
}

/** Money that is not yet matched or attributed, by currency. */
async function moneyFigures(api: Api): Promise<Figure[]> {
  const { payouts, returns, debits, credits } = await missingLines(api)
  const figures = (gauge: Counted, totals: LineTotal[]) => totalFigures(api, gauge, totals)
  return [
    ...figures('suspense', await suspenseTotals(api.db.report)),
    ...figures('payoutsWithoutDebit', payouts),
    ...figures('payoutsWithoutCredit', returns),
    ...figures('debitsWithoutPayout', debits),
    ...figures('queuedCredits', credits),
  ]
}

type Counted = 'suspense' | 'payoutsWithoutDebit' | 'payoutsWithoutCredit' | 'debitsWithoutPayout' | 'queuedCredits'

function totalFigures(
  { clock, currencies }: Pick<Api, 'clock' | 'currencies'>,
  gauge: Counted,
  totals: LineTotal[],
): Figure[] {
  const now = clock.now()
  const none = currencies.map((currency) => ({ currency, count: 0, amount: 0n, oldest: now }))
  return [...none, ...totals].flatMap(({ currency, count, amount, oldest }): Figure[] => [
    { gauge, labels: { currency }, value: count },
    { gauge: `${gauge}Amount`, labels: { currency }, value: Number(amount) },
    { gauge: `${gauge}Seconds`, labels: { currency }, value: ageSeconds(now, oldest) },
  ])
}

/** Covers this deployment's banks, or every bank ever read if none is configured. */
async function statementFigures({ db, clock, connections }: Api): Promise<Figure[]> {
  const reads = await lastReads(
    db,
    connections.filter(isPolled).map(({ name }) => name),
  )
  return reads.map(({ source, readAt }) => ({
    gauge: 'statementSeconds',
    labels: { source },
    // Never read: the age is at least this process's uptime.
    value: readAt ? ageSeconds(clock.now(), readAt) : performance.now() / 1000,
  }))
}

/** Empty before the first check. */
async function ledgerFigures({ db, clock }: Api): Promise<Figure[]> {
  const check = await lastCheck(db)
  if (!check) return []
  return [
    { gauge: 'drifted', value: check.drifted },
    { gauge: 'ledgerCheckSeconds', value: ageSeconds(clock.now(), check.finishedAt) },
  ]
}

/** Empty before the first proof. Open days are counted from the first close on. */
async function bookFigures({ db, clock, banks }: Api): Promise<Figure[]> {
  const checks = await selectChecks(db)
  const ibans = new Map((await banks.accounts()).map(({ id, iban }) => [id, iban]))
  const closed = await closedUntil(db)
  const today = startOfDay(istanbul(clock.now()).day).getTime()
  const openDays = closed === null ? 0 : Math.round((today - startOfDay(closed).getTime()) / DAY_MS) - 1
  return [
    ...checks.map(({ collectingAccountId: id, unexplained }): Figure => {
      return { gauge: 'booksUnexplained', labels: { account: ibans.get(id) ?? id }, value: Number(unexplained) }
    }),
    ...checks.slice(0, 1).map(({ checkedAt }): Figure => {
      return { gauge: 'booksCheckSeconds', value: ageSeconds(clock.now(), checkedAt) }
    }),
    { gauge: 'booksOpenDays', value: Math.max(0, openDays) },
  ]
}

function ageSeconds(now: Date, since: Date): number {
  return Math.max(0, (now.getTime() - since.getTime()) / 1000)
}
