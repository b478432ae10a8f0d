import type { Said } from '../../../platform/refusal.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { changeDeposits } from '../../deposits/index.ts'
import type { NewEntry } from '../../ledger/index.ts'
import { debitReceipt, holdAccounts, lockAccounts, NO_MERCHANT, openAccounts } from '../../ledger/index.ts'
import { postEntries, suspenseReceipt } from '../../ledger/index.ts'
import { recordDecision } from '../../matching/index.ts'
import type { Payout } from '../../payouts/index.ts'
import { assignLine, clearSeenLine, isOpen, undoReturn } from '../../payouts/index.ts'
import { recordLine, recordReturn, recordSettlement, updateSeenLine } from '../../payouts/index.ts'
import type { LineMove, LinePart, StoredLine } from '../../statements/index.ts'
import { decideLines, moveLines, setBooked } from '../../statements/index.ts'
import { createRefund, insertCall } from '../../withdrawals/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { JournalDeps, Plan } from './plan.ts'

/** Deposits, lines, their decisions and the ledger, in the transaction that decides the entry. All rows are locked. */
export async function postPlan(
  app: JournalDeps,
  tx: Tx,
  journal: JournalEntry,
  plan: Plan,
  actor: Actor,
): Promise<void> {
  await changeDeposits(app, tx, plan.deposits, { byEntry: true })
  const sent = plan.sent && (await assignDebits(app, tx, plan.sent, plan, actor))
  if (plan.returned) await assignReturns(app, tx, sent ?? plan.returned, plan)
  for (const share of plan.shares ?? []) await assignShare(app, tx, share, plan, actor)
  for (const payout of plan.unsent ?? []) await takeDebitsBack(app, tx, payout, actor)
  for (const payout of plan.returns ?? []) await assignPartOfReturn(app, tx, payout, plan)
  for (const payout of plan.unreturned ?? []) await takeReturnBack(app, tx, payout, actor)
  await postMoney(app, tx, { ...plan, journal }, actor)
  const now = app.clock.now()
  await moveLines(tx, movesOf(journal, plan), now)
  for (const { line, becomes } of plan.lines) {
    const deposit = becomes === 'deposit' ? plan.deposits[0]?.deposit : undefined
    if (deposit) await decideLines(tx, [assigned(line, deposit)], now)
    const verdict = becomes === 'suspense' || becomes === 'needs_review' ? becomes : 'matched'
    const reasons = [
      { field: 'journal entry', verdict: `${journal.kind} ${journal.id}` },
      { field: 'proposed by', verdict: journal.proposedBy },
    ]
    const why = `journal_${journal.kind}` as const
    await recordDecision(app, tx, line.id, { verdict, why, by: actor, reasons, ...(deposit && { deposit }) })
  }
}

/** A payout that is returned already gets its lines only. */
async function assignReturns(app: JournalDeps, tx: Tx, payout: Payout, plan: Plan): Promise<void> {
  const credits = plan.lines.filter(({ becomes }) => becomes === 'return').map(({ line }) => line)
  for (const [place, line] of credits.entries())
    if (place === 0 && payout.state === 'accepted') await recordReturn(app, tx, payout, line)
    else await recordLine(app, tx, payout, line, 'payout_returned')
}

/** The entry empties their unexplained money: the worker has nothing to clear. An open payout is settled by them. */
async function assignDebits(app: JournalDeps, tx: Tx, payout: Payout, plan: Plan, actor: Actor): Promise<Payout> {
  const debits = plan.lines.filter(({ becomes }) => becomes === 'payout').map(({ line }) => line)
  for (const { id } of debits)
    await recordWord(app, tx, payout, note('call_person_line', { person: actorName(actor), line: id }))
  const reference = debits.at(-1)?.bankReference ?? ''
  const sent = isOpen(payout) ? (await recordSettlement(app, tx, payout, reference)).settled : payout
  for (const line of debits) await assignLine(app, tx, sent, line, 'payout_sent')
  await setBooked(
    tx,
    debits.map(({ id }) => id),
    false,
  )
  return sent
}

/** Its part of a line that is the debit of several payouts. The line itself is moved once. */
async function assignShare(
  app: JournalDeps,
  tx: Tx,
  { payout, waiting }: NonNullable<Plan['shares']>[number],
  { lines }: Plan,
  actor: Actor,
): Promise<void> {
  const debit = lines.find(({ becomes }) => becomes === 'payouts')?.line
  if (!debit) throw new Error(`Payout ${payout.withdrawalId} has no debit.`)
  await recordWord(app, tx, payout, note('call_person_shared_line', { person: actorName(actor), line: debit.id }))
  const sent = isOpen(payout) ? (await recordSettlement(app, tx, payout, debit.bankReference ?? '')).settled : payout
  await updateSeenLine(tx, sent, debit)
  if (waiting) await recordReturn(app, tx, sent, waiting)
}

