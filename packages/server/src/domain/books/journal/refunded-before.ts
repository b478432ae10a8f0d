import { part } from '../../../kernel/refusals/part.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { findPayout, showsReturnOf, wasNotSent } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { explainedDebitsNaming, linesNaming, linesOfPayout, similarDebits } from '../../statements/index.ts'
import type { ProposeStep } from './propose-step.ts'
import { propose } from './propose-step.ts'
import { openReceivables } from './receivables.ts'
import { refundOf } from './refund-of.ts'
import { entriesAbout, usesOfRest } from './store.ts'

/** Explained together with a credit: the money came back. */
const PAIRED = new Set(['storno', 'own_transfer'])

/** An earlier refund of the line ended as not paid or came back, and a line shows that its money may have left all the same. */
export async function mustNotBeRefunded(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  const found = await paidBefore(tx, line, restOf)
  if (!found) return
  const { withdrawalId, sign, next } = found
  const remedy = next ? ('unmatch' as const) : restOf === undefined ? ('storno' as const) : ('receivable' as const)
  const about = { withdrawal: withdrawalId, line: line.id, restOf: restOf ?? null }
  throw refuse('refund_maybe_paid', { ...about, sign, remedy })
}

/** `sign`: the line that shows it. `next`: unless it is to explain that line. */
type PaidBefore = { withdrawalId: string; sign: string | Said; next?: ProposeStep }

/** The earlier refund that may have been paid, and the line that shows it. */
export async function paidBefore(db: Queryable, line: StoredLine, restOf?: string): Promise<PaidBefore | null> {
  const about = restOf === undefined ? await entriesAbout(db, line.id) : await usesOfRest(db, restOf)
  const refunds = about.filter(({ kind }) => kind === 'refund_unexplained')
  for (const { id } of refunds) {
    const withdrawal = await refundOf(db, id)
    const payout = withdrawal && (await findPayout(db, withdrawal.id))
    const [sign] = withdrawal ? await signsOfPayment(db, withdrawal.id, payout) : []
    if (withdrawal && sign !== undefined) return { withdrawalId: withdrawal.id, sign }
    const unshown = payout && (await unshownReturn(db, payout))
    if (unshown) return unshown
  }
  return null
}

/** Lines that no one has explained, and debits that were explained as something else than this refund. */
async function signsOfPayment(
  db: Queryable,
  withdrawalId: string,
  payout: Payout | undefined,
): Promise<(string | Said)[]> {
  const paid = payout?.state === 'returned' && !wasNotSent(payout)
  const owed = new Set((await openReceivables(db)).map(({ entryId }) => entryId))
  const explained = (await explainedDebitsNaming(db, withdrawalId)).filter(({ reason, journalId }) =>
    reason === 'receivable' ? owed.has(journalId ?? '') : !PAIRED.has(reason ?? ''),
  )
  return [
    ...(await linesNaming(db, withdrawalId, { paid })),
    ...(payout ? await similarDebits(db, payout) : []),
    ...explained.map(({ id: line, reason: kind, journalId: entry }) =>
      part('refund_debit_explained', { line, kind, entry: entry ?? '' }),
    ),
  ]
}

/** Its debit shows that it was paid, and no credit that it came back, nor did two people say so of one. */
async function unshownReturn(db: Queryable, payout: Payout): Promise<PaidBefore | null> {
  const { withdrawalId, state } = payout
  if (state !== 'returned' || wasNotSent(payout)) return null
  const its = await linesOfPayout(db, withdrawalId)
  const debit = its.find(({ direction }) => direction === 'debit')
  const credits = its.filter(({ direction }) => direction === 'credit')
  if (!debit || credits.some((credit) => showsReturnOf(credit, payout))) return null
  const [credit] = credits
  if (!credit) return { withdrawalId, sign: part('refund_debit_without_return', { line: debit.id }) }
  const about = await Promise.all(credits.map(({ id }) => entriesAbout(db, id)))
  const last = about.map((all) => all.findLast((one) => one.details.terms.withdrawalId === withdrawalId))
  if (last.some((entry) => entry && entry.kind !== 'unmatch')) return null
  const sign = part('refund_return_not_shown', { debit: debit.id, line: credit.id })
  return { withdrawalId, sign, next: propose('unmatch', [], { withdrawalId }) }
}
