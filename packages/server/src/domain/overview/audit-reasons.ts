import type { Queryable } from '../../platform/postgres/db.ts'
import { findEntry } from '../books/index.ts'
import { decisionsOf } from '../matching/index.ts'
import { findPayout, selectDoubtDecisions } from '../payouts/index.ts'
import { approvalsOf, findWithdrawalById, stopOf } from '../withdrawals/index.ts'

type Asked = { id: string; actor: string; state: unknown; number: unknown; verdict: unknown }
type Find = (db: Queryable, asked: Asked) => Promise<string | null | undefined>

/** Tables that keep what a person wrote, so that it can be erased. The audit names the table. */
const KEPT: Record<string, Find> = {
  'see doubt_decisions': async (db, { id, actor, verdict }) => {
    const payout = await findPayout(db, id)
    const said = payout ? await selectDoubtDecisions(db, payout) : []
    return said.findLast((one) => one.operator === actor && one.verdict === verdict)?.evidence
  },
  'see journal_entries': async (db, { id, state }) => {
    const entry = await findEntry(db, id)
    return state === 'rejected' || state === 'withdrawn' ? entry?.note : entry?.reason
  },
  'see match_decisions': async (db, { id, actor }) => {
    const own = (await decisionsOf(db, [id])).filter(({ decidedBy }) => decidedBy === actor)
    const written = own.flatMap(({ reasons }) => reasons as { field: string; verdict: string }[])
    return written.find(({ field }) => field === 'why')?.verdict
  },
  'see withdrawal_stops': async (db, { id }) => {
    const withdrawal = await findWithdrawalById(db, id)
    return withdrawal && (await stopOf(db, withdrawal))?.reason
  },
  'see withdrawal_approvals': async (db, { id, actor, number }) => {
    const withdrawal = await findWithdrawalById(db, id)
    const given = withdrawal ? await approvalsOf(db, [withdrawal]) : []
    return given.find((one) => one.operator === actor && one.number === (number ?? 1))?.note
  },
}

type Entry = { number: number; actor: string; subject: string; after: unknown; reason: string | null }

/** What people wrote, by the number of the entry; null if it is kept where no page shows it. */
export async function writtenReasons(db: Queryable, entries: Entry[]): Promise<Map<number, string | null>> {
  const found = new Map<number, string | null>()
  for (const { number, actor, subject, after, reason } of entries) {
    const find = KEPT[reason ?? '']
    const [, id = ''] = subject.split(':')
    const { state, number: turn, verdict } = (after ?? {}) as { state?: unknown; number?: unknown; verdict?: unknown }
    if (find) found.set(number, (await find(db, { id, actor, state, number: turn, verdict })) ?? null)
    else found.set(number, reason !== null && /^see [a-z_]+$/.test(reason) ? null : reason)
  }
  return found
}
