import type { BusinessClock } from './business-clock.ts'
import type { Log } from '../log.ts'

/** More than any network delay or working NTP causes. */
const TOLERATED_SECONDS = 5

/** Difference between the machine's clock and the database's, and whether it is small enough to work. */
export function clockOffset(clock: Pick<BusinessClock, 'machineAheadMs'>): { seconds: number; tolerated: boolean } {
  const seconds = Math.round(clock.machineAheadMs()) / 1000
  return { seconds, tolerated: Math.abs(seconds) <= TOLERATED_SECONDS }
}

export function describeOffset(seconds: number): string {
  return `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`
}

/** Returns whether work may run; logs when that changes. */
export function watchClock({ clock, log }: { clock: Pick<BusinessClock, 'machineAheadMs'>; log: Log }): () => boolean {
  let wasTolerated = true
  return () => {
    const { seconds, tolerated } = clockOffset(clock)
    if (tolerated !== wasTolerated) {
      if (tolerated) log.info({ clockOffsetSeconds: seconds }, "the machine's clock is correct again: work resumes")
      else
        log.error({ clockOffsetSeconds: seconds }, `${describeOffset(seconds)}: no work is done until it is corrected`)
    }
    wasTolerated = tolerated
    return tolerated
  }
}
