import { sumOf } from '../../../kernel/money.ts'
import { money } from '../../../kernel/refusals/facts.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { AccountRef, NewEntry } from '../../ledger/index.ts'
import { bankAccount, merchantAccount, suspenseOf } from '../../ledger/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { mustBeDebitedOnce, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { lockLinesAbout } from '../../statements/index.ts'
import { chargedBefore } from './charges.ts'
import type { Terms } from './journal-entry.ts'
import { bearerOf } from './plan-merchant-charge.ts'
import type { Draft, Plan, Slice } from './plan.ts'
import { currenciesDiffer, journalEntry, lockTheLines, lockThePayouts, mustBeCredit, onlyOne } from './plan.ts'
import { partsOf, slicesOf } from './plan.ts'
import { lockReceivable } from './receivables.ts'
import { chargesFor } from './return-of-more.ts'

/**
 * The credits are the return of these payouts: several of one payout, or one of several, with what else it has. Each merchant gets
 * its payout, as for a credit of its own. Where less came back than was sent, the merchant or the operator bears the costs.
 */
export async function planReturns(tx: Tx, draft: Draft): Promise<Plan> {
  const { terms } = draft
  const { withdrawalId = '', withdrawalIds: ids = [withdrawalId], lineIds, rest, costsBy } = terms
  if (new Set(ids).size !== ids.length) throw refuseField('withdrawal', 'withdrawals_not_several')
  if (rest && rest.amount <= 0n) throw refuseField('rest', 'term_not_above_zero')
  const payouts = await lockThePayouts(tx, ids, 'returned')
  const others = new Map<Payout, StoredLine[]>()
  for (const payout of payouts) others.set(payout, await lockLinesAbout(tx, payout.withdrawalId))
  const lines = (await lockTheLines(tx, { lineIds })).map(mustBeCredit)
  const [line] = lines
  if (!line) throw refuseField('line', 'payout_line_missing', { direction: 'credit' })
  if (payouts.length > 1 || rest) onlyOne(lines, 'return_not_one_line')
  const before: StoredLine[] = []
  for (const [payout, its] of others) before.push(...(await mustBeReturnable(tx, payout, its, lines)))
  if (before.length > 0) await mustHaveBorne(tx, line, payouts, before, costsBy)
  const more = restOf(lines, payouts, before, draft)
  if (more > 0n) onlyOne(lines, 'return_not_one_line')
  const slices = slicesOf(lines, payouts)
  const entries = payouts.map((payout) => entryOf(payout, slices, { costsBy, before }))
  const besides = more > 0n ? [await restEntry(tx, draft, payouts, line, more)] : []
  return {
    entries: [...entries, ...besides],
    lines: lines.map((line) => ({ line, becomes: 'return', parts: partsOf('payout_return', line, slices) })),
    deposits: [],
    returned: payouts,
    mayOverdraw: true,
  }
}

/** Returns the credits that are its return already. */
async function mustBeReturnable(
  tx: Tx,
  payout: Payout,
  others: StoredLine[],
  lines: StoredLine[],
): Promise<StoredLine[]> {
  const { withdrawalId, state } = payout
  await mustNotGiveChargeBack(tx, withdrawalId, lines)
  if (state !== 'sent' && !isNoted(payout)) throw refuse('payout_cannot_return', { withdrawal: withdrawalId, state })
  mustBeDebitedOnce(payout, others, lines)
  return others.filter((other) => other.direction === 'credit' && other.withdrawalId === withdrawalId)
}

/** The bank took it back after that, and its merchant was charged: what comes now is the merchant's by that entry. */
async function mustNotGiveChargeBack(tx: Tx, withdrawalId: string, [line]: StoredLine[]): Promise<void> {
  const { first } = await chargedBefore(tx, (charge) => charge.withdrawalId === withdrawalId)
  if (first === undefined) return
  throw refuse('charge_not_given_back', { withdrawal: withdrawalId, line: line?.id ?? '', entry: first })
}

/** The bank has reported the return, and the whole amount is booked. */
const isNoted = (payout: Payout) => payout.state === 'returned' && !wasNotSent(payout)

