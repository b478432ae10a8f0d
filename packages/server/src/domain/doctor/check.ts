/** A check that is ok but has a `todo` is a warning. */
export type Check = { check: string; ok: boolean; found: string; todo?: string }

export function judge(check: string, ok: boolean, found: string, todo: string): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}

const MINUTE_MS = 60_000

/** Never negative: after a sandbox clock is set back, rows written before that have later timestamps. */
export function minutesSince(then: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - then.getTime()) / MINUTE_MS))
}

/** Needs attention but is not a failure. */
export function warn(check: string, fine: boolean, found: string, todo: string): Check {
  return { check, ok: true, found, ...(!fine && { todo }) }
}
