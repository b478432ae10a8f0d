/** `todo` on a check that is ok makes it a warning. */
export type Check = { check: string; ok: boolean; found: string; todo?: string }

export function judge(check: string, ok: boolean, found: string, todo: string): Check {
  return { check, ok, found, ...(!ok && { todo }) }
}

/** Something to look at that is no failure. */
export function warn(check: string, fine: boolean, found: string, todo: string): Check {
  return { check, ok: true, found, ...(!fine && { todo }) }
}
