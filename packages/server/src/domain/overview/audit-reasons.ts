import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { findProposal } from '../proposals/index.ts'
import { decisionsOf } from '../matching/index.ts'
import type { DoubtDecision, Reader } from '../withdrawals/index.ts'
import {
  findingsAbout,
  findPayout,
  hiddenFindings,
  selectDoubtDecisions,
  findWithdrawalById,
  stopOf,
} from '../withdrawals/index.ts'

type Asked = { id: string; actor: string; number: unknown; verdict: unknown; state: unknown }
type Find = (db: Queryable, asked: Asked) => Promise<string | null | undefined>

const FINDINGS = 'see doubt_decisions'

function findingIn(said: DoubtDecision[], { actor, verdict, number }: Pick<Asked, 'actor' | 'verdict' | 'number'>) {
  return said.find((one) => one.operator === actor && one.verdict === verdict && one.number === number)
}

/** Tables that keep what a person wrote, so that it can be erased. The audit names the table. */
const KEPT: Record<string, Find> = {
  [FINDINGS]: async (db, asked) => {
    const payout = await findPayout(db, asked.id)
    return findingIn(payout ? await selectDoubtDecisions(db, payout) : [], asked)?.evidence
  },
  'see match_decisions': async (db, { id, actor }) => {
    const own = (await decisionsOf(db, [id])).filter(({ decidedBy }) => decidedBy === actor)
    const written = own.flatMap(({ reasons }) => reasons as { field: string; verdict: string }[])
    return written.find(({ field }) => field === 'why')?.verdict
  },
  'see withdrawals': async (db, { id }) => {
    const withdrawal = await findWithdrawalById(db, id)
    return withdrawal && (await stopOf(db, withdrawal))?.reason
  },
  'see proposals': async (db, { id, state }) => {
    const request = await findProposal(db, id)
    return state === 'proposed' ? request?.reason : request?.note
  },
}

/** Numbers of entries about findings that the reader must not see yet. */
export async function hiddenEntries(
  app: { marks: Marks },
  db: Queryable,
  entries: Entry[],
  reader: Reader,
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const { number, actor, subject, after, reason } of entries) {
    if (reason !== FINDINGS) continue
    const payout = await findPayout(db, subject.split(':')[1] ?? '')
    if (!payout) continue
    // Marks count for one who may have reported. A database role for reports cannot read their key.
    const said = reader ? (await findingsAbout(app, db, payout)).said : await selectDoubtDecisions(db, payout)
    const word = findingIn(said, { actor, ...turnOf(after) })
    if (word && (await hiddenFindings(db, payout, said, reader)).has(word)) found.add(number)
  }
  return found
}

const turnOf = (after: unknown) => {
  const { number, verdict, state } = (after ?? {}) as Partial<Asked>
  return { number, verdict, state }
}

type Entry = { number: number; actor: string; subject: string; after: unknown; reason: string | null }

/** What people wrote, by the number of the entry; null if it is kept where no page shows it. */
export async function writtenReasons(db: Queryable, entries: Entry[]): Promise<Map<number, string | null>> {
  const found = new Map<number, string | null>()
  for (const { number, actor, subject, after, reason } of entries) {
    const find = KEPT[reason ?? '']
    const [, id = ''] = subject.split(':')
    if (find) found.set(number, (await find(db, { id, actor, ...turnOf(after) })) ?? null)
    else found.set(number, reason !== null && /^see [a-z_]+$/.test(reason) ? null : reason)
  }
  return found
}
