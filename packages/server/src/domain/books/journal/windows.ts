/** How long an equal amount alone says something. */
export const NEAR_MS = 48 * 3_600_000

/** How long money takes to come back, over weekends and holidays: something more than the amount shows it. */
export const BACK_MS = 30 * 86_400_000
