/** The only source of time. Code asks a clock; only the composition root knows which one. */
export type Clock = { now: () => Date }

export const realClock: Clock = { now: () => new Date() }

export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1000)
}
