import type { Actor } from '../../kernel/actor.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { listAudit } from '../audit/index.ts'
import type { Authority } from './authorize.ts'
import { authorizedByName } from './authorize.ts'

/** What personal data of a transaction or a bank line is looked at for. */
export const REVEAL_REASONS = [
  'customer_asks',
  'payment_sought',
  'bank_asked',
  'fraud_suspected',
  'required_by_law',
] as const
export type RevealReason = (typeof REVEAL_REASONS)[number]

/** Long enough to compare or to telephone. */
const REVEAL_SECONDS = 600
/** More than a person opens in that time. */
const MAX_REVEALED = 200

/** Who looks at what, and why, is in the audit; the data itself is not. `beside`: what is shown with the subject, to compare. */
export async function revealData(
  app: Authority & { db: Db },
  actor: Actor,
  subject: string,
  { reason, note, beside = [] }: { reason: string; note: string; beside?: string[] },
): Promise<void> {
  const known = REVEAL_REASONS.find((one) => one === reason)
  if (!known) throw refuseField('reason', 'not_one_of', { known: REVEAL_REASONS })
  const text = note.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')
  mustGiveReason('note', text)
  await authorizedByName(app, actor, 'data.reveal', (_tx, audit) =>
    audit(subject, { after: { reason: known, ...(beside.length > 0 && { beside }) }, reason: text }),
  )
}

/** What the person of this name may look at now, and until when, by subject. */
export async function revealedTo(
  { db, clock }: { db: Queryable; clock: Clock },
  name: string,
): Promise<ReadonlyMap<string, Date>> {
  const since = new Date(clock.now().getTime() - REVEAL_SECONDS * 1000)
  const entries = (await listAudit(db, { actor: name, action: 'data.reveal', since }, MAX_REVEALED)).toReversed()
  const untilOf = (at: string) => new Date(Date.parse(at) + REVEAL_SECONDS * 1000)
  return new Map(
    entries.flatMap(({ subject, after, at }) => {
      const { beside = [] } = after as { beside?: string[] }
      return [subject, ...beside].map((one) => [one, untilOf(at)] as const)
    }),
  )
}
