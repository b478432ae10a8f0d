import { sameParty, senderOf } from '../../../kernel/party.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { BankDirectory } from '../../banks/index.ts'
import type { Deposit } from '../../deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { depositsOfAmount, findDepositById, selectByReferenceCodes, wasReversed } from '../../deposits/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import {
  awaitingDebit,
  largerPayoutsTo,
  MAX_CHARGE,
  mayBeCharge,
  notReturnedTo,
  payoutsBelow,
  payoutsLike,
  payoutsOfAmount,
  selectPayoutsById,
} from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import {
  asLinesOf,
  matchedCredits,
  oppositeLines,
  otherSides,
  partsAbout,
  payoutReferences,
  selectLinesById,
  selectLinesNaming,
} from '../../statements/index.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { bookedUntil } from '../../matching/index.ts'
import { chargesForCredit } from '../journal/charges-for-credit.ts'
import { oversizedOf } from '../journal/oversized-debit.ts'
import { notOwnTransfer } from '../journal/own-transfer.ts'
import { payoutsSentBack } from '../journal/payouts-sent-back.ts'
import { wayOfMore } from '../journal/return-of-more.ts'
import { givenBackBy } from '../journal/refund-of-return.ts'
import { paidBefore } from '../journal/refunded-before.ts'
import { unconfirmedAmong } from '../journal/unconfirmed-money.ts'
import type { LineCandidate } from './line-candidate.ts'
import {
  isBankItem,
  isOurs,
  ofCharge,
  ofDeposit,
  ofLine,
  ofPayout,
  ofReceivable,
  ofRules,
  ofStranger,
} from './line-candidate.ts'
import type { NextStep } from './next-step.ts'
import { isNamedOn, isOfParts, isRefund, isUnexplained, refundBefore, returnStep, splitBefore } from './next-step.ts'
import { stepBefore } from './next-step.ts'
import { BACK_MS, NEAR_MS } from '../journal/windows.ts'
import { isWithCharge } from '../journal/with-charge.ts'
import { owedForCredit } from './owed-for-credit.ts'
import { partsOfPayments } from './part-of-payment.ts'
import { partsOfUnexplained } from './part-of-unexplained.ts'
import { restOf } from './rest-of-payout.ts'
import { rulesFor } from '../rules/apply-rules.ts'
import { rulesInForce } from '../rules/store.ts'
import { correctedBySameNumber } from './same-number.ts'
import { payoutsGivenBack } from './second-debits.ts'
import { splitOfCodes } from './split-of-codes.ts'
import { creditsOfNamed, givenBackLines, namedOpposites } from './storno-lines.ts'
import { sharedDebits } from './shared-debit.ts'
import { sharedReturn } from './shared-return.ts'
import { taxOfCharge } from './tax-of-charge.ts'

const MAX_OF_A_KIND = 20
const MAX_READ = 200

/**
 * Same amount, any account, 48 hours around it, whatever the sender's name; the payout that the line names, a larger one, or one without a small charge, to its
 * recipient, one to its sender within 30 days, an unexplained line that it may give back, and the other side of our own transfer, also less a charge; a payout that lacks such a debit; the deposit that it is held for, or whose code it has,
 * also a completed one; one that its sender has paid before; the line whose bank number it has; a charge or the tax on it; and what is owed to us. What a rule says that it is. Of a credit of which nothing is found: it is given back; of a debit that the bank calls its own: that. The best first. None for a line that is explained.
 */
