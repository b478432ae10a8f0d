import type { Actor } from '../../../kernel/actor.ts'
import { istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { authorized } from '../../people/index.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { isSame, recordChange } from '../changes/record-change.ts'
import { mustFind } from '../find-merchants.ts'
import { lockMerchant } from '../store.ts'
import type { Schedule } from './store.ts'
import { findSchedule, findSettlementAccount, upsertSchedule } from './store.ts'

/** It begins with the next time after now. */
export function setSettlementSchedule(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  schedule: Schedule,
): Promise<void> {
  return authorized(app, actor, 'settlement.schedule', async (tx, audit) => {
    await lockMerchant(tx, merchantId)
    await mustFind(tx, merchantId)
    if (schedule.every !== 'off' && !(await findSettlementAccount(tx, merchantId))) throw noAccount(merchantId)
    const before = await findSchedule(tx, merchantId)
    await audit(`merchant:${merchantId}`, { before, after: schedule })
    if (isSame(before, schedule)) return
    await upsertSchedule(tx, merchantId, schedule, app.clock.now())
    await recordChange(app, tx, actor, merchantId, { what: 'settlement_schedule', before, after: schedule })
  })
}

export function noAccount(merchantId: string): Refusal {
  return new Refusal(
    'INVALID_STATE',
    `The merchant has no account to settle to. Two people register one: vezne merchant settlement-account ${merchantId} --iban … --title …`,
  )
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The day of the latest scheduled time up to now; null if the schedule was set after it. */
export function dueDay({ every, weekday, minute, setAt }: Schedule & { setAt: Date }, now: Date): string | null {
  const local = istanbul(now)
  let day = Date.parse(local.day) - (local.minutes < minute ? DAY_MS : 0)
  while (every === 'week' && (new Date(day).getUTCDay() || 7) !== weekday) day -= DAY_MS
  const due = new Date(day).toISOString().slice(0, 10)
  return startOfDay(due).getTime() + minute * MINUTE_MS >= setAt.getTime() ? due : null
}
