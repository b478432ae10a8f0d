/** How often the machine is asked; a timer that is late by less says nothing. */
const EVERY_MS = 20

export type Lateness = {
  /** For how long, between two times of `performance.now()`, this process got no processor. */
  within: (from: number, to: number) => number
  stop: () => void
}

/** Measures how late the machine is, so that a limit of time does not depend on what else runs on it. */
export function watchLateness(): Lateness {
  const stalls: { from: number; to: number }[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - last > 2 * EVERY_MS) stalls.push({ from: last + EVERY_MS, to: now })
    last = now
  }, EVERY_MS)
  return {
    within: (from, to) =>
      stalls.reduce((sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)), 0),
    stop: () => clearInterval(timer),
  }
}
