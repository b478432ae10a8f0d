import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Payout } from '../../payouts/index.ts'
import { findPayout, showsReturnOf, wasNotSent } from '../../payouts/index.ts'
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
  const may = `The sender may have this money already, from the refund before (withdrawal ${withdrawalId}): ${sign}.`
  if (next)
    throw new Refusal(
      'INVALID_STATE',
      `${may} Take the return back (vezne journal propose unmatch --withdrawal ${withdrawalId}); if the bank says that it is the return, two people say so then: vezne journal propose payout_return`,
    )
  const way =
    restOf === undefined
      ? `with this line: vezne journal propose storno --line ${line.id} --line DEBIT`
      : `as a receivable that the rest settles: vezne journal propose receivable --settles ENTRY --rest-of ${restOf}`
  throw new Refusal('INVALID_STATE', `${may} Explain that line first; if its debit paid this money back, ${way}`)
}

/** `next`: unless it is to explain the line. */
type PaidBefore = { withdrawalId: string; sign: string; next?: ProposeStep }

/** The earlier refund that may have been paid, and the line that shows it. */
export async function paidBefore(db: Queryable, line: StoredLine, restOf?: string): Promise<PaidBefore | null> {
  const about = restOf === undefined ? await entriesAbout(db, line.id) : await usesOfRest(db, restOf)
  const refunds = about.filter(({ kind, state }) => kind === 'refund_unexplained' && state === 'posted')
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
async function signsOfPayment(db: Queryable, withdrawalId: string, payout: Payout | undefined): Promise<string[]> {
  const paid = payout?.state === 'returned' && !wasNotSent(payout)
  const owed = new Set((await openReceivables(db)).map(({ entryId }) => entryId))
  const explained = (await explainedDebitsNaming(db, withdrawalId)).filter(({ reason, journalId }) =>
    reason === 'receivable' ? owed.has(journalId ?? '') : !PAIRED.has(reason ?? ''),
  )
  return [
    ...(await linesNaming(db, withdrawalId, { paid })),
    ...(payout ? await similarDebits(db, payout) : []),
    ...explained.map(
      ({ id, reason, journalId }) =>
        `bank line ${id} names it and was explained as ${reason}: vezne journal show ${journalId}`,
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
  const paid = `bank line ${debit.id} is its debit`
  const [credit] = credits
  if (!credit)
    return { withdrawalId, sign: `${paid}, and no credit shows that it came back: vezne line show ${debit.id}` }
  const about = await Promise.all(credits.map(({ id }) => entriesAbout(db, id)))
  const last = about.map((all) =>
    all.findLast((one) => one.state === 'posted' && one.details.terms.withdrawalId === withdrawalId),
  )
  if (last.some((entry) => entry && entry.kind !== 'unmatch')) return null
  const sign = `${paid}, and of line ${credit.id}, booked as its return, neither text nor sender shows that`
  return { withdrawalId, sign, next: propose('unmatch', [], { withdrawalId }) }
}
