import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { lockMerchant } from '../store.ts'
import type { Setting } from './store.ts'
import { insertChange } from './store.ts'

/** Who changed it, from what and to what. Locks the merchant, so that changes are numbered without gaps. */
export async function recordChange(
  { clock }: { clock: Clock },
  tx: Tx,
  actor: Actor,
  merchantId: string,
  { what, before, after }: { what: Setting; before: unknown; after: unknown },
): Promise<void> {
  await lockMerchant(tx, merchantId)
  const record = { what, changedBy: actorName(actor), before: plain(before), after: plain(after) }
  await insertChange(tx, merchantId, { ...record, changedAt: clock.now() })
}

/** As it is stored: JSON has no bigint. */
function plain(value: unknown): unknown {
  return JSON.parse(toJson(value))
}

export function isSame(one: unknown, other: unknown): boolean {
  return toJson(one) === toJson(other)
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
}
