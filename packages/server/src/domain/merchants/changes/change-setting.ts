import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import { mustFind } from '../find-merchants.ts'
import { inForce, isMarked, markSetting } from '../settings-in-force.ts'
import type { MerchantRow } from '../store.ts'
import { lockMerchant } from '../store.ts'

export type SettingDeps = Authority & { db: Db; clock: Clock }

type Change<Value> = {
  what: string
  /** The value of the setting. */
  of: (merchant: MerchantRow) => Value
  write: (tx: Tx, before: Value) => Promise<void>
  /** Of settings that users of the merchant may change too. */
  action?: 'merchant.networks' | 'merchant.brand'
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
      const before = of(await inForce(app.marks, await mustFind(tx, merchantId)))
      await write(tx, before)
      const row = await mustFind(tx, merchantId)
      if (isMarked(what)) await markSetting(app.marks, tx, row, what)
      const after = of(row)
      await audit(`merchant:${merchantId}`, { before: { [what]: before }, after: { [what]: after } })
      return after
    },
    action ? { usersOf: merchantId } : {},
  )
}