export async function findCandidates(
  { db, banks, marks }: { db: Queryable; banks: BankDirectory; marks: Marks },
  line: StoredLine,
): Promise<LineCandidate[]> {
  if (!isUnexplained(line)) return []
  const time = line.bookedAt.getTime()
  const near = { from: new Date(time - NEAR_MS), to: new Date(bookedUntil(line).getTime() + NEAR_MS) }
  const accounts = await banks.accounts()
  const accountIds = accounts.map(({ id }) => id)
  const isCredit = line.direction === 'credit'
  const ibans = new Map(accounts.map(({ id, iban }) => [id, iban]))
  const found = isCredit ? await ofCredit(db, line, { ...near, accountIds }) : []
  const shared = await sharedDebits(db, line, near)
  const together = await sharedReturn(db, line)
  found.push(...shared.candidates, ...together)
  found.push(...(await partsOfPayments(db, line)), ...(await partsOfUnexplained(db, line)))
  found.push(
    ...(await correctedBySameNumber(db, line)),
    ...(await splitOfCodes(db, line)),
    ...(await taxOfCharge(db, line)),
  )
  for (const payout of await payoutsFor(db, line, near)) {
    if (shared.instead.has(payout.withdrawalId) || (together.length > 0 && isNamedOn(line, payout.withdrawalId)))
      continue
    if (shared.isOfNamed && !isNamedOn(line, payout.withdrawalId)) continue
    const its = await linesAbout(db, payout)
    const more = isCredit ? await wayOfMore(db, line, payout) : null
    found.push(...ofPayout(line, payout, its, { rest: await restOf(db, line, payout, its), more }))
  }
  const first = await stepBefore(db, line)
  // Its parts end a payout that is open; nothing else does.
  const isNext = (one: LineCandidate) => isOfParts(one.next) && line.correctsLineId === null
  const all = found.map((one) => (isHeldFor(line, one) || isNext(one) ? one : { ...one, next: first ?? one.next }))
  for (const other of await otherLines(db, line, near, ibans)) {
    if (!(await mayPair({ db, banks }, line, other))) continue
    const before =
      first ?? (await stepBefore(db, other)) ?? splitBefore(line, other) ?? (await refundBefore(db, line, other))
    all.push(...ofLine(line, other, ibans).map((one) => ({ ...one, next: before ?? one.next })))
  }
  const instead = isCredit ? await insteadOfRefund(db, line) : undefined
  const possible = all.map((one) => (instead !== undefined && isRefund(one.next) ? { ...one, next: instead } : one))
  possible.push(...ofRules(line, rulesFor(await rulesInForce({ db, marks }), line)))
  const titles = accounts.map(({ title }) => title)
  const hasStep = isCredit || isBankItem(line) || isOurs(line, titles)
  if (possible.length === 0 && hasStep && !first && line.reason !== 'own_transfer')
    possible.push(ofStranger(line, titles, instead))
  const distance = ({ at }: LineCandidate) => Math.abs(at.getTime() - time)
  return possible.toSorted((a, b) => b.score - a.score || distance(a) - distance(b) || (a.id < b.id ? -1 : 1))
}

/** What must be done about a credit that would not be refunded. */
async function insteadOfRefund(db: Queryable, line: StoredLine): Promise<NextStep | undefined> {
  const unconfirmed = await unconfirmedAmong(db, line)
  if (unconfirmed) return stepAboutUnconfirmed(line, unconfirmed)
  const paid = await paidBefore(db, line)
  if (!paid) return (await givenBackBy(db, line))?.next ?? (await sentBackStep(db, line))
  return paid.next ?? { do: 'explain', sign: paid.sign, because: 'explain_first' }
}

async function sentBackStep(db: Queryable, line: StoredLine): Promise<NextStep | undefined> {
  const [payout] = await payoutsSentBack(db, line)
  if (!payout) return undefined
  return returnStep(line, payout, await linesAbout(db, payout), undefined) ?? undefined
}

/** Two people dismiss the line; one that was booked as the return of an earlier refund, on the page of that. */
function stepAboutUnconfirmed({ id }: StoredLine, unconfirmed: StoredLine): NextStep {
  const { withdrawalId } = unconfirmed
  return unconfirmed.id === id || withdrawalId === null
    ? { do: 'dismiss', lineId: unconfirmed.id, because: 'not_shown' }
    : { do: 'look', withdrawalId, because: 'not_shown' }
}

/** It need not be freed first for its own deposit. */
const isHeldFor = ({ depositId }: StoredLine, { what, id }: LineCandidate) => what === 'deposit' && id === depositId

type Near = { from: Date; to: Date }

