import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** An open proposal, and until when it holds what it is about. */
export type Claim = { proposalId: string; kind: string; proposedBy: string; until: Date | null }

/** Returns those that another open proposal holds. One that has expired makes room. */
export async function insertSubjects(tx: Tx, claim: Claim, subjects: string[], now: Date): Promise<string[]> {
  const { proposalId, kind, proposedBy, until } = claim
  await tx.query(sql`
    delete from proposal_subjects where subject = any(${subjects}::text[]) and open_until < ${now}`)
  const rows = await tx.query<{ subject: string }>(sql`
    insert into proposal_subjects (subject, proposal_id, kind, proposed_by, open_until)
    select subject, ${proposalId}, ${kind}, ${proposedBy}, ${until}
    from unnest(${subjects}::text[]) as subject order by subject
    on conflict do nothing returning subject`)
  const claimed = new Set(rows.map(({ subject }) => subject))
  return subjects.filter((subject) => !claimed.has(subject))
}

/** Of proposals that have expired. */
export async function deleteOutdated(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`delete from proposal_subjects where open_until < ${now}`)
}

export async function deleteSubjects(tx: Tx, proposalId: string): Promise<void> {
  await tx.query(sql`delete from proposal_subjects where proposal_id = ${proposalId}`)
}

/** The open proposals about these subjects. */
export function selectClaims(db: Queryable, subjects: string[], now: Date): Promise<(Claim & { subject: string })[]> {
  return db.query<Claim & { subject: string }>(sql`
    select subject, proposal_id as "proposalId", kind, proposed_by as "proposedBy", open_until as until
    from proposal_subjects
    where subject = any(${subjects}::text[]) and (open_until is null or open_until >= ${now}) order by subject`)
}
