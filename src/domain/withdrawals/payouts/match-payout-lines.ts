import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import { openAndPost, suspenseTransfer } from '../../ledger/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { claimPayoutLines, decidePayoutLine, payoutLineSeen, payoutReference } from '../../statements/index.ts'
import { returnPayout, settlePayout } from './finish-payout.ts'
import type { Payout } from './store.ts'
import { insertCall, lockPayout, selectPayoutById } from './store.ts'

type Needs = { db: Db; clock: Clock; ids: Ids; log: Log }

/**
 * The statement is the bank's last word: money that left settles a payout whatever its answer was, money that came back
 * returns it, each once. One line, one transaction. Answers how many were decided.
 */
export async function matchPayoutLines(app: Needs): Promise<number> {
  return app.db.transaction(async (tx) => {
    const [line] = await claimPayoutLines(tx, 1)
    if (!line) return 0
    const payout = await payoutOf(tx, line)
    const reason = payout ? await explain(app, tx, payout, line) : 'outgoing'
    if (reason === 'payout_sent' || reason === 'payout_returned') {
      await decidePayoutLine(tx, line.id, 'matched', reason, payout?.withdrawalId ?? null, app.clock.now())
    } else {
      await leaveForPeople(app, tx, line, reason)
    }
    return 1
  })
}

async function payoutOf(tx: Tx, line: StoredLine): Promise<Payout | undefined> {
  const known = await selectPayoutById(tx, payoutReference(line.narrative) ?? '')
  return known && lockPayout(tx, known.merchantId, known.withdrawalId)
}

async function explain(app: Needs, tx: Tx, payout: Payout, line: StoredLine): Promise<string> {
  if (payout.amount !== line.amount || payout.sourceAccountId !== line.collectingAccountId) return 'payout_differs'
  // The one line that would show that a payout was made twice: never taken for granted.
  if (await payoutLineSeen(tx, payout.withdrawalId, line.direction)) return 'payout_line_twice'
  // What was never handed to the bank cannot have left or come back.
  if (payout.submits === 0) return 'payout_differs'
  // Sent and taken back by the bank, which told us no: two lines that cancel each other, and neither is booked.
  if (payout.state === 'rejected') return 'payout_taken_back'
  await insertCall(tx, payout, { kind: 'line', outcome: line.direction, detail: line.bankReference }, app.clock.now())
  const open = payout.state === 'intent' || payout.state === 'calling' || payout.state === 'unknown'
  const bankReference = line.bankReference ?? ''
  if (open) await settlePayout(app, tx, payout, bankReference)
  if (line.direction === 'debit') return 'payout_sent'
  if (payout.state !== 'returned') await returnPayout(app, tx, open ? { ...payout, bankReference } : payout)
  return 'payout_returned'
}

/** Money that left without a reason of ours waits in the queue; money that came goes into suspense, where people match it. */
async function leaveForPeople(app: Needs, tx: Tx, line: StoredLine, reason: string): Promise<void> {
  const unexpected = reason !== 'outgoing'
  if (unexpected)
    app.log.error({ lineId: line.id, reason }, 'a bank line about a payout does not fit; a person must look')
  const incoming = line.direction === 'credit' && reason !== 'payout_taken_back'
  await decidePayoutLine(tx, line.id, incoming ? 'suspense' : 'queue', reason, null, app.clock.now())
  if (incoming) await openAndPost(app, tx, [suspenseTransfer(line)])
}