/** What came back besides the payouts, and is neither left in suspense nor missing. */
function restOf(lines: StoredLine[], payouts: Payout[], before: StoredLine[], { terms }: Draft): bigint {
  const { rest, settles, charge, costsBy } = terms
  for (const line of lines) {
    const foreign = payouts.find(({ currency }) => line.currency !== currency)
    if (foreign) throw currenciesDiffer(line, 'payout', foreign.currency)
  }
  const amounts = { came: sumOf(lines), ordered: sumOf(payouts), rest: rest?.amount ?? 0n, before: sumOf(before) }
  const said = (amount: bigint) => money(amount, payouts[0]?.currency ?? '')
  const [came, ordered] = [said(amounts.came), said(amounts.ordered)]
  const [ids, withdrawals] = [lines.map(({ id }) => id), payouts.map(({ withdrawalId }) => withdrawalId)]
  const [line = '', withdrawal = ''] = [ids[0], withdrawals[0]]
  if (before.length > 0 && amounts.came + amounts.before > amounts.ordered)
    throw refuse('return_is_whole', { withdrawal, before: said(amounts.before), ordered, came })
  const more = amounts.came - amounts.ordered - amounts.rest
  if (costsBy !== undefined && more <= 0n) return 0n
  const isSaid = settles !== undefined || charge !== undefined
  if (more > 0n && (!isSaid || costsBy !== undefined)) throw refuse('return_above_payout', { came, ordered })
  if (more < 0n)
    throw refuse('return_below_payouts', {
      ...{ withdrawals, lines: ids, total: came, ordered },
      ...{ rest: rest ? said(rest.amount) : null, missing: said(-more) },
    })
  if (more === 0n && isSaid) throw refuse('return_has_no_rest', { line, withdrawal })
  return more
}

/** The bank had debited more than the payouts, and gives that back in the same credit: it settles what is owed, or is a charge given back. */
async function restEntry(tx: Tx, draft: Draft, payouts: Payout[], line: StoredLine, amount: bigint): Promise<NewEntry> {
  const { settles, charge } = draft.terms
  const { currency } = line
  if (settles !== undefined && charge) throw refuseField('charge', 'charge_beside_settles')
  const from = suspenseOf(line)
  const more = money(amount, currency)
  if (settles !== undefined) {
    const { account, open } = await lockReceivable(tx, settles)
    if (account.currency === currency && amount <= open)
      return journalEntry('journal_receivable', draft, [{ from, to: account, amount }])
    throw refuse('return_above_receivable', { more, open: money(open, account.currency) })
  }
  const borne = await chargesFor(tx, payouts)
  if (charge?.amount !== amount || amount > borne)
    throw refuse('return_not_all_charge', { more, borne: money(borne, currency) })
  const to = bankAccount('bank_charges', payouts[0]?.sourceAccountId ?? '', currency)
  return journalEntry('journal_bank_charge', draft, [{ from, to, amount }])
}

type Costs = { costsBy: Terms['costsBy']; before: StoredLine[] }

/** What is missing is of who bears the costs, and so is what comes later. */
function entryOf(payout: Payout, all: Slice[], { costsBy, before }: Costs): NewEntry {
  const { merchantId, withdrawalId: subjectId, currency, sourceAccountId } = payout
  const slices = all.filter((slice) => slice.payout === payout)
  const merchant = merchantAccount('merchant_available', merchantId, currency)
  const [first] = before.length > 0 ? before : slices.map(({ line }) => line)
  const charges = bankAccount('bank_charges', first?.collectingAccountId ?? '', currency)
  const bearer = costsBy === 'operator' ? charges : merchant
  const whole = isNoted(payout) ? bankAccount('bank_cash', sourceAccountId, currency) : merchant
  const to = before.length > 0 ? bearer : whole
  const missing = before.length > 0 ? 0n : payout.amount - sumOf(slices)
  const transfers = [
    ...slices.map(({ line, amount }) => ({ from: suspenseOf(line), to, amount })),
    ...(missing > 0n && !isSame(bearer, to) ? [{ from: bearer, to, amount: missing }] : []),
  ]
  return { kind: 'withdrawal_return', merchantId, subjectId, transfers }
}

const isSame = (a: AccountRef, b: AccountRef) => JSON.stringify(a) === JSON.stringify(b)

/** More of a return is of who bore the costs of the first part. */
async function mustHaveBorne(
  tx: Tx,
  { id: line }: StoredLine,
  payouts: Payout[],
  [first]: StoredLine[],
  costsBy: Terms['costsBy'],
): Promise<void> {
  const withdrawal = first?.withdrawalId ?? ''
  const bore = await bearerOf(tx, first?.id ?? '', withdrawal)
  if (bore === undefined || payouts.length > 1) throw refuse('return_has_line', { line, withdrawal })
  if (costsBy === undefined) throw refuse('return_had_costs', { withdrawal, lines: [line] })
  if (bore !== costsBy) throw refuse('return_costs_of_other', { bearer: bore })
}
