import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { maskAddress } from '../../platform/http/ip.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Audience, IdentityDeps, Visitor } from './identity.ts'
import type { Session, UnfinishedSession } from './sessions/session.ts'

export type LoginDeps = IdentityDeps & { log: Pick<Log, 'info' | 'warn'>; metrics: Pick<Metrics, 'logins'> }

type Step = { audience: Audience; factor: 'password' | 'code' | 'passkey' }

/**
 * Every try to log in is counted, and leaves a line in the log: no table, which strangers could fill. `know` says whose login it is. The
 * name is a hash under a key of ours, so that who reads the log cannot try names. What was not looked at is only counted.
 */
export async function recordLoginStep<Result extends { needs: unknown }>(
  app: LoginDeps,
  step: Step,
  { address, host }: Partial<Visitor>,
  tryIt: (know: (name: string) => void) => Promise<Result>,
): Promise<Result> {
  // On the command line the log is the terminal of who types.
  if (host !== undefined) return tryIt(() => undefined)
  let name: string | null = null
  const record = async (outcome: string, level: 'info' | 'warn' | null) => {
    app.metrics.logins.inc({ ...step, outcome })
    if (level === null) return
    const who = name === null ? null : await app.marks.of('login events', [step.audience, name])
    const network = address ? maskAddress(address) : 'local'
    app.log[level]({ ...step, outcome, who: who?.slice(0, 16) ?? null, network }, 'login')
  }
  try {
    const result = await tryIt((known) => void (name = known))
    await record(result.needs === null ? 'logged_in' : 'next_factor', 'info')
    return result
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null
    if (code === 'RATE_LIMITED') await record('held_up', null)
    else if (code === 'SERVICE_UNAVAILABLE') await record('busy', null)
    else await record('refused', 'warn')
    throw error
  }
}

/** The first factor of a login that takes one is its last step; later it is none. */
export function recordSetUp<Result extends { needs: unknown }>(
  app: LoginDeps,
  session: Session | UnfinishedSession,
  factor: Step['factor'],
  visitor: Partial<Visitor>,
  setUp: () => Promise<Result>,
): Promise<Result> {
  if (!('needs' in session)) return setUp()
  return recordLoginStep(app, { audience: session.audience, factor }, visitor, (know) => {
    know(session.name)
    return setUp()
  })
}
