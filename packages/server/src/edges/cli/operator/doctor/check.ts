/** `todo` on a check that is ok makes it a warning. */
export type Check = { check: string; ok: boolean; found: string; todo?: string }

export function judge(check: string, ok: boolean, found: string, todo: string): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}

const MINUTE_MS = 60_000

/** Never negative: after the clock of a sandbox was set back, what was written in travelled time is from a later hour. */
export function minutesSince(then: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - then.getTime()) / MINUTE_MS))
}

/** Something to look at that is no failure. */
export function warn(check: string, fine: boolean, found: string, todo: string): Check {
  return { check, ok: true, found, ...(!fine && { todo }) }
}
