import type { Tx } from '../../../platform/postgres/db.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { NO_MERCHANT } from '../../ledger/index.ts'
import { creditTakesTwo } from '../../matching/index.ts'
import { matchLimit, merchantsInForce } from '../../merchants/index.ts'
import { payoutReferences } from '../../statements/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { isOpen } from '../../withdrawals/index.ts'
import { sumOf } from './charges.ts'
import type { Draft, JournalDeps, Plan } from './plan.ts'

type Deps = Pick<JournalDeps, 'sandbox' | 'marks'>

/**
 * Whether an entry takes two people: it takes money from a merchant, pays to an account that the bank did not name, ends a payout
 * whose outcome is unknown, is about no line, or is about much money that does not say what it is for.
 */
export async function takesTwo(app: Deps, tx: Tx, { terms }: Pick<Draft, 'terms'>, plan: Plan): Promise<boolean> {
  const { lines, refund, sent = [] } = plan
  if (plan.mayOverdraw || takesFromMerchant(plan) || sent.some(isOpen)) return true
  if (refund ? terms.iban !== undefined : lines.length === 0) return true
  if (await creditsTakeTwo(app, tx, plan)) return true
  const limit = matchLimit({ approveFrom: null }, app)
  const ofLines = ['credit', 'debit'].map((wanted) =>
    sumOf(lines.map(({ line }) => line).filter(({ direction }) => direction === wanted)),
  )
  const largest = [refund?.amount ?? 0n, ...ofLines].reduce((one, other) => (other > one ? other : one))
  return limit !== null && largest >= limit && !isNamed(plan)
}

const MERCHANT_MONEY: ReadonlySet<string> = new Set(['merchant_available', 'merchant_held'])

const takesFromMerchant = ({ entries }: Plan): boolean =>
  entries.some(({ transfers }) =>
    transfers.some(({ from }) => from.merchantId !== NO_MERCHANT && MERCHANT_MONEY.has(from.kind)),
  )

/** As when a person matches lines to each of these deposits. */
async function creditsTakeTwo(app: Deps, tx: Tx, { deposits, lines }: Plan): Promise<boolean> {
  const merchantIds = deposits.map(({ deposit }) => deposit.merchantId)
  const merchants = await merchantsInForce({ db: tx, marks: app.marks }, merchantIds)
  const codes = deposits.map(({ deposit }) => deposit.referenceCode ?? '')
  for (const { deposit } of deposits) {
    const merchant = merchants.get(deposit.merchantId)
    const all = lines.map(({ line }) => line)
    if (!merchant || (await creditTakesTwo(app, tx, merchant, codes, all))) return true
  }
  return false
}

/** Its lines name every deposit and payout that it is about. */
function isNamed({ deposits, lines, sent = [], returned = [] }: Plan): boolean {
  const texts = lines.map(({ line }) => line.narrative)
  const codes = new Set(texts.flatMap((text) => findReferenceCodes(text).map(({ code }) => code)))
  const ids = new Set(texts.flatMap(payoutReferences))
  const payouts: Payout[] = [...sent, ...returned]
  return (
    deposits.length + payouts.length > 0 &&
    deposits.every(({ deposit }) => codes.has(deposit.referenceCode ?? '')) &&
    payouts.every(({ withdrawalId }) => ids.has(withdrawalId))
  )
}
