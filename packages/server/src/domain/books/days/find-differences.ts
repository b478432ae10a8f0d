import type { Queryable } from '../../../platform/postgres/db.ts'
import type { DayWindow } from '../../ledger/index.ts'
import { cashAbout, NO_MERCHANT } from '../../ledger/index.ts'
import { decisionsOf } from '../../matching/index.ts'
import type { Payout } from '../../withdrawals/index.ts'
import { selectPayoutsById } from '../../withdrawals/index.ts'
import { partsAbout, linesOfMatters } from '../../statements/index.ts'
import type { Difference, Matter } from './difference.ts'
import { differenceAt, kindOf, otherDayOf } from './difference.ts'
import type { Closing, Key, StoredDifference } from './store.ts'
import { selectCandidates } from './store.ts'

/** Where bank and ledger differ on an account at the end of a day: each matter with all its lines and entries. */
export async function findDifferences(
  db: Queryable,
  accountId: string,
  window: DayWindow,
  last: { closing: Closing | null; accepted: StoredDifference[] },
): Promise<Difference[]> {
  const found = await relate(db, await selectCandidates(db, accountId, window, last.closing))
  const ids = [...found.merchantsOf.keys()]
  const keys = ids.flatMap((subjectId) =>
    [...(found.merchantsOf.get(subjectId) ?? [])].map((merchantId) => ({ merchantId, subjectId })),
  )
  const lines = Map.groupBy(await linesOfMatters(db, accountId, ids), ({ id }) => found.matterOf(id))
  const moves = Map.groupBy(await cashAbout(db, accountId, keys), ({ subjectId }) => found.matterOf(subjectId))
  const payouts = Map.groupBy(await selectPayoutsById(db, ids), ({ withdrawalId }) => found.matterOf(withdrawalId))
  const accepted = Map.groupBy(last.accepted, ({ subject }) => found.matterOf(subject))
  return [...new Set(ids.map(found.matterOf))].flatMap((id) => {
    const payout = payouts.get(id)?.[0]
    const matter = { lines: lines.get(id) ?? [], moves: moves.get(id) ?? [], payout }
    const amount = differenceAt(matter, window.until)
    if (amount === 0n) return []
    const known = accepted.get(id)?.some((one) => one.amount === amount)
    const kind = known ? 'accepted' : kindOf(matter, window.until, amount)
    return [{ ...nameOf(id, matter, payout), kind, amount, otherDay: otherDayOf(matter, window.until) }]
  })
}

function nameOf(id: string, { lines }: Matter, payout: Payout | undefined): Pick<Difference, 'subject' | 'merchantId'> {
  if (payout) return { subject: payout.withdrawalId, merchantId: payout.merchantId }
  return { subject: lines[0]?.id ?? id, merchantId: NO_MERCHANT }
}

/** Ids that are about the same matter: a line, what it is for, and what it was taken for before. */
async function relate(db: Queryable, candidates: Key[]) {
  const parents = new Map<string, string>()
  const merchantsOf = new Map<string, Set<string>>()
  const matterOf = (id: string): string => {
    const parent = parents.get(id) ?? id
    return parent === id ? id : matterOf(parent)
  }
  const add = (id: string, merchantId: string) => {
    const known = merchantsOf.get(id)
    if (known) known.add(merchantId)
    else merchantsOf.set(id, new Set([merchantId, NO_MERCHANT]))
    return known === undefined
  }
  let fresh = candidates.filter(({ subjectId, merchantId }) => add(subjectId, merchantId)).map((one) => one.subjectId)
  while (fresh.length > 0) {
    const parts = await partsAbout(db, fresh)
    const judged = (await decisionsOf(db, fresh)).flatMap(({ lineId, depositId: subject, merchantId }) =>
      subject !== null && merchantId !== null ? [{ lineId, subject, merchantId }] : [],
    )
    fresh = [...parts, ...judged].flatMap(({ lineId, subject, merchantId }) => {
      const added = [...(add(lineId, NO_MERCHANT) ? [lineId] : []), ...(add(subject, merchantId) ? [subject] : [])]
      parents.set(matterOf(subject), matterOf(lineId))
      return added
    })
  }
  return { matterOf, merchantsOf }
}
