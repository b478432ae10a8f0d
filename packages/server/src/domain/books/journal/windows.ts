import { DAY_MS, HOUR_MS } from '../../../platform/time/clock.ts'

/** How long an equal amount alone says something. */
export const NEAR_MS = 48 * HOUR_MS

/** How long money takes to come back, over weekends and holidays: something more than the amount shows it. */
export const BACK_MS = 30 * DAY_MS
