import { createHash } from 'node:crypto'

/** A generated monogram: recognisable in a list, without using a trade mark. */
export function bankLogo(code: string, name: string): string {
  const letters = monogram(name)
  // The hue is derived from the code; fixed saturation and lightness keep white letters at a contrast of 4.5:1.
  const hue = (createHash('sha256').update(code).digest().readUInt16BE(0) * 360) / 65_536
  const size = letters.length > 2 ? 15 : 19
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48" role="img" aria-label="${escape(name)}">` +
    `<rect width="48" height="48" rx="10" fill="hsl(${hue.toFixed(0)} 38% 30%)"/>` +
    `<text x="24" y="25" fill="#fff" font-family="IBM Plex Sans,system-ui,sans-serif" font-size="${size}" font-weight="600" ` +
    `text-anchor="middle" dominant-baseline="central">${escape(letters)}</text></svg>`
  )
}

function monogram(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const [first = '?', second] = words
  // An abbreviation is used as it is; otherwise initials, otherwise the first two letters.
  if (words.length === 1 && first.length <= 4 && first === first.toLocaleUpperCase('tr')) return first
  if (second) return (first.slice(0, 1) + second.slice(0, 1)).toLocaleUpperCase('tr')
  return first.slice(0, 1).toLocaleUpperCase('tr') + first.slice(1, 2)
}

/**
 * Letters for a list, no two alike: names that would have the same get more letters, in the end their code. In the text
 * colour: thirty bank colours would distract from the accent.
 */
export function monograms(banks: readonly { code: string; name: string }[]): string[] {
  const taken = new Map<string, number>()
  for (const { name } of banks) taken.set(monogram(name), (taken.get(monogram(name)) ?? 0) + 1)
  return banks.map(({ code, name }) => {
    const short = monogram(name)
    if (taken.get(short) === 1) return short
    const free = longer(name).find((letters) => !taken.has(letters)) ?? code
    taken.set(free, 1)
    return free
  })
}

function longer(name: string): string[] {
  const [first = '', second = '', third = ''] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const initial = (word: string) => word.slice(0, 1).toLocaleUpperCase('tr')
  return [
    initial(first) + first.slice(1, 2) + initial(second),
    initial(first) + initial(second) + initial(third),
    initial(first) + first.slice(1, 3),
  ].filter((letters) => letters.length === 3)
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