/** Of two accounts only as two sides of our own transfer; of one not with the debit of a payout, whose return the credit is, nor of another deposit than the debit names. */
async function mayPair(deps: { db: Queryable; banks: BankDirectory }, line: StoredLine, other: StoredLine) {
  const [debit, credit] = line.direction === 'debit' ? [line, other] : [other, line]
  if (debit.collectingAccountId === credit.collectingAccountId) {
    const named = await creditsOfNamed(deps.db, debit)
    const isOfNamed = named === null || named.some(({ id }) => id === credit.id)
    return isOfNamed && (await oversizedOf(deps.db, debit)) === null
  }
  return (await notOwnTransfer(deps, debit, credit)) === null
}

/** Of the other direction. `ibans`: those of our accounts. */
async function otherLines(db: Queryable, line: StoredLine, near: Near, ibans: ReadonlyMap<string, string>) {
  const ownIban = ibans.get(line.collectingAccountId) ?? ''
  const named = normaliseIban(line.senderIban ?? '')
  const otherAccountId = [...ibans].find(([, iban]) => iban === named)?.[0] ?? null
  const time = line.bookedAt.getTime()
  const wide = { from: new Date(time - BACK_MS), to: new Date(time + BACK_MS) }
  const found = [
    ...(await oppositeLines(db, { ...line, ...near }, MAX_OF_A_KIND)),
    ...(await namedOpposites(db, line)),
    ...(await givenBackLines(db, line)),
    ...(await otherSides(db, { ...line, ...wide, ownIban, otherAccountId, maxCharge: MAX_CHARGE }, MAX_OF_A_KIND)),
  ]
  return [...new Map(found.map((one) => [one.id, one])).values()]
}

type Wanted = Near & { accountIds: string[] }

/** Deposits, and what is owed to us or was charged. */
async function ofCredit(db: Queryable, line: StoredLine, wanted: Wanted): Promise<LineCandidate[]> {
  const paid = await depositsPaidBefore(db, line)
  const deposits = await depositsFor(db, line, { ...wanted, paid: [...paid.keys()] })
  return [
    ...deposits.map((deposit) => ofDeposit(line, deposit, paid.get(deposit.id))),
    ...(await owedForCredit(db, line)).map((one) => ofReceivable(line, one)),
    ...(await chargesForCredit(db, line)).map((one) => ofCharge(line, one)),
  ]
}

async function depositsFor(db: Queryable, line: StoredLine, wanted: Wanted & { paid: string[] }): Promise<Deposit[]> {
  const codes = findReferenceCodes(line.narrative).map(({ code }) => code)
  const ofCodes = await selectByReferenceCodes(db, codes)
  // With the codes of several, none of them gets all of the money: it is split.
  const named = ofCodes.length === 1 ? ofCodes : ofCodes.filter(wasReversed)
  const others = [...(line.depositId === null ? [] : [line.depositId]), ...wanted.paid.slice(0, MAX_OF_A_KIND)]
  const known = await Promise.all(others.map((id) => findDepositById(db, id)))
  const found = await depositsOfAmount(db, { ...line, ...wanted }, MAX_OF_A_KIND)
  const equal = found.filter((one) => one.status !== 'failed' || wasReversed(one))
  const all = [...equal, ...named, ...known.filter((one) => one !== undefined)].filter(
    ({ currency }) => currency === line.currency,
  )
  return [...new Map(all.map((deposit) => [deposit.id, deposit])).values()]
}

async function payoutsFor(db: Queryable, line: StoredLine, near: Near): Promise<Payout[]> {
  const named = await namedPayouts(db, line)
  const equal = await payoutsOfAmount(db, line.amount, near.from, near.to, MAX_OF_A_KIND)
  const others = [...equal, ...(await partlyPaid(db, line, near)), ...(await paidWithCharge(db, line, near))]
  if (line.direction === 'debit' && named.length === 0) others.push(...(await payoutsLike(db, line, MAX_OF_A_KIND)))
  if (line.direction === 'credit' && named.length === 0)
    others.push(
      ...(await payoutsSentBack(db, line)),
      ...(await payoutsGivenBack(db, line)),
      ...(await debitedWithMore(db, line, near)),
      ...(await returnedLess(db, line, near)),
    )
  const unnamed = others.filter(({ withdrawalId }) => !isNamedOn(line, withdrawalId))
  const all = new Map([...named, ...unnamed].map((payout) => [payout.withdrawalId, payout]))
  return [...all.values()].filter(({ currency }) => currency === line.currency)
}

