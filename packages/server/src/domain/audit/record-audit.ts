import type { Actor } from '../../kernel/actor.ts'
import { actorName } from '../../kernel/actor.ts'
import { maskIbans } from '../../kernel/iban.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { auditMark, parsed } from './audit-marks.ts'
import { insertPending } from './store.ts'

/**
 * `before` and `after`: the fields that changed, small; no secret and no name of a customer. `reason`: the person's words, unless another
 * table keeps them where they can be erased; then `see` and that table.
 */
type Audited = { before?: unknown; after?: unknown; reason?: string | null }

/** Records the decision about `subject` (kind:id). It is chained when the transaction commits. */
export type Audit = (subject: string, what?: Audited) => Promise<void>

type Deps = { clock: Clock; marks: Marks }

/** A merchant's own call is no decision of people: it leaves no entry. */
export function openAudit({ clock, marks }: Deps, tx: Tx, actor: Actor, action: string): Audit {
  return async (subject, { before, after, reason = null } = {}) => {
    if (actor.kind === 'merchant') return
    const entry = {
      at: clock.now(),
      actor: actorName(actor),
      action,
      subject,
      before: toJson(before),
      after: toJson(after),
      reason: reason === null ? null : maskIbans(reason.trim()),
      origin: JSON.stringify(actor.origin ?? {}),
    }
    await insertPending(tx, { ...entry, mark: await auditMark(marks, parsed(entry)) })
  }
}

function toJson(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return maskIbans(JSON.stringify(value, (_, part: unknown) => storable(part)))
}

/** JSON has no bigint: amounts are text. PostgreSQL refuses half characters and NUL. */
function storable(part: unknown): unknown {
  if (typeof part === 'bigint') return String(part)
  return typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '') : part
}
