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
import type { Payout } from '../../withdrawals/index.ts'
import {
  clearSeenLine,
  isOpen,
  undoReturn,
  recordReturn,
  recordSettlement,
  updateSeenLine,
  createRefund,
  insertCall,
} from '../../withdrawals/index.ts'
import type { LineMove, StoredLine } from '../../statements/index.ts'
import { moveLines } from '../../statements/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { isReturnOfMore } from './journal-entry.ts'
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
  const settled = new Map<string, Payout>()
  for (const payout of plan.sent ?? [])
    settled.set(payout.withdrawalId, await recordDebits(app, tx, payout, plan, actor))
  for (const payout of plan.returned ?? [])
    await recordCredits(app, tx, settled.get(payout.withdrawalId) ?? payout, plan)
  for (const payout of plan.unsent ?? []) await takeDebitsBack(app, tx, payout, actor)
  for (const payout of plan.unreturned ?? []) await takeReturnBack(app, tx, payout, actor)
  await postMoney(app, tx, { ...plan, journal }, actor)
  const now = app.clock.now()
  await moveLines(tx, movesOf(journal, plan), now)
  for (const { line, becomes } of plan.lines) {
    const deposit = becomes === 'deposit' ? plan.deposits[0]?.deposit : undefined
    const verdict = becomes === 'suspense' || becomes === 'needs_review' ? becomes : 'matched'
    const reasons = [
      { field: 'journal entry', verdict: `${journal.kind} ${journal.id}` },
      ...(journal.ruleId === null ? [] : [{ field: 'rule', verdict: journal.ruleId }]),
      ...(journal.ruleId === null && journal.proposedBy !== null
        ? [{ field: 'proposed by', verdict: journal.proposedBy }]
        : []),
    ]
    const why = `journal_${journal.kind}` as const
    await recordDecision(app, tx, line.id, { verdict, why, by: actor, reasons, ...(deposit && { deposit }) })
  }
}

/** The entry empties their unexplained money: the worker has nothing to clear. An open payout is settled by them. */
async function recordDebits(app: JournalDeps, tx: Tx, payout: Payout, plan: Plan, actor: Actor): Promise<Payout> {
  const debits = linesFor(plan, 'payout', payout)
  for (const { line, isShared } of debits) {
    const its = { person: actorName(actor), line: line.id }
    await recordWord(app, tx, payout, isShared ? note('call_person_shared_line', its) : note('call_person_line', its))
  }
  const reference = debits.at(-1)?.line.bankReference ?? ''
  const sent = isOpen(payout) ? (await recordSettlement(app, tx, payout, reference)).settled : payout
  for (const { line } of debits) await updateSeenLine(tx, sent, line)
  return sent
}

/** A payout that is returned already gets its lines only. */
async function recordCredits(app: JournalDeps, tx: Tx, payout: Payout, plan: Plan): Promise<void> {
  if (payout.state === 'sent') await recordReturn(app, tx, payout, undefined)
  for (const { line } of linesFor(plan, 'payout_return', payout)) await updateSeenLine(tx, payout, line)
}

function linesFor({ lines }: Plan, kind: 'payout' | 'payout_return', { withdrawalId }: Payout) {
  const isOf = (part: { kind: string }) => part.kind === kind
  return lines.flatMap(({ line, parts = [] }) => {
    const isIts = parts.some((part) => isOf(part) && part.subject === withdrawalId)
    return isIts ? [{ line, isShared: parts.filter(isOf).length > 1 }] : []
  })
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

/** Null: as the entry's own kind. */
const MATCHED_AS = {
  journal: null,
  payout: 'payout_sent',
  return: 'payout_returned',
  deposit: 'deposit_payment',
} as const

function movesOf(journal: JournalEntry, plan: Plan): LineMove[] {
  return plan.lines.map(({ line, becomes, entry = journal, parts = [] }): LineMove => {
    if (becomes === 'suspense' || becomes === 'needs_review')
      return {
        line,
        state: becomes,
        reason: `journal_${journal.kind}`,
        parts: [],
        isBooked: becomes === 'needs_review',
      }
    const { id: lineId, amount: whole } = line
    const amount = parts.reduce((left, part) => left - part.amount, whole)
    const rest = { kind: 'journal' as const, subject: entry.id, merchantId: NO_MERCHANT, amount }
    // A return, and a deposit, are unmatched instead of reversing the entry.
    const isUnmatched = becomes === 'deposit' || (becomes === 'return' && !isReturnOfMore(journal))
    const journalId = isUnmatched ? null : entry.id
    return {
      line: { ...line, candidateWithdrawalId: candidateOf(line, parts) },
      state: 'matched',
      reason: MATCHED_AS[becomes] ?? entry.kind,
      parts: [...parts, ...(amount > 0n ? [rest] : [])].map((part) => ({ ...part, lineId, journalId })),
      isBooked: false,
    }
  })
}

/** The payout whose debit or return it is, and of several the one that its text names. */
function candidateOf(
  { candidateWithdrawalId: named }: StoredLine,
  parts: { kind: string; subject: string }[],
): string | null {
  const its = parts.filter(({ kind }) => kind !== 'deposit').map(({ subject }) => subject)
  return named !== null && its.includes(named) ? named : (its[0] ?? named)
}
