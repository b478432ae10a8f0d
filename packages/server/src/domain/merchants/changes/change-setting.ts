import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Authority } from '../../people/index.ts'
import { authorized, lockActive } from '../../people/index.ts'
import { mustFind } from '../find-merchants.ts'
import type { MerchantRow } from '../store.ts'
import { lockMerchant } from '../store.ts'
import { isSame, plain, recordChange } from './record-change.ts'
import type { Setting } from './store.ts'
import { changesOf } from './store.ts'

export type SettingDeps = Authority & { db: Db; clock: Clock }

type Change<Value> = {
  what: Setting
  /** The value of the setting. */
  of: (merchant: MerchantRow) => Value
  write: (tx: Tx, before: Value) => Promise<void>
  /** Of settings that users of the merchant may change too. */
  action?: 'merchant.networks'
}

/** Changes a setting and records who changed it, from what and to what. Changes of one merchant follow each other. */
export function changeSetting<Value>(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  { what, of, write, action }: Change<Value>,
): Promise<Value> {
  return authorized(
    app,
    actor,
    action ?? 'merchant.settings',
    async (tx, audit) => {
      await lockMerchant(tx, merchantId)
      const before = of(await mustFind(tx, merchantId))
      await write(tx, before)
      const after = of(await mustFind(tx, merchantId))
      if (!isSame(before, after)) await recordChange(app, tx, actor, merchantId, { what, before, after })
      await audit(`merchant:${merchantId}`, { before: { [what]: before }, after: { [what]: after } })
      return after
    },
    action ? { usersOf: merchantId } : {},
  )
}

const PROPOSAL_MS = 86_400_000

type Proposal = { what: 'payout_rules' | 'settlement_account'; before: unknown; after: unknown }

/**
 * Another person, who may still decide, and who has proposed the same within a day and since it was last changed; null if
 * there is none, and then the proposal is recorded. The caller has locked the merchant.
 */
export async function firstProposer(
  app: SettingDeps,
  tx: Tx,
  actor: Actor,
  merchantId: string,
  { what, before, after }: Proposal,
): Promise<string | null> {
  const changes = await changesOf(tx, merchantId)
  const since = changes.slice(changes.findLastIndex((one) => one.what === what) + 1)
  const oldest = new Date(app.clock.now().getTime() - PROPOSAL_MS)
  const same = since.filter(
    (one) => one.what === `${what}_proposed` && one.changedAt >= oldest && isSame(one.after, plain(after)),
  )
  const changedBy = actorName(actor)
  const others = same.flatMap((one) => (one.changedBy === changedBy ? [] : one.changedBy))
  const [first] = await lockActive(tx, others)
  if (first !== undefined) return first
  if (same.length === others.length)
    await recordChange(app, tx, actor, merchantId, { what: `${what}_proposed`, before, after })
  return null
}
