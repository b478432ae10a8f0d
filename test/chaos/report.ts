import type { Glance, Plan, Result, Stages } from './storm.ts'
import { finalIn } from './storm.ts'

const BAR = 24
const EVERY_MS = 5000
const SHOWN_OFFENDERS = 20

/** One line that is drawn over on a terminal; a line every few seconds elsewhere. */
export function progressLine(plan: Plan, out: NodeJS.WriteStream): (glance: Glance) => void {
  let shownAt = -Infinity
  return (glance) => {
    const now = performance.now()
    if (now - shownAt < (out.isTTY ? EVERY_MS / 25 : EVERY_MS)) return
    shownAt = now
    out.write(out.isTTY ? `\r\u001b[2K${line(plan, glance)}` : `${line(plan, glance)}\n`)
  }
}

function line({ payouts }: Plan, { stages, kills }: Glance): string {
  const full = Math.floor((finalIn(stages) / payouts) * BAR)
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (stages[name] ?? 0), 0)
  return [
    `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`,
    `created ${Object.values(stages).reduce((sum, count) => sum + count, 0)}/${payouts}`,
    `processing ${of('submitted')}`,
    `in doubt ${of('in_doubt')}`,
    `completed ${of('settled', 'returned')}`,
    `failed ${of('failed')}`,
    `kills ${kills}`,
  ].join('  ')
}

export function resultTable(result: Result, seconds: number): string {
  const { stages, crew, faults, findings, complaints, returns, repeats, travelledSeconds } = result
  const happened = Object.entries(faults).filter(([, count]) => count > 0)
  const rows: [string, string | number][] = [
    ['payouts', payoutsIn(stages)],
    ['bank faults', happened.reduce((sum, [, count]) => sum + count, 0)],
    ['', happened.map(([kind, count]) => `${kind} ${count}`).join(', ')],
    ['sent back by the receiver', returns],
    ['lists asked for again', [...repeats].map(([code, count]) => `${count}× ${code}`).join(', ') || 0],
    ['workers killed (-9)', crew.kills],
    ['workers stopped for a round', crew.pauses],
    ['workers that died by themselves', crew.deaths],
    ['business time moved', `${(travelledSeconds / 3600).toFixed(1)} h`],
    ['duration', `${seconds.toFixed(1)} s`],
    ...[...complaints].map(([what, count]) => [`worker said ${count}×`, what] as [string, string]),
  ]
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

function payoutsIn(stages: Stages): string {
  const total = Object.values(stages).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(stages).map(([stage, count]) => `${stage} ${count}`)
  return `${total}: ${parts.join(', ')}`
}
