import { createHash } from 'node:crypto'
import { sumOf } from '../../../kernel/money.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import { isDay } from '../../../kernel/istanbul.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { listAccounts } from '../../banks/index.ts'
import { closedUntil } from '../../ledger/index.ts'
import type { StateTotal } from '../../statements/index.ts'
import { balancesOfDay, movedOfDay, totalsOfDay } from '../../statements/index.ts'
import type { CarriedBalance } from './carry-balance.ts'
import { carryBalances } from './carry-balance.ts'
import type { AcceptedRest, Difference } from './difference.ts'
import { abs, divideRest, isUnexplained, withoutPaid } from './difference.ts'
import { findDifferences } from './find-differences.ts'
import type { CheckProof } from './checks/store.ts'
import type { Closing, LedgerBalance, StoredDifference } from './store.ts'
import { atOneMoment, balancesAt, differencesAt, lastClosing } from './store.ts'

export type AccountProof = Pick<CollectingAccount, 'iban' | 'bankName' | 'currency'> & {
  collectingAccountId: string
  /** As the bank says; null if it gave none. */
  opening: bigint | null
  credits: bigint
  debits: bigint
  closing: bigint | null
  /** If the bank gave no closing, but gave one on an earlier day. */
  carried: CarriedBalance | null
  /** False if the bank usually gives balances and gave none that shows this day's. */
  proven: boolean
  /** What the bank counts on this day of lines booked on an earlier one, less lines of this day that it counts on a later one. */
  moved: bigint
  /** What closing has more than opening, lines and what was moved; null unless the bank gave both balances. */
  missingLines: bigint | null
  lines: Omit<StateTotal, 'collectingAccountId'>[]
  ledger: bigint
  /** What the bank has more than the ledger; null if it never gave a balance. */
  difference: bigint | null
  differences: Difference[]
  /** Accepted when the day before was closed, without a line or an entry. */
  accepted: AcceptedRest | null
  /** The sum of what is not explained, whatever its sign: two mistakes do not cancel each other. */
  unexplained: bigint
}

/** Whether anything is known of the account at the end of the day, or should be. */
export function isUsed({ opening, closing, lines, ledger, differences, proven }: AccountProof): boolean {
  return !proven || opening !== null || closing !== null || lines.length > 0 || ledger !== 0n || differences.length > 0
}

/** With what the account was compared. */
export function proofOf(account: AccountProof): CheckProof {
  if (!isUsed(account)) return 'unused'
  if (!account.proven) return 'not_proven'
  return account.difference === null ? 'no_balance' : 'balance'
}

/** How many of the accounts in use could not be compared with a balance of the bank. */
export function withoutBalance(proofs: (CheckProof | null)[]): { without: number; used: number } {
  const used = proofs.filter((proof) => proof !== 'unused' && proof !== null)
  return { without: used.filter((proof) => proof !== 'balance').length, used: used.length }
}

export type DayProof = {
  day: string
  closed: boolean
  accounts: AccountProof[]
  /** Balances of the ledger at the end of the day, by currency and kind of account. */
  balances: LedgerBalance[]
  figures: Record<string, string>
  /** A hash of the figures. */
  hash: string
}

/** Compares the bank with the ledger at the end of a day, as far as both are known now. */
export function proveDay(db: Db, day: string): Promise<DayProof> {
  // Lines and entries read at two moments would differ by what was booked in between.
  return atOneMoment(db, (tx) => proveDayIn(tx, day))
}

export async function proveDayIn(db: Queryable, day: string): Promise<DayProof> {
  if (!isDay(day)) throw refuseField('day', 'day_malformed')
  const closing = await lastClosing(db, day)
  const window = { after: closing?.day ?? null, until: day }
  const balances = await balancesAt(db, window, closing)
  const given = await balancesOfDay(db, day)
  const lines = await totalsOfDay(db, day)
  const accepted = closing ? (await differencesAt(db, closing)).filter(({ kind }) => kind === 'accepted') : []
  const accounts: AccountProof[] = []
  const all = await listAccounts(db)
  const without = all.filter(
    ({ id }) => (given.find((one) => one.collectingAccountId === id)?.closing ?? null) === null,
  )
  const carried = await carryBalances(
    db,
    without.map(({ id }) => id),
    day,
  )
  for (const account of all) {
    const its = (row: { collectingAccountId: string }) => row.collectingAccountId === account.id
    const last = { closing, accepted: accepted.filter(its) }
    const ofDay = lines.filter(its)
    const facts = {
      account,
      named: await findDifferences(db, account.id, window, last),
      before: unnamed(last),
      lines: ofDay,
      moved: ofDay.length === 0 ? 0n : await movedOfDay(db, account.id, day),
      balances: given.find(its),
      carried: carried.get(account.id) ?? null,
    }
    accounts.push(accountProof(facts, cashOf(balances, account.id)))
  }
  const until = await closedUntil(db)
  const figures = figuresOf(accounts, balances)
  return { day, closed: until !== null && day <= until, accounts, balances, figures, hash: hashOf(day, figures) }
}

