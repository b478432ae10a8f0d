/** The most that is allowed, null for no limit; or a list of what is allowed. */
type Allowed = bigint | number | null | readonly string[]

/** Whether a change allows more than before: that takes two people. One person tightens at once. */
export function loosens(before: Readonly<Record<string, Allowed>>, after: Readonly<Record<string, Allowed>>): boolean {
  return Object.entries(after).some(([name, value]) => allowsMore(before[name] ?? null, value))
}

function allowsMore(before: Allowed, after: Allowed): boolean {
  if (isList(after)) return after.some((one) => !isList(before) || !before.includes(one))
  return before !== null && !isList(before) && (after === null || after > before)
}

const isList = (value: Allowed): value is readonly string[] => Array.isArray(value)
