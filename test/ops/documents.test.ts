import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { checkLedger } from '../../packages/server/src/domain/ledger/index.ts'
import { startService } from '../harness/service.ts'

// What documents, alerts and the dashboard say about metrics is compared with what a running service exposes.

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const service = await startService()
await checkLedger(service.app)
const exposed = await (await fetch(`${service.baseUrl}/metrics`)).text()
const types = new Map([...exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name as string, type]))
const operations = read('docs/operations.md')

test('docs/operations.md: the tables have every metric of ours, and no other', () => {
  const written = [...operations.matchAll(/^\| `(vezne_\w+)` \|/gm)].map(([, name]) => name as string)
  const ours = [...types.keys()].filter((name) => name.startsWith('vezne_'))
  assert.deepEqual(written.toSorted(), ours.toSorted())
})

test('no label names a person, an account or a merchant', () => {
  const labels = new Set([...exposed.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  for (const label of ['merchant', 'merchantId', 'iban', 'name', 'account', 'customer']) assert.ok(!labels.has(label))
  assert.doesNotMatch(exposed, /TR\d{24}/)
})

type Alert = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; action: string; runbook: string }
}
const rules = parse(read('deploy/prometheus-rules.yml')) as { groups: { name: string; rules: Alert[] }[] }
const alerts = rules.groups.flatMap((group) => group.rules)
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] }
const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard

/** Metrics in an expression; `up` is made by Prometheus itself. */
function metricsIn(expr: string): string[] {
  return expr.match(/\b(?:vezne|nodejs|process)_\w+/g) ?? []
}

function isExposed(name: string): boolean {
  const whole = name.replace(/_(?:bucket|sum|count)$/, '')
  return types.has(name) || types.get(whole) === 'histogram'
}

/** Label matchers, such as pool="reads", must name a label that the tables give the metric. */
function unknownLabels(expr: string): string[] {
  return [...expr.matchAll(/\b(vezne_\w+)\{([^}]*)\}/g)].flatMap(([, name, matchers]) => {
    const whole = (name as string).replace(/_(?:bucket|count)$/, '')
    const row = new RegExp(`^\\| \`(?:${name}|${whole})\` \\| ([^|]*) \\|`, 'm').exec(operations)?.[1] ?? ''
    const labels = new Set(row.split(',').map((label) => label.trim()))
    const used = [...(matchers as string).matchAll(/(\w+)\s*[!=]/g)].map(([, label]) => label as string)
    return used.filter((label) => !labels.has(label)).map((label) => `${name}{${label}}`)
  })
}

/** Headings as GitHub turns them into anchors. */
const anchors = new Set(
  [...operations.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
)

test('every alert has a time, a severity, what to do, and a section of docs/operations.md', () => {
  assert.ok(alerts.length > 15)
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
  for (const { alert, labels, annotations, ...rule } of alerts) {
    assert.match(rule.for, /^\d+m$/, alert)
    assert.ok(['critical', 'warning'].includes(labels.severity), alert)
    assert.ok(annotations.summary.length > 10 && annotations.action.length > 10, alert)
    const [, anchor] = /^docs\/operations\.md#(.+)$/.exec(annotations.runbook) ?? []
    assert.ok(anchors.has(anchor ?? ''), `${alert}: ${annotations.runbook}`)
  }
})

for (const [what, exprs] of [
  ['prometheus-rules.yml', alerts.map(({ expr }) => expr)],
  ['grafana-dashboard.json', panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))],
] as const) {
  test(`deploy/${what}: every metric and label in an expression is exposed by a running service`, () => {
    const used = exprs.flatMap(metricsIn)
    assert.ok(used.length > 15)
    assert.deepEqual(
      used.filter((name) => !isExposed(name)),
      [],
    )
    assert.deepEqual(exprs.flatMap(unknownLabels), [])
  })
}

test('alerts about failed requests do not count probes, which fail while a process drains or its clock is wrong', () => {
  const failed = alerts.filter(({ expr }) => /vezne_http_request_seconds_count\{[^}]*status/.test(expr))
  assert.ok(failed.length > 0)
  for (const { alert, expr } of failed) assert.match(expr, /route!~"\/readyz\|\/healthz"/, alert)
})

test('commands in alerts exist', () => {
  const cli = read('docs/cli.md')
  for (const { alert, annotations } of alerts)
    for (const [, command] of annotations.action.matchAll(/npx (vezne(?: [a-z][a-z-]*)+)/g))
      assert.ok(cli.includes(command as string), `${alert}: ${command}`)
})

test('every figure of the deployment is in an alert or on the dashboard', () => {
  const used = new Set([...alerts, ...panels.flatMap(({ targets }) => targets)].flatMap(({ expr }) => metricsIn(expr)))
  const ages = /_(amount|oldest_seconds)$/
  const figures = [...types.keys()].filter((name) => name.startsWith('vezne_') && !ages.test(name))
  assert.deepEqual(
    figures.filter((name) => ![...used].some((one) => one.startsWith(name))),
    [],
  )
})

test('the alert about workers knows every worker that runs less often than it waits', () => {
  const source = read('packages/server/src/edges/workers/worker-schedules.ts')
  const schedules = [...source.matchAll(/name: '([\w-]+)', everyMs: ([\d_]+)/g)]
  const seldom = schedules.filter(([, , every = '']) => Number(every.replaceAll('_', '')) >= 300_000)
  assert.ok(seldom.length > 3)
  const of = (name: string) => alerts.find(({ alert }) => alert === name)?.expr ?? ''
  for (const [, name = ''] of seldom)
    for (const alert of ['VezneWorkerStandsStill', 'VezneHourlyWorkerStandsStill'])
      assert.match(of(alert), new RegExp(`["|]${name}["|]`), `${alert} and ${name}`)
})
