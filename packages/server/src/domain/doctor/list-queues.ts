import type { Db } from '../../platform/postgres/db.ts'
import { sumUnknown, sumUnsent, sumWithOpinions, totalsQueued } from '../withdrawals/index.ts'
import { countToMatch, countUnread } from '../statements/index.ts'
import { countWaiting, oldestUndelivered } from '../webhooks/index.ts'

/** What waits for workers, or for a bank. `lateMinutes`: from then on someone must look. `forPeople`: how many wait for people. */
export type Queue = { name: QueueName; count: number; oldest: Date | null; lateMinutes: number; forPeople: number }

export type QueueName =
  | ('lines_to_match' | 'unread_lines' | 'withdrawals_to_send')
  | ('payouts_to_submit' | 'unknown_payouts' | 'callbacks')

/** As the alerts of deploy/prometheus-rules.yml have them. */
const LATE_MINUTES: Record<QueueName, number> = {
  lines_to_match: 5,
  unread_lines: 0,
  withdrawals_to_send: 30,
  payouts_to_submit: 30,
  unknown_payouts: 60,
  callbacks: 60,
}

export async function listQueues({ db }: { db: Db }): Promise<Queue[]> {
  const { report } = db
  const queue = (name: QueueName, { count, oldest }: { count: number; oldest: Date | null }): Queue => {
    return { name, count, oldest: count === 0 ? null : oldest, lateMinutes: LATE_MINUTES[name], forPeople: 0 }
  }
  return [
    queue('lines_to_match', await countToMatch(report)),
    queue('unread_lines', await countUnread(report)),
    queue('withdrawals_to_send', sum(await totalsQueued(report))),
    queue('payouts_to_submit', sum(await sumUnsent(report))),
    {
      ...queue('unknown_payouts', sum(await sumUnknown(report))),
      forPeople: sum(await sumWithOpinions(db.pages)).count,
    },
    queue('callbacks', { count: await countWaiting(db.pages), oldest: await oldestUndelivered({ db }) }),
  ]
}

function sum(totals: { count: number; oldest: Date }[]): { count: number; oldest: Date | null } {
  const oldest = totals.map((total) => total.oldest).toSorted((a, b) => a.getTime() - b.getTime())
  return { count: totals.reduce((all, { count }) => all + count, 0), oldest: oldest[0] ?? null }
}
