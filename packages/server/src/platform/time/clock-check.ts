import type { BusinessClock } from './business-clock.ts'
import type { Log } from '../log.ts'

/** More than any network and any working NTP make of it. */
const TOLERATED_SECONDS = 5

/** How far the machine's clock is from the database's, and whether that is too far to work by. */
export function clockOffset(clock: Pick<BusinessClock, 'machineAheadMs'>): { seconds: number; tolerated: boolean } {
  const seconds = Math.round(clock.machineAheadMs()) / 1000
  return { seconds, tolerated: Math.abs(seconds) <= TOLERATED_SECONDS }
}

export function describeOffset(seconds: number): string {
  return `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`
}

/** Says whether work may be done; logs when that changes. */
export function watchClock({ clock, log }: { clock: Pick<BusinessClock, 'machineAheadMs'>; log: Log }): () => boolean {
  let worked = true
  return () => {
    const { seconds, tolerated } = clockOffset(clock)
    if (tolerated !== worked) {
      if (tolerated) log.info({ clockOffsetSeconds: seconds }, "the machine's clock is right again: work goes on")
      else
        log.error({ clockOffsetSeconds: seconds }, `${describeOffset(seconds)}: no work is done until it is set right`)
    }
    worked = tolerated
    return tolerated
  }
}
