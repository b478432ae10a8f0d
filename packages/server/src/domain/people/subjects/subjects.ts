import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Claim } from './store.ts'
import { updateDecided } from '../proposals/store.ts'
import { deleteSubjects, insertSubjects, selectClaims } from './store.ts'

type Deps = { clock: Clock }

/** At most one open proposal about a subject, of whatever kind. Of two at once, the index lets one through. */
export async function claimSubjects({ clock }: Deps, tx: Tx, claim: Claim, subjects: string[]): Promise<void> {
  const now = clock.now()
  const held = await insertSubjects(tx, claim, subjects, now)
  if (held.length === 0) return
  const [holder] = await selectClaims(tx, held, now)
  throw isOpen(holder)
}

/** Refuses while a proposal about one of these subjects waits for another person. */
export async function mustBeFree({ clock }: Deps, db: Queryable, subjects: string[]): Promise<void> {
  const [holder] = await selectClaims(db, subjects, clock.now())
  if (holder) throw isOpen(holder)
}

/** Id of the open proposal about it. */
export async function proposalAbout({ clock }: Deps, db: Queryable, subject: string): Promise<string | null> {
  const [holder] = await selectClaims(db, [subject], clock.now())
  return holder?.proposalId ?? null
}

/** Ends the open proposal about what has ended itself. The caller has locked the subject: whoever proposes or approves locks it first. */
export async function endProposals({ clock }: { clock: Clock }, tx: Tx, subject: string): Promise<void> {
  const now = clock.now()
  for (const { proposalId } of await selectClaims(tx, [subject], now)) {
    await updateDecided(tx, proposalId, { state: 'expired', decidedBy: null, note: null, kept: null }, now)
    await deleteSubjects(tx, proposalId)
  }
}

/** Those of these that an open proposal is about. */
export async function heldSubjects({ clock }: Deps, db: Queryable, subjects: string[]): Promise<Set<string>> {
  return new Set((await selectClaims(db, subjects, clock.now())).map(({ subject }) => subject))
}

/** Ended in this moment, if it is not known. */
function isOpen(holder: (Claim & { subject: string }) | undefined) {
  if (holder === undefined) return refuse('proposal_just_ended')
  const { subject, proposedBy, proposalId: proposal, kind } = holder
  return refuse('proposal_open', { subject, proposedBy, proposal, kind })
}

/** What a line, a deposit and so on are called in the list of subjects. */
export const lineSubject = (lineId: string) => `line:${lineId}`
export const daySubject = (day: string) => `day:${day}`
export const withdrawalSubject = (withdrawalId: string) => `withdrawal:${withdrawalId}`
