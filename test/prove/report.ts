import type { ModelLine } from './bank-model.ts'
import type { Month } from './month.ts'
import type { Judged, Verdict } from './staff.ts'

const MOST_SHOWN = 40

/** One table of what the month was and what it cost people. */
export function reportOf(month: Month): string {
  const { bank, staff, seed, kind, rules, byRules, differences, digest } = month
  const lines = bank.lines.length
  const acts = [...staff.acts.values()].reduce((sum, count) => sum + count, 0)
  const onLines = [...staff.actsFor.values()].reduce((sum, count) => sum + count, 0)
  const per = (count: number) => ((1000 * count) / lines).toFixed(1)
  const alone = lines - touched(month)
  return [
    `Month: seed ${seed}, ${kind}, ${rules ? 'with five line rules' : 'without line rules'}`,
    `lines                      ${lines}`,
    `explained without people   ${alone} (${((100 * alone) / lines).toFixed(1)} %), ${byRules} of them by rules`,
    `people's actions           ${acts} (${per(acts)} per 1,000 lines): ${onLines} about lines, ${month.setUpActs} to set up`,
    `closing days               ${month.closed} days, ${month.closingActs} actions, not counted above`,
    ...listed('actions by kind', staff.acts, per),
    ...ofKinds(month),
    ...ofAdvice([...staff.judged.values()]),
    ...staff.refused.slice(0, MOST_SHOWN).map(({ line, act, why }) => `refused: ${act}: ${why}: ${shown(line)}`),
    ...[...staff.noRoad.keys()].slice(0, MOST_SHOWN).map((line) => `no road: ${shown(line)}`),
    `differences                ${differences.length}`,
    ...differences.slice(0, MOST_SHOWN).map((one) => `  seed ${seed}: ${one}`),
    `seconds                    ${month.seconds}`,
    `digest                     ${digest.sha256}`,
    '',
  ].join('\n')
}

/** Lines that a person decided about, alone or with another line. */
function touched({ bank, staff }: Month): number {
  const decided = new Set<ModelLine>([...staff.judged.keys()])
  for (const { truth } of staff.judged.keys()) {
    if ((truth.is === 'storno' || truth.is === 'own_transfer') && truth.other) decided.add(truth.other)
    if (truth.is === 'payouts') for (const other of truth.others) decided.add(other)
    if (truth.is === 'correction') decided.add(truth.of)
  }
  for (const line of staff.besides) decided.add(line)
  return bank.lines.filter((line) => decided.has(line)).length
}

function listed(title: string, counts: Map<string, number>, per: (count: number) => string): string[] {
  const rows = [...counts].toSorted(([, a], [, b]) => b - a)
  return [
    title,
    ...rows.map(
      ([name, count]) => `  ${name.padEnd(34)} ${String(count).padStart(5)} ${per(count).padStart(7)} per 1,000`,
    ),
  ]
}

function ofKinds({ bank, staff }: Month): string[] {
  const rows = [...Map.groupBy(bank.lines, ({ kind }) => kind)].toSorted(([, a], [, b]) => b.length - a.length)
  const texts = rows.map(([kind, lines]) => {
    const acts = staff.actsFor.get(kind) ?? 0
    return `  ${kind.padEnd(34)} ${String(lines.length).padStart(5)} ${String(acts).padStart(7)}`
  })
  return [`lines by what they were for             lines actions`, ...texts]
}

function ofAdvice(judged: Judged[]): string[] {
  const verdicts: Verdict[] = ['right', 'right, not first', 'wrong', 'absent']
  const of = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict)
  const percent = (count: number) => `${judged.length === 0 ? '-' : ((100 * count) / judged.length).toFixed(1)} %`
  const totals = verdicts.map((one) => `${one} ${of(one).length} (${percent(of(one).length)})`)
  const examples = verdicts.slice(1).flatMap((verdict) => {
    const kinds = [...Map.groupBy(of(verdict), ({ line }) => line.kind)]
    return kinds.map(([kind, its]) => {
      const [first] = its
      return `  ${verdict}: ${kind}, ${its.length} times, e.g. first said "${first?.said ?? ''}" of ${first ? shown(first.line) : ''}`
    })
  })
  return [`advice about ${judged.length} lines: ${totals.join(', ')}`, ...examples]
}

const shown = ({ day, direction, amount, text, party, number, kind }: ModelLine) =>
  `${kind}: ${day} ${number} ${direction} ${amount} kuruş "${text}" ${party.name}`
