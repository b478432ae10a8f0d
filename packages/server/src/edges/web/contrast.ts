/** Background colours of a page: page and sheet, light and dark. web/base.css has the same values. */
export const LIGHT_PAPERS = ['#f6f5f1', '#ffffff']
export const DARK_PAPERS = ['#12161a', '#1a2026']

/** WCAG AA contrast for text. */
const NEEDED = 4.5
const STEPS = 100

type Rgb = [red: number, green: number, blue: number]

/** The nearest shade of a colour that is readable on all of these backgrounds, and on which they are readable. */
export function readableOn(papers: readonly string[], colour: string): string {
  const darkPaper = luminance(parse(papers[0] ?? '#ffffff')) < 0.18
  const goal: Rgb = darkPaper ? [255, 255, 255] : [0, 0, 0]
  const shadeAt = (step: number) => mix(parse(colour), goal, step / STEPS)
  // Binary search, because anyone can request any colour. Every step towards the goal is at least as readable.
  let [low, high] = [0, STEPS]
  while (low < high) {
    const step = Math.floor((low + high) / 2)
    if (papers.every((paper) => contrast(shadeAt(step), paper) >= NEEDED)) high = step
    else low = step + 1
  }
  return shadeAt(high)
}

/** Contrast ratio, from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(parse(one)), luminance(parse(other))].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function mix(from: Rgb, to: Rgb, share: number): string {
  return write(from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share)) as Rgb)
}

function parse(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function write(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
