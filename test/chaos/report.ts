import type { Row } from './report-table.ts'
import { bar, complaintRows, reportTable, showProgress } from './report-table.ts'
import type { Progress, Plan, Result, States } from './fault-run.ts'
import { finalIn } from './fault-run.ts'

export function progressLine(plan: Plan, out: NodeJS.WriteStream): (progress: Progress) => void {
  return showProgress(out, (progress) => line(plan, progress))
}

function line({ payouts }: Plan, { states, kills }: Progress): string {
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (states[name] ?? 0), 0)
  return [
    bar(finalIn(states) / payouts),
    `created ${Object.values(states).reduce((sum, count) => sum + count, 0)}/${payouts}`,
    `processing ${of('sending')}`,
    `in doubt ${of('unknown')}`,
    `completed ${of('sent', 'returned')}`,
    `failed ${of('failed')}`,
    `kills ${kills}`,
  ].join('  ')
}

export function resultTable(result: Result, seconds: number): string {
  const { states, workers, faults, findings, complaints, returns, repeats, travelledSeconds } = result
  const happened = Object.entries(faults).filter(([, count]) => count > 0)
  const rows: Row[] = [
    ['payouts', payoutsIn(states)],
    ['bank faults', happened.reduce((sum, [, count]) => sum + count, 0)],
    ['', happened.map(([kind, count]) => `${kind} ${count}`).join(', ')],
    ['sent back by the receiver', returns],
    ['batches requested again', [...repeats].map(([code, count]) => `${count}× ${code}`).join(', ') || 0],
    ['workers killed (-9)', workers.kills],
    ['workers stopped for a round', workers.pauses],
    ['workers that died by themselves', workers.deaths],
    ['business time moved', `${(travelledSeconds / 3600).toFixed(1)} h`],
    ['duration', `${seconds.toFixed(1)} s`],
    ...complaintRows(complaints),
  ]
  return reportTable(rows, findings)
}

function payoutsIn(states: States): string {
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(states).map(([state, count]) => `${state} ${count}`)
  return `${total}: ${parts.join(', ')}`
}