/** Its part of a credit that is the return of several. The line itself is moved once. */
async function assignPartOfReturn(app: JournalDeps, tx: Tx, payout: Payout, { lines }: Plan): Promise<void> {
  const credit = lines.find(({ becomes }) => becomes === 'returns')?.line
  if (!credit) throw new Error(`Payout ${payout.withdrawalId} has no credit.`)
  if (payout.state === 'accepted') await recordReturn(app, tx, payout, undefined)
  await updateSeenLine(tx, payout, credit)
}

async function takeDebitsBack(app: JournalDeps, tx: Tx, payout: Payout, actor: Actor): Promise<void> {
  await recordWord(app, tx, payout, note('call_not_its_debit', { person: actorName(actor) }))
  await clearSeenLine(tx, payout, 'debit')
}

async function takeReturnBack(app: JournalDeps, tx: Tx, payout: Payout, actor: Actor): Promise<void> {
  await recordWord(app, tx, payout, note('call_not_its_return', { person: actorName(actor) }), 'not_returned')
  await undoReturn(app, tx, payout)
}

function recordWord(
  app: JournalDeps,
  tx: Tx,
  payout: Payout,
  detail: Said,
  outcome: 'debit' | 'not_returned' = 'debit',
): Promise<void> {
  return insertCall(tx, payout, { kind: 'person', outcome, detail }, app.clock.now())
}

/** All accounts are locked together, in order. */
async function postMoney(
  app: JournalDeps,
  tx: Tx,
  { journal, lines, refund, ...plan }: Plan & { journal: JournalEntry },
  actor: Actor,
): Promise<void> {
  const entries = [
    ...lines.flatMap(({ line }) => receiptOf(line)),
    ...plan.entries.map((entry) => ({ ...entry, actor })),
  ]
  const holding = refund ? Object.values(holdAccounts(NO_MERCHANT, refund.currency)) : []
  const refs = [...entries.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to])), ...holding]
  const ours = refs.filter(({ merchantId }) => merchantId === NO_MERCHANT)
  await openAccounts(app, tx, ours)
  const accounts = await lockAccounts(tx, refs)
  const options = { mayOverdraw: plan.mayOverdraw ?? false }
  await postEntries(app, tx, accounts, entries, options).catch((error: unknown) => explainBalance(error, journal))
  if (refund) await createRefund(app, tx, accounts, refund)
}

/** Of a line that is in no account yet. */
function receiptOf(line: StoredLine): NewEntry[] {
  if (line.state !== 'needs_review' || line.isBooked) return []
  return [line.direction === 'debit' ? debitReceipt(line) : suspenseReceipt(line)]
}

function explainBalance(error: unknown, { id }: JournalEntry): never {
  if ((error as { constraint?: string }).constraint !== 'accounts_never_negative') throw error
  throw refuse('ledger_account_too_low', { entry: id })
}

function movesOf(journal: JournalEntry, plan: Plan): LineMove[] {
  const matched = { state: 'matched' as const, isBooked: false }
  return plan.lines.flatMap(({ line, becomes, entry = journal }): LineMove[] => {
    const parts = partsOf(line, entry, plan)
    if (becomes === 'journal') return [{ line, ...matched, reason: entry.kind, parts }]
    if (becomes === 'payouts') return [{ line, ...matched, reason: 'payout_sent', parts }]
    if (becomes === 'returns') return [{ line, ...matched, reason: 'payout_returned', parts }]
    if (becomes !== 'suspense' && becomes !== 'needs_review') return []
    return [
      { line, state: becomes, reason: `journal_${journal.kind}`, parts: [], isBooked: becomes === 'needs_review' },
    ]
  })
}

/** What the entry says of the line; itself for the rest. */
function partsOf(
  { id: lineId, amount: whole }: StoredLine,
  { id: journalId, kind }: Pick<JournalEntry, 'id' | 'kind'>,
  { deposits, shares = [], returns = [] }: Plan,
): LinePart[] {
  const parts: Omit<LinePart, 'lineId' | 'journalId'>[] = [
    ...(kind === 'split' ? deposits : []).map(({ deposit: { id: subject, merchantId }, changes }) => {
      return { kind: 'deposit' as const, subject, merchantId, amount: changes.receivedAmount ?? 0n }
    }),
    ...shares.map(({ payout: { withdrawalId: subject, merchantId, amount } }) => {
      return { kind: 'payout' as const, subject, merchantId, amount }
    }),
    ...returns.map(({ withdrawalId: subject, merchantId, amount }) => {
      return { kind: 'payout_return' as const, subject, merchantId, amount }
    }),
  ]
  const amount = parts.reduce((left, part) => left - part.amount, whole)
  const rest = { kind: 'journal' as const, subject: journalId, merchantId: NO_MERCHANT, amount }
  return [...parts, ...(amount > 0n ? [rest] : [])].map((part) => ({ ...part, lineId, journalId }))
}

function assigned({ id, state }: StoredLine, deposit: { id: string; merchantId: string }) {
  return { id, from: state, state: 'matched' as const, reason: 'reassign' as const, deposit }
}
