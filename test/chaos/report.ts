import type { Row } from './report-table.ts'
import { bar, complaintRows, reportTable, showProgress } from './report-table.ts'
import type { Progress, Plan, Result, Stages } from './fault-run.ts'
import { finalIn } from './fault-run.ts'

export function progressLine(plan: Plan, out: NodeJS.WriteStream): (progress: Progress) => void {
  return showProgress(out, (progress) => line(plan, progress))
}

function line({ payouts }: Plan, { stages, kills }: Progress): string {
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (stages[name] ?? 0), 0)
  return [
    bar(finalIn(stages) / payouts),
    `created ${Object.values(stages).reduce((sum, count) => sum + count, 0)}/${payouts}`,
    `processing ${of('submitted')}`,
    `in doubt ${of('in_doubt')}`,
    `completed ${of('settled', 'returned')}`,
    `failed ${of('failed')}`,
    `kills ${kills}`,
  ].join('  ')
}

export function resultTable(result: Result, seconds: number): string {
  const { stages, workers, faults, findings, complaints, returns, repeats, travelledSeconds } = result
  const happened = Object.entries(faults).filter(([, count]) => count > 0)
  const rows: Row[] = [
    ['payouts', payoutsIn(stages)],
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

function payoutsIn(stages: Stages): string {
  const total = Object.values(stages).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(stages).map(([stage, count]) => `${stage} ${count}`)
  return `${total}: ${parts.join(', ')}`
}