/** Payouts with a debit of the credit's amount and account. */
async function debitedWithMore(db: Queryable, line: StoredLine, near: Near): Promise<Payout[]> {
  const debits = await oppositeLines(db, { ...line, ...near }, MAX_OF_A_KIND)
  const here = debits.filter(({ collectingAccountId }) => collectingAccountId === line.collectingAccountId)
  const ids = here.map(({ withdrawalId }) => withdrawalId).filter((id) => id !== null)
  return (await selectPayoutsById(db, ids)).filter(({ amount }) => amount < line.amount)
}

/** Payouts to the sender of a credit that names none, and is smaller by a charge: as long ago as a whole return may be. */
async function returnedLess(db: Queryable, line: StoredLine, { to }: Near): Promise<Payout[]> {
  const { amount: above, collectingAccountId: accountId, bookedAt } = line
  const from = new Date(bookedAt.getTime() - BACK_MS)
  const iban = normaliseIban(line.senderIban ?? '')
  if (iban === '') return []
  const found = await notReturnedTo(db, { from, to, iban, accountId, above }, MAX_OF_A_KIND)
  return found.filter(({ amount }) => mayBeCharge(amount - above, amount))
}

/** Of several that a debit names, those that lack their debit; without such, all. */
async function namedPayouts(db: Queryable, line: StoredLine): Promise<Payout[]> {
  const { candidateWithdrawalId, direction, narrative } = line
  if (candidateWithdrawalId === null) return []
  const ids = direction === 'debit' ? [candidateWithdrawalId, ...payoutReferences(narrative)] : [candidateWithdrawalId]
  const awaiting = ids.length > 1 ? await awaitingDebit(db, ids) : []
  return awaiting.length > 0 ? awaiting : selectPayoutsById(db, ids)
}

/** Payouts to the recipient of a debit that names none. */
async function partlyPaid(db: Queryable, line: StoredLine, { from, to }: Near): Promise<Payout[]> {
  const { amount: above, collectingAccountId: accountId, direction, candidateWithdrawalId } = line
  const iban = normaliseIban(line.senderIban ?? '')
  if (direction === 'credit' || candidateWithdrawalId !== null || iban === '') return []
  return largerPayoutsTo(db, { iban, accountId, above, from, to }, MAX_OF_A_KIND)
}

/** Payouts to the recipient of a debit that is larger by a small charge. */
async function paidWithCharge(db: Queryable, line: StoredLine, near: Near): Promise<Payout[]> {
  const { amount: below, collectingAccountId: accountId, direction, candidateWithdrawalId } = line
  if (direction === 'credit' || candidateWithdrawalId !== null) return []
  const above = below - MAX_CHARGE - 1n
  const found = await payoutsBelow(db, { ...near, accountId, above, below }, MAX_READ)
  return found.filter((payout) => isWithCharge(line, payout)).slice(0, MAX_OF_A_KIND)
}

async function linesAbout(db: Queryable, { withdrawalId }: Payout): Promise<StoredLine[]> {
  const belonging = (await partsAbout(db, [withdrawalId])).map(({ lineId }) => lineId)
  const its = await asLinesOf(db, withdrawalId, await selectLinesById(db, belonging))
  return [...its, ...(await selectLinesNaming(db, withdrawalId, MAX_OF_A_KIND))]
}

/** Deposits that the sender of a credit has paid shortly before, with its amount on its account, and the lines that paid them. */
async function depositsPaidBefore(db: Queryable, line: StoredLine): Promise<Map<string, string[]>> {
  const from = new Date(line.bookedAt.getTime() - NEAR_MS)
  const found = await matchedCredits(db, { ...line, from, to: bookedUntil(line) }, MAX_READ)
  const lines = new Map(found.filter((one) => sameParty(senderOf(one), senderOf(line))).map((one) => [one.id, one]))
  const paid = [...lines.values()].flatMap(({ id, depositId }) => (depositId === null ? [] : [{ id, depositId }]))
  const ofDeposits = Map.groupBy(paid, ({ depositId }) => depositId)
  return new Map([...ofDeposits].map(([depositId, its]) => [depositId, its.map(({ id }) => id)]))
}
