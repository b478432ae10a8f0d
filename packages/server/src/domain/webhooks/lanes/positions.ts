// Positions as a lane keeps them: neighbours as a range, 5, 6, 7 and 9 as "5-7,9". A busy lane has a thousand under way, most of them in
// a row, and is read and written dozens of times a second.

export function writePositions(positions: string[]): string {
  const ranges: { first: number; last: number }[] = []
  for (const position of positions.map(Number)) {
    const range = ranges.at(-1)
    if (range && position === range.last + 1) range.last = position
    else ranges.push({ first: position, last: position })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join()
}

export function readPositions(text: string): string[] {
  if (text === '') return []
  return text.split(',').flatMap((range) => {
    const [first = '', last = first] = range.split('-')
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => String(Number(first) + index))
  })
}
