import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { StoredLine } from '../../statements/index.ts'
import { claimPayoutLines, decidePayoutLine, payoutReference } from '../../statements/index.ts'
import { returnPayout, settlePayout } from './finish-payout.ts'
import { insertCall, lockPayout, selectPayoutById } from './store.ts'

type Needs = { db: Db; clock: Clock; ids: Ids }

/**
 * The statement is the bank's last word: money that left settles a payout whatever its answer was, money that came back
 * returns it. One line, one transaction. Answers how many were decided.
 */
export async function matchPayoutLines(app: Needs): Promise<number> {
  return app.db.transaction(async (tx) => {
    const [line] = await claimPayoutLines(tx, 1)
    if (!line) return 0
    const reason = await decide(app, tx, line)
    const matched = reason === 'payout_sent' || reason === 'payout_returned'
    const withdrawalId = matched ? payoutReference(line.narrative) : null
    await decidePayoutLine(tx, line.id, matched ? 'matched' : 'queue', reason, withdrawalId, app.clock.now())
    return 1
  })
}

async function decide(app: Needs, tx: Tx, line: StoredLine): Promise<string> {
  const known = await selectPayoutById(tx, payoutReference(line.narrative) ?? '')
  const payout = known && (await lockPayout(tx, known.merchantId, known.withdrawalId))
  if (!payout) return 'outgoing'
  if (payout.amount !== line.amount || payout.sourceAccountId !== line.collectingAccountId) return 'payout_differs'
  await insertCall(tx, payout, { kind: 'line', outcome: line.direction, detail: line.bankReference }, app.clock.now())
  const open = payout.state === 'intent' || payout.state === 'calling' || payout.state === 'unknown'
  if (open) await settlePayout(app, tx, payout, line.bankReference ?? '')
  if (line.direction === 'debit')
    return open || payout.state === 'accepted' || payout.state === 'returned' ? 'payout_sent' : 'payout_differs'
  if (payout.state === 'rejected') return 'payout_differs'
  if (payout.state !== 'returned') await returnPayout(app, tx, payout)
  return 'payout_returned'
}
