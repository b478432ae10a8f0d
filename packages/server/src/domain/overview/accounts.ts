import { istanbul } from '../../kernel/istanbul.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { accountsInForce } from '../banks/index.ts'
import { selectChecks } from '../books/index.ts'
import { openByAccount } from '../deposits/index.ts'
import { bankCash } from '../ledger/index.ts'
import { lastReads, newestLines, receivedOn } from '../statements/index.ts'

export type AccountOverview = CollectingAccount & {
  /** Money at the bank according to the ledger. */
  booked: bigint
  /** What bank and ledger differ by and no one has explained; null before the first proof. */
  unexplained: bigint | null
  /** What two people accepted as a difference. */
  accepted: bigint
  /** Of that proof. */
  provenDay: string | null
  /** The last day of which the bank gave a balance. */
  balanceDay: string | null
  /** Of that proof: what the bank had, and what it had more than the ledger, explained or not. */
  bankBalance: bigint | null
  difference: bigint | null
  /** When the newest line was read, and when the bank was last asked. */
  newestLineAt: Date | null
  readAt: Date | null
  receivedToday: bigint
  paymentsToday: number
  /** Customers who were shown it and have not paid. */
  open: number
}

export async function accountsOverview({
  db,
  clock,
  marks,
}: {
  db: Db
  clock: Clock
  marks: Marks
}): Promise<AccountOverview[]> {
  const { report } = db
  // Not those of the directory, which are a second old: a person has just changed one.
  const accounts = await accountsInForce({ db: report, marks })
  const cash = new Map((await bankCash(report)).map(({ collectingAccountId, amount }) => [collectingAccountId, amount]))
  const checks = new Map((await selectChecks(report)).map((check) => [check.collectingAccountId, check]))
  const day = istanbul(clock.now()).day
  const received = new Map((await receivedOn(report, day)).map((total) => [total.collectingAccountId, total]))
  const ids = accounts.map(({ id }) => id)
  const sources = [...new Set(accounts.flatMap(({ connection }) => connection ?? []))]
  const reads = new Map((await lastReads(report, sources)).map(({ source, readAt }) => [source, readAt]))
  const newest = new Map((await newestLines(report, ids)).map((one) => [one.collectingAccountId, one.at]))
  const open = await openByAccount(report, ids)
  return accounts.map((account) => ({
    ...account,
    booked: cash.get(account.id) ?? 0n,
    unexplained: checks.get(account.id)?.unexplained ?? null,
    accepted: checks.get(account.id)?.accepted ?? 0n,
    provenDay: checks.get(account.id)?.day ?? null,
    balanceDay: checks.get(account.id)?.balanceDay ?? null,
    bankBalance: checks.get(account.id)?.bankBalance ?? null,
    difference: checks.get(account.id)?.difference ?? null,
    newestLineAt: newest.get(account.id) ?? null,
    readAt: (account.connection && reads.get(account.connection)) || null,
    receivedToday: received.get(account.id)?.amount ?? 0n,
    paymentsToday: received.get(account.id)?.count ?? 0,
    open: open.get(account.id) ?? 0,
  }))
}
