/** Every figure of a day by its name, as people agreed to it. */
export type Figures = Record<string, string>

/** `before` or `now` is null if the day had, or has, no such figure. */
export type ChangedFigure = { name: string; before: string | null; now: string | null }

export function changedFigures(before: Figures, now: Figures): ChangedFigure[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name])
  return names.toSorted().map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
}
