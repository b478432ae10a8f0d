import type { Row } from '../report-table.ts'
import { bar, complaintRows, reportTable, showProgress } from '../report-table.ts'
import type { Finding } from '../verdict.ts'
import { unrecorded } from './attempts.ts'
import type { Evidence } from './evidence.ts'
import { latenciesOf, percentile } from './latency.ts'
import type { Progress, Plan, Result } from './fault-run.ts'
import { lateRepeats } from './verdict.ts'

export function progressLine(plan: Plan, out: NodeJS.WriteStream): (progress: Progress) => void {
  return showProgress(out, ({ recorded, states, kills, pauses }) => {
    const of = (name: string) => states[name] ?? 0
    const all = Object.entries(states).reduce((sum, [name, count]) => sum + (name === 'undistributed' ? 0 : count), 0)
    return [
      bar(recorded === 0 ? 0 : Math.min(1, recorded / plan.callbacks) * (of('delivered') / Math.max(1, all))),
      `recorded ${recorded}/${plan.callbacks}`,
      `delivered ${of('delivered')}/${all}`,
      `due ${of('due')}`,
      `later ${of('later')}`,
      `behind ${of('behind')}`,
      `kills ${kills}`,
      `stops ${pauses}`,
    ].join('  ')
  })
}

export function resultTable({ evidence, injected, seconds }: Result, findings: Finding[]): string {
  const { workers, notes, attempts } = evidence
  const { usual, stalled } = latenciesOf(evidence)
  const rows: Row[] = [
    ['events', `${evidence.recorded.length}, and ${evidence.rolledBack.length} rolled back`],
    ['callbacks', `${evidence.deliveries.length} to ${evidence.addresses.length} endpoints`],
    ['requests received', `${notes.length}, ${unrecorded(evidence)} of them not recorded by a worker`],
    ['', count(notes.map(({ did }) => (typeof did === 'number' ? `status ${did}` : did)))],
    ['attempts recorded', attempts.length],
    ['', count(attempts.map(({ outcome }) => outcome))],
    ['received more than once', repeats(evidence)],
    ['of these after a newer event', lateRepeats(notes).length],
    ['most at once at one endpoint', Math.max(...evidence.mostAtOnce.values())],
    ['from commit to acceptance', `${latencies([...usual, ...stalled].toSorted((a, b) => a - b))} (healthy endpoints)`],
    ['of these just after a stop', latencies(stalled)],
    ['the others', latencies(usual)],
    ['the machine itself was late', `p99 ${Math.round(evidence.lateMs)} ms (a process that does little)`],
    ['workers killed (-9)', workers.kills],
    ['workers stopped', workers.pauses],
    ['workers that died by themselves', workers.deaths],
    ['most memory of a worker', evidence.peakMb === null ? 'not known on this system' : `${evidence.peakMb} MB`],
    ['secrets rotated', injected.rotations],
    ['endpoints switched off', `${injected.switches} by people, ${injected.switchedOff} by their failures`],
    ['people told to try again', injected.busy],
    ['business time moved', `${(injected.travelledSeconds / 3600).toFixed(1)} h`],
    ['duration', `${seconds.faults.toFixed(1)} s with faults, ${seconds.recovery.toFixed(1)} s until all had arrived`],
    ...complaintRows(evidence.complaints),
  ]
  return reportTable(rows, findings)
}

function count(names: string[]): string {
  const groups = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length)
  return groups.map(([name, list]) => `${name} ${list.length}`).join(', ')
}

function repeats({ notes }: Evidence): number {
  const accepted = notes.filter(({ acceptedAt }) => acceptedAt !== null)
  return accepted.length - new Set(accepted.map(({ receiver, id }) => `${receiver}/${id}`)).size
}

function latencies(rising: number[]): string {
  if (rising.length === 0) return 'nothing'
  const at = (percent: number) => Math.round(percentile(rising, percent))
  return `p50 ${at(50)} ms, p90 ${at(90)} ms, p99 ${at(99)} ms, p99.9 ${at(99.9)} ms, longest ${at(100)} ms of ${rising.length}`
}
