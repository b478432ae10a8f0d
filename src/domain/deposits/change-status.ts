import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import type { Ids } from '../../platform/ids.ts'
import type { BankDirectory } from '../banks/index.ts'
import { recordEvents } from '../callbacks/index.ts'
import type { Deposit, DepositStatus } from './deposit.ts'
import { NEXT } from './deposit.ts'
import { depositView } from './deposit-view.ts'
import { insertHistory, updateStatuses } from './store.ts'

type Needs = { clock: Clock; ids: Ids; banks: BankDirectory }
type Facts = Partial<Pick<Deposit, 'receivedAmount' | 'fee' | 'flags' | 'reason'>>

/**
 * The only way a deposit's status changes: the row, its history and the event for the merchant, together. The caller
 * has locked the rows in this transaction.
 */
export async function changeStatus(
  app: Needs,
  tx: Tx,
  deposits: Deposit[],
  to: DepositStatus,
  factsOf: (deposit: Deposit) => Facts = () => ({}),
): Promise<Deposit[]> {
  if (deposits.length === 0) return []
  const updatedAt = app.clock.now()
  const changes = deposits.map((before) => {
    if (!NEXT[before.status].includes(to))
      throw new Error(`Deposit ${before.id} cannot go from ${before.status} to ${to}.`)
    return { before, after: { ...before, ...factsOf(before), status: to, sequence: before.sequence + 1, updatedAt } }
  })
  const events = await Promise.all(
    changes.map(async ({ after }) => ({
      merchantId: after.merchantId,
      transactionId: after.id,
      sequence: after.sequence,
      type: `deposit.${to}`,
      data: await depositView(app, after),
    })),
  )
  const [updated] = await Promise.all([
    updateStatuses(tx, changes),
    insertHistory(tx, changes),
    recordEvents(app, tx, events),
  ])
  if (updated !== changes.length) throw new Error('A deposit changed its status although its row was locked.')
  return changes.map(({ after }) => after)
}
