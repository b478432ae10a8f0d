import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Session } from '../../../domain/identity/index.ts'
import { peekSession, validSessions } from '../../../domain/identity/index.ts'
import { poll } from '../../../platform/concurrency/poller.ts'
import type { EventStream } from '../event-streams.ts'
import { eventStreams } from '../event-streams.ts'
import type { Asked, Console, Kind, View } from './routes.ts'
import { sendSimple } from './send-entry.ts'
import { sessionToken } from './session-cookie.ts'

/** As fast as a person who looks at a list expects news. */
const INTERVAL_MS = 3000
/** Facts that are slow to load are loaded less often: that takes at most a twentieth of the time. */
const LOADS_PER_PAUSE = 20
/** Windows side by side, in all sessions of a person; a page that is not visible has no stream. */
const MAX_STREAMS_PER_LOGIN = 8
/** Of each console and process. A page without a stream shows what it has, and tries again. */
const MAX_STREAMS = 500
/** The script's own requests: they get the shared facts, and do not prolong the session. */
const BY_SCRIPT = 'x-vezne-live'
/** Nothing more will come: the script stops. */
const END = 'event: end\ndata:\n\n'

type Watcher = { sessionId: string; stream: EventStream; told: string | null }
type Watched = { load: () => Promise<unknown>; facts: unknown; watchers: Set<Watcher>; dueAt: number }
type Mounted<K extends Kind> = K['app'] & { site: Console<K> }

export const isByScript = ({ headers }: FastifyRequest) => headers[BY_SCRIPT] !== undefined

export type LivePages<K extends Kind> = ReturnType<typeof livePages<K>>

/**
 * Pages that change while a person looks at them. A process loads the facts of a page once in an interval, however many people look
 * at it, and tells their pages a new version; they fetch the page, which is made of the same facts.
 */
export function livePages<K extends Kind>(scope: FastifyInstance, app: Mounted<K>) {
  const views = new Map(
    app.site.sections.flatMap((one) => one.views).flatMap((one) => (one.live ? [[one.live.name, one]] : [])),
  )
  const limits = { perKey: MAX_STREAMS_PER_LOGIN, replaced: END, total: MAX_STREAMS }
  const streams = eventStreams(scope, limits)
  const { watched, watch, look } = watchFacts<K>(app)
  const poller = poll(app, { name: `${app.site.audience}-live-pages`, everyMs: INTERVAL_MS, work: look })
  scope.addHook('onClose', () => poller.stop())
  scope.get('/live/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const view = views.get(request.params.name)
    if (!view) return sendSimple(app, request, reply, 404)
    if (streams.isFull()) return reply.code(503).header('retry-after', '30').send()
    const token = sessionToken(app, request)
    const session = token === null ? null : await peekSession(app, app.site.audience, token)
    return streams.send(reply, session?.loginId ?? '', (stream) => {
      const roles = view.action ? app.site.rolesFor(view.action) : session?.roles
      if (session && roles?.some((role) => session.roles.includes(role))) return watch(view, session, stream)
      stream.write(END)
      stream.end()
    })
  })

  return {
    /** What a view shows: for the script what its stream told about, if it was this process; for a person always fresh. */
    async factsOf({ live }: View<K>, { merchantId, byScript }: Pick<Asked<K>, 'merchantId' | 'byScript'>) {
      if (!live) return undefined
      const shared = byScript ? watched.get(keyOf(live.name, merchantId))?.facts : undefined
      return shared ?? (await live.load(app, merchantId))
    },
    versionOf: (facts: unknown) => versionOf(facts, app.clock.now()),
  }
}

function watchFacts<K extends Kind>(app: Mounted<K>) {
  const watched = new Map<string, Watched>()

  async function look(): Promise<number> {
    await endWithSessions(
      app,
      [...watched.values()].flatMap(({ watchers }) => [...watchers]),
    )
    for (const entry of watched.values()) if (entry.dueAt <= performance.now()) await refresh(entry)
    return 0
  }

  /** Tells those who watched before it began: what they hear is never older than their page. */
  async function refresh(entry: Watched): Promise<void> {
    const [began, watchers] = [performance.now(), [...entry.watchers]]
    const facts = await entry.load()
    entry.facts = facts
    entry.dueAt = performance.now() + (performance.now() - began) * LOADS_PER_PAUSE
    const version = versionOf(facts, app.clock.now())
    for (const watcher of watchers.filter(({ told }) => told !== version)) {
      watcher.told = version
      watcher.stream.write(`data: ${version}\n\n`)
    }
  }

  function watch({ live }: View<K>, { id: sessionId, merchantId }: Session, stream: EventStream): void {
    if (!live) return
    const key = keyOf(live.name, merchantId)
    const load = () => live.load(app, merchantId)
    const entry = watched.get(key) ?? { load, facts: undefined, watchers: new Set(), dueAt: 0 }
    const watcher = { sessionId, stream, told: null }
    watched.set(key, entry)
    entry.watchers.add(watcher)
    stream.onClose(() => {
      entry.watchers.delete(watcher)
      if (entry.watchers.size === 0) watched.delete(key)
    })
  }

  return { watched, watch, look }
}

async function endWithSessions<K extends Kind>(app: Mounted<K>, watchers: Watcher[]): Promise<void> {
  const valid = await validSessions(app, [...new Set(watchers.map(({ sessionId }) => sessionId))])
  for (const { sessionId, stream } of watchers) {
    if (valid.has(sessionId)) continue
    stream.write(END)
    stream.end()
  }
}

const keyOf = (name: string, merchantId: string | null) => `${name} ${merchantId ?? ''}`

/** The same in every process. With the minute, because pages show ages. */
function versionOf(facts: unknown, now: Date): string {
  const minute = Math.floor(now.getTime() / 60_000)
  const text = JSON.stringify([minute, facts], (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
