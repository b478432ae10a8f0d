import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { findPayout, wasNotSent } from '../../payouts/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { explainedDebitsNaming, linesNaming, similarDebits } from '../../statements/index.ts'
import { openReceivables } from './receivables.ts'
import { refundOf } from './refund-of.ts'
import { entriesAbout, usesOfRest } from './store.ts'

/** Explained together with a credit: the money came back. */
const PAIRED = new Set(['storno', 'own_transfer'])

/** An earlier refund of the line ended as not paid or came back, and a line shows that its money may have left all the same. */
export async function mustNotBeRefunded(tx: Tx, line: StoredLine, restOf?: string): Promise<void> {
  const found = await paidBefore(tx, line, restOf)
  if (!found) return
  const way =
    restOf === undefined
      ? `with this line: vezne journal propose storno --line ${line.id} --line DEBIT`
      : `as a receivable that the rest settles: vezne journal propose receivable --settles ENTRY --rest-of ${restOf}`
  throw new Refusal(
    'INVALID_STATE',
    `The sender may have this money already, from the refund before (withdrawal ${found.withdrawalId}): ${found.sign}. Explain that line first; if its debit paid this money back, ${way}`,
  )
}

/** The earlier refund that may have been paid, and the line that shows it. */
export async function paidBefore(
  db: Queryable,
  line: StoredLine,
  restOf?: string,
): Promise<{ withdrawalId: string; sign: string } | null> {
  const about = restOf === undefined ? await entriesAbout(db, line.id) : await usesOfRest(db, restOf)
  const refunds = about.filter(({ kind, state }) => kind === 'refund_unexplained' && state === 'posted')
  for (const { id } of refunds) {
    const withdrawal = await refundOf(db, id)
    const [sign] = withdrawal ? await signsOfPayment(db, withdrawal.id) : []
    if (withdrawal && sign !== undefined) return { withdrawalId: withdrawal.id, sign }
  }
  return null
}

/** Lines that no one has explained, and debits that were explained as something else than this refund. */
async function signsOfPayment(db: Queryable, withdrawalId: string): Promise<string[]> {
  const payout = await findPayout(db, withdrawalId)
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
