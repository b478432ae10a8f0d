import type { Tx } from '../../../platform/postgres/db.ts'
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
  const about = restOf === undefined ? await entriesAbout(tx, line.id) : await usesOfRest(tx, restOf)
  const refunds = about.filter(({ kind, state }) => kind === 'refund_unexplained' && state === 'posted')
  for (const { id } of refunds) {
    const withdrawal = await refundOf(tx, id)
    const [sign] = withdrawal ? await signsOfPayment(tx, withdrawal.id) : []
    if (sign === undefined) continue
    const way =
      restOf === undefined
        ? `with this line: vezne journal propose storno --line ${line.id} --line DEBIT`
        : `as a receivable that the rest settles: vezne journal propose receivable --settles ENTRY --rest-of ${restOf}`
    throw new Refusal(
      'INVALID_STATE',
      `The sender may have this money already, from the refund before (withdrawal ${withdrawal?.id}): ${sign}. Explain that line first; if its debit paid this money back, ${way}`,
    )
  }
}

/** Lines that no one has explained, and debits that were explained as something else than this refund. */
async function signsOfPayment(tx: Tx, withdrawalId: string): Promise<string[]> {
  const payout = await findPayout(tx, withdrawalId)
  const paid = payout?.state === 'returned' && !wasNotSent(payout)
  const owed = new Set((await openReceivables(tx)).map(({ entryId }) => entryId))
  const explained = (await explainedDebitsNaming(tx, withdrawalId)).filter(({ reason, journalId }) =>
    reason === 'receivable' ? owed.has(journalId ?? '') : !PAIRED.has(reason ?? ''),
  )
  return [
    ...(await linesNaming(tx, withdrawalId, { paid })),
    ...(payout ? await similarDebits(tx, payout) : []),
    ...explained.map(
      ({ id, reason, journalId }) =>
        `bank line ${id} names it and was explained as ${reason}: vezne journal show ${journalId}`,
    ),
  ]
}
