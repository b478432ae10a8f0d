import { istanbul } from '../../kernel/istanbul.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { CollectingAccount } from '../banks/index.ts'
import { listAccounts } from '../banks/index.ts'
import { selectChecks } from '../books/index.ts'
import { openByAccount } from '../deposits/index.ts'
import { bankCash } from '../ledger/index.ts'
import { receivedOn } from '../statements/index.ts'

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
  receivedToday: bigint
  paymentsToday: number
  /** Customers who were shown it and have not paid. */
  open: number
}

export async function accountsOverview({ db, clock }: { db: Db; clock: Clock }): Promise<AccountOverview[]> {
  const { report } = db
  // Not those of the directory, which are a second old: a person has just changed one.
  const accounts = await listAccounts(report)
  const cash = new Map((await bankCash(report)).map(({ collectingAccountId, amount }) => [collectingAccountId, amount]))
  const checks = new Map((await selectChecks(report)).map((check) => [check.collectingAccountId, check]))
  const day = istanbul(clock.now()).day
  const received = new Map((await receivedOn(report, day)).map((total) => [total.collectingAccountId, total]))
  const open = await openByAccount(
    report,
    accounts.map(({ id }) => id),
  )
  return accounts.map((account) => ({
    ...account,
    booked: cash.get(account.id) ?? 0n,
    unexplained: checks.get(account.id)?.unexplained ?? null,
    accepted: checks.get(account.id)?.accepted ?? 0n,
    provenDay: checks.get(account.id)?.day ?? null,
    balanceDay: checks.get(account.id)?.balanceDay ?? null,
    receivedToday: received.get(account.id)?.amount ?? 0n,
    paymentsToday: received.get(account.id)?.count ?? 0,
    open: open.get(account.id) ?? 0,
  }))
}
