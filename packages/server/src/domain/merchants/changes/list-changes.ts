import type { Queryable } from '../../../platform/postgres/db.ts'
import { listAudit } from '../../audit/index.ts'
import { selectEndpointIds } from '../endpoints/store.ts'

/** Of the history: a merchant has about ten a year. */
const MOST = 1000

const subjectOf = (merchantId: string) => `merchant:${merchantId}`

/** `before` and `after` have the fields that changed, amounts as text. */
export type MerchantChange = { what: string; changedBy: string; before: unknown; after: unknown; changedAt: Date }

/** Every decision about the merchant and its endpoints, oldest first. */
export async function changesOf(db: Queryable, merchantId: string): Promise<MerchantChange[]> {
  const endpoints = await selectEndpointIds(db, merchantId)
  const subjects = [subjectOf(merchantId), ...endpoints.map((id) => `endpoint:${id}`)]
  const entries = await listAudit(db, { subjects }, MOST)
  return entries.toReversed().map(({ action, actor, before, after, at }) => {
    return { what: action, changedBy: actor, before, after, changedAt: new Date(at) }
  })
}

/** Number of the newest decision about the merchant: what a page showed is current while it is the same. */
export async function newestChange(db: Queryable, merchantId: string): Promise<number> {
  const [newest] = await listAudit(db, { subject: subjectOf(merchantId) }, 1)
  return newest?.number ?? 0
}

export type Freeze = { frozen: boolean; decidedBy: string; reason: string; decidedAt: Date }

/** Freezes and their ends, oldest first. */
export async function freezesOf(db: Queryable, merchantId: string): Promise<Freeze[]> {
  const entries = await listAudit(db, { subject: subjectOf(merchantId), action: 'merchant.freeze' }, MOST)
  // Who proposes what is so already leaves an entry, too.
  return entries.toReversed().flatMap(({ after, actor, reason, at }) => {
    const { frozen } = after as Partial<Freeze>
    return frozen === undefined ? [] : { frozen, decidedBy: actor, reason: reason ?? '', decidedAt: new Date(at) }
  })
}

/** Rotations of the API secret, newest first. */
export async function rotationsOf(db: Queryable, merchantId: string, since: Date, limit: number) {
  const entries = await listAudit(db, { subject: subjectOf(merchantId), action: 'key.rotate', since }, limit)
  return entries.map(({ actor, at }) => ({ changedBy: actor, changedAt: new Date(at) }))
}