/** What two people accepted without knowing a line or an entry for it. */
function unnamed({ closing, accepted }: { closing: Closing | null; accepted: StoredDifference[] }): Facts['before'] {
  const found = accepted.find(({ subject }) => subject === '')
  return closing && found ? { amount: found.amount, day: closing.day } : null
}

function cashOf(balances: LedgerBalance[], accountId: string): bigint {
  const cash = balances.filter(({ kind, subject }) => kind === 'bank_cash' && subject === accountId)
  return cash.reduce((total, { balance }) => total - balance, 0n)
}

type Facts = {
  account: CollectingAccount
  named: Difference[]
  before: { amount: bigint; day: string } | null
  lines: StateTotal[]
  moved: bigint
  balances: { opening: bigint | null; closing: bigint | null } | undefined
  carried: CarriedBalance | null
}

function accountProof(facts: Facts, ledger: bigint): AccountProof {
  const { account, named: all, before, lines, moved, balances, carried } = facts
  const { opening = null, closing = null } = balances ?? {}
  const counted = lines.filter(({ state }) => state !== 'dismissed')
  const credits = counted.reduce((total, line) => total + line.credits, 0n)
  const debits = counted.reduce((total, line) => total + line.debits, 0n)
  const atBank = closing ?? carried?.closing ?? null
  const others = all.filter(({ kind }) => kind !== 'paid_without_debit')
  const named = withoutPaid(all, atBank === null ? 0n : atBank - ledger - sumOf(others))
  const rest = atBank === null ? null : atBank - ledger - sumOf(named)
  const divided = divideRest(rest, before)
  const differences = [...named, ...divided.differences]
  return {
    collectingAccountId: account.id,
    iban: account.iban,
    bankName: account.bankName,
    currency: account.currency,
    opening,
    credits,
    debits,
    closing,
    carried,
    proven: carried?.proven ?? true,
    moved,
    missingLines: opening === null || closing === null ? null : closing - (opening + credits - debits + moved),
    lines: lines.map(({ state, count, credits, debits }) => ({ state, count, credits, debits })),
    ledger,
    difference: atBank === null ? null : atBank - ledger,
    differences,
    accepted: divided.accepted,
    unexplained: differences.filter(isUnexplained).reduce((total, { amount }) => total + abs(amount), 0n),
  }
}

/** Every figure that people agree to when they close the day, by its name. */
function figuresOf(accounts: AccountProof[], balances: LedgerBalance[]): Record<string, string> {
  const figures: [string, string][] = accounts.flatMap((account) => {
    const { iban, opening, closing, credits, debits, ledger, differences, carried, accepted } = account
    const plain = { opening, closing, credits, debits, ledger, ...(carried && { carried: carried.closing }) }
    const ended = accepted?.state === 'ended' ? { 'accepted before, ended': accepted.amount } : {}
    return [
      ...Object.entries({ ...plain, ...ended }).map(([name, value]): [string, string] => [
        `${iban} ${name}`,
        String(value),
      ]),
      ...differences.map(({ subject, kind, amount }): [string, string] => [
        `${iban} ${kind} ${subject}`,
        String(amount),
      ]),
    ]
  })
  const totals = Map.groupBy(balances, ({ currency, kind }) => `${currency} ${kind}`)
  const sums = [...totals].map(([name, rows]): [string, string] => [
    name,
    String(rows.reduce((total, { balance }) => total + balance, 0n)),
  ])
  return Object.fromEntries([...figures, ...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Long enough that two people do not agree to different figures by chance, short enough to type. */
const HASH_LENGTH = 12

function hashOf(day: string, figures: Record<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([day, figures]))
    .digest('hex')
    .slice(0, HASH_LENGTH)
}
