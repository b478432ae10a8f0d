import { merchantActor } from '../../../kernel/actor.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { notRefused, Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { MerchantFacts } from '../../merchants/index.ts'
import type { BankLine } from '../../statements/index.ts'
import { importLines } from '../../statements/index.ts'
import type { AccountPool, Deposit, DepositViews } from '../../deposits/index.ts'
import { createDeposits, findDeposit } from '../../deposits/index.ts'
import { matchLines } from './match-lines.ts'

type Deps = {
  db: Db
  clock: Clock
  ids: Ids
  random: Random
  log: Log
  marks: Marks
  banks: BankDirectory
  views: DepositViews
  pool: AccountPool
}

/** More than this at the largest limit is a typing mistake. */
const MAX_DEPOSITS = 1000

/** What a merchant can be funded with at once; null without a bank. */
export async function fundRange({ banks }: Pick<Deps, 'banks'>, merchantId: string, currency: string) {
  const options = await banks.optionsFor(merchantId, currency)
  const [widest] = options.toSorted((a, b) => Number(b.maxAmount - a.maxAmount))
  return widest ? { widest, min: widest.minAmount, max: widest.maxAmount * BigInt(MAX_DEPOSITS) } : null
}

/** Sandbox only: creates a balance through real deposits, paid by bank lines, as many as the bank's limit requires. */
export async function fundMerchant(
  app: Deps,
  merchant: MerchantFacts,
  amount: bigint,
  currency: string,
  pay: (deposits: Deposit[]) => Promise<void> = (deposits) => payByLines(app, deposits),
): Promise<Deposit[]> {
  const range = await fundRange(app, merchant.id, currency)
  if (!range) throw refuse('funds_without_bank', { merchant: merchant.id, currency })
  const { widest, min, max } = range
  if (amount < min || amount > max)
    throw refuse('funds_out_of_range', { min: money(min, currency), max: money(max, currency) })
  const requests = split(amount, widest.maxAmount).map((part) => ({
    actor: merchantActor(merchant.id),
    processId: `fund-${app.ids.next()}`,
    amount: part,
    currency,
    bankId: widest.id,
    customer: { id: 'sandbox', name: 'Sandbox', username: 'sandbox' },
  }))
  const outcomes = await createDeposits(app, requests)
  const refusal = outcomes.find((outcome) => outcome instanceof Refusal)
  if (refusal) throw refusal
  const deposits = notRefused(outcomes)
  await pay(deposits)
  while ((await matchLines(app)) > 0);
  const settled = await Promise.all(deposits.map(({ merchantId, id }) => findDeposit(app.db, merchantId, id)))
  return settled.flatMap((deposit) => deposit ?? [])
}

/** Without a bank, only the lines are created: the books are right, but no bank has the money for a payout. */
async function payByLines(app: Deps, deposits: Deposit[]): Promise<void> {
  const lines = await Promise.all(deposits.map((deposit) => payment(app, deposit)))
  await app.db.transaction(async (tx) => {
    const accounts = await accountsByIban(tx)
    // Uses the account's source of record: lines of another source are not booked.
    const bySource = Map.groupBy(lines, ({ accountIban }) => accounts.get(accountIban)?.connection ?? 'sandbox')
    for (const [source, some] of bySource) await importLines(app, tx, source, some)
  })
}

/** The line that the bank would show if the customer had paid. */
async function payment(
  app: Deps,
  { id, amount, customer, referenceCode, collectingAccountId }: Deposit,
): Promise<BankLine> {
  const account = await app.banks.account(collectingAccountId ?? '')
  if (!account) throw refuse('funds_without_account', { deposit: id })
  const now = app.clock.now()
  return {
    accountIban: account.iban,
    bankReference: id,
    amount,
    direction: 'credit',
    valueDate: istanbul(now).day,
    bookedAt: now,
    senderName: customer.name,
    senderIban: null,
    narrative: referenceCode,
  }
}

/** As few and as equal parts as the limit allows, so that none is below the minimum without need. */
function split(amount: bigint, max: bigint): bigint[] {
  const count = (amount + max - 1n) / max
  const part = amount / count
  const larger = Number(amount % count)
  return Array.from({ length: Number(count) }, (_, index) => (index < larger ? part + 1n : part))
}
