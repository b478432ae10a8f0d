import type { Row } from './measure.ts'

/** No request is held longer, whatever the database does. */
const MAX_WAIT_MS = 10_000
/** A load balancer gives up about then. */
const MAX_READY_MS = 2000
/** The network between the service and the client that measures, and timers that are late by less than is measured. */
const MARGIN_MS = 500

/** What was promised and not kept; empty when all was. */
export function broken(row: Row): string[] {
  const rules: [boolean, string][] = [
    [row.lost > 0, `${row.lost} acknowledged requests are lost`],
    [row.wronglyRefused > 0, `${row.wronglyRefused} were refused with "nothing was saved", and saved`],
    [row.other.length > 0, `unexpected: ${row.other.join('; ')}`],
    [row.ownWaitMs > MAX_WAIT_MS + MARGIN_MS, `a request waited ${seconds(row.longestWaitMs)}`],
    [row.ownReadyMs > MAX_READY_MS + MARGIN_MS, `/readyz took ${seconds(row.longestReadyMs)}`],
    [row.drift > 0, `${row.drift} balances drifted`],
  ]
  return [...rules.flatMap(([isBroken, what]) => (isBroken ? [what] : [])), ...row.problems]
}

export function table(rows: Row[]): string {
  const lines = rows.map((row) => [
    row.fault,
    row.acknowledged,
    row.lost,
    row.refused,
    row.unknown,
    seconds(row.longestWaitMs),
    seconds(row.longestReadyMs),
    seconds(row.recoveryMs),
  ])
  const head = ['fault', 'acknowledged', 'lost', 'refused', 'unknown', 'longest wait', 'longest /readyz', 'recovery']
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
