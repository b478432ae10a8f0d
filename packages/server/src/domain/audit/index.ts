import type { Queryable } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AuditFilter, ChainedEntry } from './store.ts'
import { selectEntries, selectEntry, selectHead, selectState } from './store.ts'

export { checkChain } from './check-chain.ts'
export { compareHeads, openHeadWriter } from './outside-heads.ts'
export { openAudit } from './record-audit.ts'
export type { Audit } from './record-audit.ts'
export { verifyChain } from './verify-chain.ts'
export type { AuditFilter } from './store.ts'

/** As it is shown. */
export type AuditEntry = Omit<ChainedEntry, 'before' | 'after' | 'origin' | 'previousHash' | 'hash'> & {
  before: unknown
  after: unknown
  origin: Record<string, string>
  previousHash: string
  hash: string
}

/** Newest first. */
export async function listAudit(db: Queryable, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  return (await selectEntries(db, filter, limit)).map(shown)
}

export async function showAudit(db: Queryable, number: number): Promise<AuditEntry> {
  const entry = await selectEntry(db, number)
  if (!entry) throw new Refusal('NOT_FOUND', `There is no audit entry ${number}. See: vezne audit list`)
  return shown(entry)
}

/** The newest entry, the last verification, and the last head that was written outside. */
export async function auditState(db: Queryable) {
  const { number, hash } = await selectHead(db)
  return { ...(await selectState(db)), head: { number, hash: hash.toString('hex') } }
}

function shown({ before, after, origin, previousHash, hash, ...entry }: ChainedEntry): AuditEntry {
  return {
    ...entry,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
    origin: JSON.parse(origin) as Record<string, string>,
    previousHash: previousHash.toString('hex'),
    hash: hash.toString('hex'),
  }
}
