import type { Queryable } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { isOurs, parsed } from './audit-marks.ts'
import type { AuditFilter as StoreFilter, ChainedEntry } from './store.ts'
import { selectEntries, selectEntry, selectHead, selectState } from './store.ts'

export { compareHeads, openHeadWriter } from './outside-heads.ts'
export { openAudit } from './record-audit.ts'
export type { Audit } from './record-audit.ts'
export { checkChain, verifyChain } from './verify-chain.ts'
export { selectAudited as auditedOf } from './store.ts'

/** `subjects`: about any of these, instead of `subject`. */
export type AuditFilter = StoreFilter & { subjects?: string[] | undefined }

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
  const { subjects, ...rest } = filter
  if (!subjects) return (await selectEntries(db, rest, limit)).map(shown)
  const lists = await Promise.all(subjects.map((subject) => selectEntries(db, { ...rest, subject }, limit)))
  const newestFirst = (a: ChainedEntry, b: ChainedEntry) => (a.at === b.at ? b.number - a.number : a.at < b.at ? 1 : -1)
  return lists.flat().toSorted(newestFirst).slice(0, limit).map(shown)
}

export async function showAudit(db: Queryable, number: number): Promise<AuditEntry> {
  const entry = await selectEntry(db, number)
  if (!entry) throw refuse('audit_entry_unknown', { number: String(number) })
  return shown(entry)
}

/** Numbers of those that the service did not write, or wrote before there were marks. */
export async function notVerified(marks: Marks, entries: AuditEntry[]): Promise<Set<number>> {
  const ours = await Promise.all(entries.map((entry) => isOurs(marks, entry)))
  return new Set(entries.filter((_, index) => !ours[index]).map(({ number }) => number))
}

/** The newest entry, the last verification, and the last head that was written outside. */
export async function auditState(db: Queryable) {
  const { number, hash } = await selectHead(db)
  return { ...(await selectState(db)), head: { number, hash: hash.toString('hex') } }
}

function shown({ previousHash, hash, ...entry }: ChainedEntry): AuditEntry {
  return { ...parsed(entry), previousHash: previousHash.toString('hex'), hash: hash.toString('hex') }
}
