import type { Finding } from './verdict.ts'

export type Row = [name: string, value: string | number]

const BAR = 24
const EVERY_MS = 5000
const SHOWN_OFFENDERS = 20

/** On a terminal one line that is overwritten; otherwise a line every few seconds. */
export function showProgress<Progress>(
  out: NodeJS.WriteStream,
  line: (progress: Progress) => string,
): (progress: Progress) => void {
  let shownAt = -Infinity
  return (progress) => {
    const now = performance.now()
    if (now - shownAt < (out.isTTY ? EVERY_MS / 25 : EVERY_MS)) return
    shownAt = now
    out.write(out.isTTY ? `\r\u001b[2K${line(progress)}` : `${line(progress)}\n`)
  }
}

export function bar(share: number): string {
  const full = Math.min(BAR, Math.floor(share * BAR))
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
}

export function complaintRows(complaints: Map<string, number>): Row[] {
  return [...complaints].map(([what, count]) => [`worker logged ${count}×`, what])
}

/** Counts, the result of each rule, and the offenders. */
export function reportTable(rows: Row[], findings: Finding[]): string {
  const broken = findings.filter(({ offenders }) => offenders.length > 0)
  return [
    ...rows.map(([name, value]) => `  ${name.padEnd(34)}${value}`),
    '',
    ...findings.map(({ rule, offenders }) => {
      return `  ${offenders.length === 0 ? '✓' : '✗'} ${rule}${offenders.length === 0 ? '' : `: ${offenders.length}`}`
    }),
    ...broken.flatMap(({ rule, offenders }) => ['', `${rule}:`, ...offenders.slice(0, SHOWN_OFFENDERS)]),
    '',
    broken.length === 0 ? 'clean' : 'BROKEN',
  ].join('\n')
}
