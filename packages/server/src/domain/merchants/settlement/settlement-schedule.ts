import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../kernel/actor.ts'
import { addDays, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { MINUTE_MS } from '../../../platform/time/clock.ts'
import { authorized } from '../../people/index.ts'
import type { SettingDeps } from '../changes/change-setting.ts'
import { mustFind } from '../find-merchants.ts'
import { lockMerchant, updateSchedule } from '../store.ts'
import type { Schedule, SetSchedule } from '../store.ts'
import { findSettlementAccount } from './registered-account.ts'
import { findSchedule, findSetSchedule } from './store.ts'

/** It begins with the next time after now. `seen`: of when the one is that the person saw, null for none; refused if another is in force. */
export function setSettlementSchedule(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  schedule: Schedule,
  seen?: Date | null,
): Promise<void> {
  return authorized(app, actor, 'settlement.schedule', async (tx, audit) => {
    await lockMerchant(tx, merchantId)
    await mustFind(tx, merchantId)
    const account = await findSettlementAccount({ db: tx, marks: app.marks }, merchantId)
    if (schedule.every !== 'off' && !account) throw noAccount(merchantId)
    const set = await findSetSchedule(tx, merchantId)
    if (seen !== undefined && seen?.getTime() !== set?.setAt.getTime()) throw refuse('settlement_schedule_changed')
    const before = await findSchedule(tx, merchantId)
    await audit(`merchant:${merchantId}`, { before, after: schedule })
    if (!isDeepStrictEqual(before, schedule)) await updateSchedule(tx, merchantId, schedule, app.clock.now())
  })
}

export function noAccount(merchantId: string): Refusal {
  return refuse('settlement_account_missing', { merchant: merchantId })
}

/** The day of the latest scheduled time up to now; null if the schedule was set after it. */
export function dueDay(schedule: SetSchedule, now: Date): string | null {
  const local = istanbul(now)
  const due = dayFrom(schedule, addDays(local.day, local.minutes < schedule.minute ? -1 : 0), -1)
  return timeOn(schedule, due).getTime() >= schedule.setAt.getTime() ? due : null
}

/** The first scheduled time after now; null if there is none. */
export function nextTime(schedule: Schedule, now: Date): Date | null {
  if (schedule.every === 'off') return null
  const local = istanbul(now)
  return timeOn(schedule, dayFrom(schedule, addDays(local.day, local.minutes < schedule.minute ? 0 : 1), 1))
}

export function timeOn({ minute }: Schedule, day: string): Date {
  return new Date(startOfDay(day).getTime() + minute * MINUTE_MS)
}

/** This day, or the first one before (-1) or after it (1) that is the weekday of the schedule. */
function dayFrom({ every, weekday }: Schedule, first: string, step: 1 | -1): string {
  let day = first
  while (every === 'week' && (new Date(day).getUTCDay() || 7) !== weekday) day = addDays(day, step)
  return day
}
