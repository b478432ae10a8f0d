/**
 * Lines of at most `width` characters. A line is broken at a space, which is left out, and is then shorter than `width`; only a longer word
 * fills its line, and goes on in the next one. So the reader knows where a space was. No line begins with a sign of `notFirst`.
 */
export function wrap(text: string, width: number, notFirst = ''): string[] {
  const lines: string[] = []
  let rest = text
  while (rest.length > width) {
    const at = lastBreak(rest, width, notFirst)
    lines.push(rest.slice(0, at ?? width))
    rest = rest.slice(at === null ? width : at + 1)
  }
  return [...lines, rest]
}

function lastBreak(text: string, width: number, notFirst: string): number | null {
  for (let at = width - 1; at > 0; at--) {
    if (text[at] === ' ' && !notFirst.includes(text[at + 1] ?? ' ')) return at
  }
  return null
}
