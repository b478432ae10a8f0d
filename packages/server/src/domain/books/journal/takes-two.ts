import { sumOf } from '../../../kernel/money.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import { creditTakesTwo, subjectsNamedBy } from '../../matching/index.ts'
import { matchLimit, merchantsInForce } from '../../merchants/index.ts'
import { isOpen } from '../../withdrawals/index.ts'
import { openCharges } from './charges.ts'
import type { Draft, JournalDeps, Plan } from './plan.ts'
import { openReceivables } from './receivables.ts'
import { isSaidByLines } from './said-by-lines.ts'

type Deps = Pick<JournalDeps, 'sandbox' | 'marks' | 'banks'>
type Said = Pick<Draft, 'kind' | 'terms'>

/**
 * Whether an entry takes two people: its lines do not say what it says of them, and it takes money from a merchant, pays to an
 * account that the bank did not name, ends a payout whose outcome is unknown, is about no line, is about lines that name something
 * else, or is about much money that is not named.
 */
export async function takesTwo(app: Deps, tx: Tx, draft: Said, plan: Plan): Promise<boolean> {
  if (await isSaidByLines(app, tx, draft, plan)) return false
  const { lines, refund, sent = [] } = plan
  if (plan.mayOverdraw || takesFromMerchant(plan) || sent.some(isOpen)) return true
  if (refund ? plan.isToAnother : lines.length === 0) return true
  if (await creditsTakeTwo(app, tx, plan)) return true
  const limit = matchLimit({ approveFrom: null }, app)
  if (limit === null) return false
  const named = new Map<string, Set<string>>()
  for (const { line } of lines) named.set(line.id, await subjectsNamedBy(tx, line))
  // Back to who paid, whatever the text says.
  if (!refund && (await namesOthers(tx, draft, plan, [...named.values()]))) return true
  return (refund?.amount ?? 0n) >= limit || unnamedOf(plan, named) >= limit
}

const MERCHANT_MONEY: ReadonlySet<string> = new Set(['merchant_available', 'merchant_held'])

const takesFromMerchant = ({ entries }: Plan): boolean =>
  entries.some(({ transfers }) =>
    transfers.some(({ from }) => from.merchantId !== NO_MERCHANT && MERCHANT_MONEY.has(from.kind)),
  )

/** As when a person matches lines to each of these deposits. */
async function creditsTakeTwo(app: Deps, tx: Tx, { deposits, lines }: Plan): Promise<boolean> {
  const all = deposits.map(({ deposit }) => deposit)
  const merchants = await merchantsInForce(
    { db: tx, marks: app.marks },
    all.map(({ merchantId }) => merchantId),
  )
  for (const { deposit, changes } of deposits) {
    const merchant = merchants.get(deposit.merchantId)
    const received = changes.receivedAmount ?? 0n
    const credit = { deposit, received, all }
    const its = lines.map(({ line }) => line)
    if (!merchant || (await creditTakesTwo(app, tx, merchant, credit, its))) return true
  }
  return false
}

/** A line names a deposit or payout that the entry is not about. */
async function namesOthers(tx: Tx, draft: Said, plan: Plan, named: Set<string>[]): Promise<boolean> {
  const its = new Set([
    ...plan.deposits.map(({ deposit }) => deposit.id),
    ...[...(plan.sent ?? []), ...(plan.returned ?? [])].map(({ withdrawalId }) => withdrawalId),
    ...(await subjectsOf(tx, draft, plan, named)),
  ])
  return named.some((ids) => [...ids].some((id) => !its.has(id)))
}

/** What an entry without a deposit or payout of its own is about: of a pair what both lines name, of a receivable its payout or deposit. */
async function subjectsOf(tx: Tx, { kind, terms }: Said, { lines }: Plan, named: Set<string>[]): Promise<string[]> {
  const [first = new Set<string>(), ...others] = named
  const shared = [...first].filter((id) => others.every((one) => one.has(id)))
  if (kind === 'storno') return shared
  if (kind !== 'receivable') return []
  const { settles } = terms
  if (settles === undefined) return lines.flatMap(({ line }) => line.candidateWithdrawalId ?? [])
  const charge = (await openCharges(tx)).find(({ entryId }) => entryId === settles)
  const owed = (await openReceivables(tx)).find(({ entryId }) => entryId === settles)
  return [charge?.depositId, charge?.withdrawalId, owed?.withdrawalId].flatMap((id) => id ?? [])
}

/** Of its lines, in one direction, what is not for something that the line names. */
function unnamedOf({ lines }: Plan, named: Map<string, Set<string>>): bigint {
  const [credits, debits] = ['credit', 'debit'].map((direction) =>
    lines
      .filter(({ line }) => line.direction === direction)
      .reduce((sum, { line, parts = [] }) => {
        return sum + line.amount - sumOf(parts.filter(({ subject }) => named.get(line.id)?.has(subject)))
      }, 0n),
  ) as [bigint, bigint]
  return credits > debits ? credits : debits
}
