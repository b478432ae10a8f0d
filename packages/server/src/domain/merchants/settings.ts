import type { Actor } from '../../kernel/actor.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import { loosens, mustBeApproved } from '../people/index.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { checkOrigins } from './create-merchant.ts'
import type { MatchingRules, PayoutRules } from './policies.ts'
import { matchingAllows, payoutRulesInForce } from './policies.ts'
import {
  updateEftDeadline,
  updateMatching,
  updateMaxOpenDeposits,
  updatePayoutRules,
  updateRefundsCharged,
  updateReturnOrigins,
} from './store.ts'

/** In live it takes two people to let more money match, or one person match larger amounts by hand. */
export function setMatching(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: Partial<MatchingRules>,
): Promise<MatchingRules> {
  return changeSetting(app, actor, merchantId, {
    what: 'matching',
    of: ({ matching }) => matching,
    async write(tx, before) {
      const after = { ...before, ...change }
      if (loosens(matchingAllows(before, app), matchingAllows(after, app))) mustBeApproved(app)
      await updateMatching(tx, merchantId, after)
    },
  })
}

/**
 * Returns the rules in force. In live one person makes them stricter; to raise or lift one takes two, or one person could
 * lift a rule, pay, and set it back.
 */
export function setPayoutRules(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: Partial<PayoutRules>,
): Promise<PayoutRules> {
  return changeSetting(app, actor, merchantId, {
    what: 'payout_rules',
    of: ({ payoutRules }) => payoutRules,
    async write(tx, before) {
      const after = { ...before, ...change }
      if (loosens(payoutRulesInForce(before, app), payoutRulesInForce(after, app))) mustBeApproved(app)
      await updatePayoutRules(tx, merchantId, after)
    },
  })
}

/** More than any merchant has concurrent customers. */
const MAX_OPEN = 1_000_000

export async function setMaxOpenDeposits(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  max: number,
): Promise<void> {
  if (!Number.isInteger(max) || max < 1 || max > MAX_OPEN)
    throw refuseField('openDeposits', 'setting_out_of_range', { least: 1, most: MAX_OPEN })
  await changeSetting(app, actor, merchantId, {
    what: 'max_open_deposits',
    of: ({ maxOpenDeposits }) => maxOpenDeposits,
    async write(tx, before) {
      if (loosens({ max: before }, { max })) mustBeApproved(app)
      await updateMaxOpenDeposits(tx, merchantId, max)
    },
  })
}

const MAX_EFT_HOURS = 48

/** Null: a deposit that needs EFT expires as any other. */
export async function setEftDeadline(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  hours: number | null,
): Promise<number | null> {
  if (hours !== null && (!Number.isInteger(hours) || hours < 1 || hours > MAX_EFT_HOURS))
    throw refuseField('eftHours', 'setting_out_of_range', { least: 1, most: MAX_EFT_HOURS })
  return changeSetting(app, actor, merchantId, {
    what: 'eft_deadline',
    of: ({ eftDeadlineHours }) => eftDeadlineHours,
    write: (tx) => updateEftDeadline(tx, merchantId, hours),
  })
}

export async function setRefundsCharged(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  charged: boolean,
): Promise<void> {
  await changeSetting(app, actor, merchantId, {
    what: 'refunds_charged',
    of: ({ refundsCharged }) => refundsCharged,
    async write(tx) {
      mustBeApproved(app)
      await updateRefundsCharged(tx, merchantId, charged)
    },
  })
}

export async function setReturnOrigins(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  origins: string[],
): Promise<void> {
  checkOrigins(origins)
  await changeSetting(app, actor, merchantId, {
    what: 'return_origins',
    of: ({ returnOrigins }) => returnOrigins,
    write: (tx) => updateReturnOrigins(tx, merchantId, origins),
  })
}
