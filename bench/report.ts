import type { Case, Measured, Variant } from './cases.ts'
import { nameOf, USUAL_CONNECTIONS } from './cases.ts'
import type { Kind } from './load.ts'

type Side = { perSecond: number; p50: number; p99: number }
/** Median of the ratios per round, with the lowest and highest: drift between rounds cancels out. */
type Ratio = { median: number; low: number; high: number }
export type Target = { what: string; ratio: Ratio; atLeast: number; reached: boolean }

const MIN_NAIVE_RATIO = 5
const MIN_HOT_RATIO = 1

function summarise(measured: Measured[], name: string, variant: Variant): Side {
  const rounds = roundsOf(measured, name, variant)
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
  }
}

function ratioOf(measured: Measured[], over: [string, Variant], under: [string, Variant]): Ratio {
  const below = roundsOf(measured, ...under)
  const ratios = roundsOf(measured, ...over).flatMap(({ round, perSecond }) => {
    const same = below.find((other) => other.round === round)
    return same ? perSecond / same.perSecond : []
  })
  return ratioFrom(ratios)
}

export function ratioFrom(ratios: number[]): Ratio {
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) }
}

export function judge(measured: Measured[], kinds: Kind[]): Target[] {
  const usual = (kind: Kind, merchants: Case['merchants']) =>
    nameOf({ kind, connections: USUAL_CONNECTIONS, merchants })
  const target = (what: string, ratio: Ratio, atLeast: number) => {
    return { what, ratio, atLeast, reached: ratio.median >= atLeast }
  }
  return kinds.flatMap((kind) => {
    const [spread, hot] = [usual(kind, 'spread'), usual(kind, 'hot')]
    const overNaive = ratioOf(measured, [spread, 'vezne'], [spread, 'naive'])
    const hotOverSpread = ratioOf(measured, [hot, 'vezne'], [spread, 'vezne'])
    return [
      target(`${spread}: vezne ÷ naive`, overNaive, MIN_NAIVE_RATIO),
      target(`${kind} ${USUAL_CONNECTIONS}: vezne hot ÷ spread`, hotOverSpread, MIN_HOT_RATIO),
    ]
  })
}

/** Both versions run the same cases; less than a tenth of difference is noise. */
const MIN_BEFORE_RATIO = 0.9

export function judgeAgainst(measured: Measured[], cases: Case[]): Target[] {
  return cases.map((one) => {
    const name = nameOf(one)
    const ratio = ratioOf(measured, [name, 'vezne'], [name, 'before'])
    return {
      what: `${name}: vezne ÷ before`,
      ratio,
      atLeast: MIN_BEFORE_RATIO,
      reached: ratio.median >= MIN_BEFORE_RATIO,
    }
  })
}

export function compareTable(measured: Measured[], cases: Case[], under: Variant, over: Variant): string {
  const rows = cases.map((one) => {
    const name = nameOf(one)
    const [low, high] = [summarise(measured, name, under), summarise(measured, name, over)]
    const ratio = ratioOf(measured, [name, over], [name, under])
    return [name, rate(low), rate(high), times(ratio), latency(low), latency(high)]
  })
  const titles = [`${under}/s`, `${over}/s`, 'ratio (low–high)', `${under} p50/p99 ms`, `${over} p50/p99 ms`]
  return table(['case', ...titles], rows)
}

export function targetLines(targets: Target[]): string {
  return targets
    .map(({ what, ratio, atLeast, reached }) => {
      return `${reached ? 'reached    ' : 'NOT reached'}  ${what} ≥ ${atLeast.toFixed(1)}: ${times(ratio)}`
    })
    .join('\n')
}

export function rate({ perSecond }: { perSecond: number }): string {
  return Math.round(perSecond).toLocaleString('en')
}

function roundsOf(measured: Measured[], name: string, variant: Variant): Measured[] {
  return measured.filter((one) => one.name === name && one.variant === variant)
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

function times({ median, low, high }: Ratio): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
}

function latency({ p50, p99 }: Side): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`
}

export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
