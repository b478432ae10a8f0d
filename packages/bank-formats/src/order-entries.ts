import { fileError } from './file-problems.ts'
import type { BankFileError } from './file-problems.ts'
import type { Entry } from './transaction-row.ts'

/** What may be held to put lines in order: a file that begins with its newest line, or the lines of one day. */
export const MAX_HELD = 50 * 1024 * 1024

/**
 * The lines from the oldest to the newest, by their balances. Files in ascending order stream, a day at a time, because
 * within a day some banks write the newest first. Without balances the order of the file stays: nothing could prove another.
 */
export async function* inOrder(
  entries: AsyncIterable<Entry>,
  opening: () => bigint | null,
): AsyncGenerator<Entry, void> {
  const days: Entry[][] = []
  let ascending: boolean | null = null
  let previous: bigint | null = null
  let held = 0
  for await (const entry of entries) {
    if (entry.line.balance === null) {
      yield entry
      continue
    }
    const last = days.at(-1)?.at(-1)
    if (last && last.line.bookedOn === entry.line.bookedOn) days.at(-1)?.push(entry)
    else {
      if (last) ascending ??= isAscending(last, entry)
      if (ascending) {
        previous = yield* arrangeDay(days.pop() ?? [], previous ?? opening(), true)
        held = 0
      }
      days.push([entry])
    }
    held += entry.size
    if (held > MAX_HELD) throw tooMuch(entry, ascending)
  }
  if (ascending === false) yield* newestFirst(days, opening())
  else for (const day of days) yield* arrangeDay(day, previous ?? opening(), true)
}

/** Two neighbours of different days. Their balances decide, or their dates where both or none of the orders fits. */
function isAscending(first: Entry, second: Entry): boolean {
  const up = follows(first.line.balance, second)
  const down = follows(second.line.balance, first)
  return up === down ? first.line.bookedOn < second.line.bookedOn : up
}

function* newestFirst(days: Entry[][], opening: bigint | null): Generator<Entry> {
  const reversed: Entry[] = []
  for (const day of days.toReversed())
    for (const entry of arrangeDay(day, reversed.at(-1)?.line.balance ?? opening, false)) reversed.push(entry)
  const asWritten = days.flat()
  yield* !fits(reversed, opening) && fits(asWritten, opening) ? asWritten : reversed
}

/** Yields a day as it is or from its end, whichever continues the balance. Returns the last balance. */
function* arrangeDay(day: Entry[], previous: bigint | null, ascending: boolean): Generator<Entry, bigint | null> {
  const [first, last] = [day[0]?.time ?? null, day.at(-1)?.time ?? null]
  const asWritten = first !== null && last !== null && first !== last ? first < last : ascending
  const reversed = day.toReversed()
  const [preferred, other] = asWritten ? [day, reversed] : [reversed, day]
  const chosen = !fits(preferred, previous) && fits(other, previous) ? other : preferred
  yield* chosen
  return chosen.at(-1)?.line.balance ?? null
}

function fits(entries: Entry[], previous: bigint | null): boolean {
  return entries.every((entry, index) => {
    const before = index === 0 ? previous : (entries[index - 1]?.line.balance ?? null)
    return before === null || follows(before, entry)
  })
}

const follows = (before: bigint | null, { line, change }: Entry) => before !== null && before + change === line.balance

function tooMuch({ line }: Entry, ascending: boolean | null): BankFileError {
  const what = ascending ? 'day' : 'newest_first'
  return fileError(line.position, 'too_large', { what, megabytes: MAX_HELD / 1024 / 1024 })
}
