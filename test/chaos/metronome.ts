export type Metronome = { beat: () => Promise<void>; stop: () => void }

/**
 * For a programme that measures others: it looks at a steady pace, because looking again and again without one would take the
 * machine from those whose time counts.
 */
export function startMetronome(everyMs: number): Metronome {
  let waiting: (() => void)[] = []
  const timer = setInterval(() => {
    const now = waiting
    waiting = []
    now.forEach((resolve) => resolve())
  }, everyMs)
  return {
    beat: () => new Promise((resolve) => void waiting.push(resolve)),
    stop: () => clearInterval(timer),
  }
}
