import type { Tx } from '../../../platform/postgres/db.ts'
import { digestOf, macOf, sameText } from '../../../platform/crypto/tokens.ts'
import type { Address } from '../../../platform/http/ip.ts'
import { callerGroup, maskAddress } from '../../../platform/http/ip.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Audience, IdentityDeps, Visitor } from '../identity.ts'
import { plusSeconds } from '../identity.ts'
import { deleteFailures, lockFailures, lowerFailures, updateFailures } from './store.ts'

/** What an attempt counts for, and how many may fail before the next has to wait. */
type Counter = { key: string; free: number }
/** An attempt that has begun. It counts as failed until `attemptSucceeded`, so that many at once are no way around. */
export type Attempt = { own: Counter[]; network: Counter[] }

type Known = { id: string; deviceKey: string } | undefined

const FORGET_SECONDS = 12 * 3600
const MAX_WAIT_SECONDS = 900
const DEVICE_DAYS = 180

/**
 * Counts a password attempt for the name in its network, and for the network. Never for the name alone: strangers elsewhere could
 * hold its owner up. A device that has logged in to this login before has a counter of its own, and no other applies.
 */
export async function beginPassword(
  app: IdentityDeps,
  { audience, name, known, visitor }: { audience: Audience; name: string; known: Known; visitor: Visitor },
): Promise<Attempt> {
  const device = deviceCounter(app, known, visitor)
  if (device && (await charge(app, [device]))) return { own: [device], network: [] }
  const attempt = passwordAttempt(audience, name, visitor.address)
  await mustCharge(app, [...attempt.own, ...attempt.network])
  return attempt
}

function passwordAttempt(audience: Audience, name: string, address: Address | null): Attempt {
  const network = networkOf(address)
  return {
    own: [{ key: digestOf(`name ${audience} ${network} ${name}`), free: 5 }],
    network: networksOf(address),
  }
}

/** An office, or customers of a mobile operator, share a network. Who has one IPv6 /64 usually has all of the /48 around it. */
function networksOf(address: Address | null): Counter[] {
  const counter = (network: string, free: number) => ({ key: digestOf(`network ${network}`), free })
  const own = counter(networkOf(address), 50)
  return address?.kind() === 'ipv6' ? [own, counter(maskAddress(address), 200)] : [own]
}

/** Counts for the login: only someone who has its password can raise this count. */
export async function beginFactor(app: IdentityDeps, known: NonNullable<Known>, visitor: Visitor): Promise<Attempt> {
  const device = deviceCounter(app, known, visitor)
  if (device && (await charge(app, [device]))) return { own: [device], network: [] }
  const own = [{ key: digestOf(`factor ${known.id}`), free: 10 }]
  await mustCharge(app, own)
  return { own, network: [] }
}

/** Counts for the session or the invitation: who has the password, and no session, cannot hold up a change of the password. */
export async function beginProof(app: IdentityDeps, { id }: { id: string }): Promise<Attempt> {
  const own = [{ key: digestOf(`proof ${id}`), free: 10 }]
  await mustCharge(app, own)
  return { own, network: [] }
}

/** After the second step: the password attempt that began this login has not failed either. */
export async function passwordSucceeded(
  tx: Tx,
  { audience, name }: { audience: Audience; name: string },
  { address }: Partial<Visitor>,
): Promise<void> {
  if (address !== undefined) await attemptSucceeded(tx, passwordAttempt(audience, name, address))
}

export async function attemptSucceeded(tx: Tx, { own, network }: Attempt): Promise<void> {
  await deleteFailures(
    tx,
    own.map(({ key }) => key),
  )
  if (network.length > 0)
    await lowerFailures(
      tx,
      network.map(({ key }) => key),
    )
}

/** A password that was not looked at, because too many wait, is no failure. */
export async function notCountedIfBusy<Result>(
  app: IdentityDeps,
  { own, network }: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') await takeBack(app, [...own, ...network])
    throw error
  }
}

async function takeBack(app: IdentityDeps, counters: Counter[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    const keys = counters.map(({ key }) => key)
    const rows = await lockFailures(tx, keys, app.clock.now())
    const counted = rows.map(({ key, failures, lastAt }) => {
      const free = counters.find((one) => one.key === key)?.free ?? 0
      const count = Math.max(failures - 1, 0)
      return { key, failures: count, openAt: plusSeconds(lastAt, waitAfter(count, free)), lastAt }
    })
    await updateFailures(tx, counted)
  })
}

async function mustCharge(app: IdentityDeps, counters: Counter[]): Promise<void> {
  await app.db.transaction(async (tx) => {
    const waitSeconds = await chargeIn(app, tx, counters)
    if (waitSeconds === 0) return
    // Rolls back: a refused attempt counts nothing, so waiting always helps.
    throw tooMany(waitSeconds)
  })
}

async function charge(app: IdentityDeps, counters: Counter[]): Promise<boolean> {
  return app.db.transaction(async (tx) => (await chargeIn(app, tx, counters)) === 0)
}

/** Returns the seconds to wait; counts only if they are 0. */
async function chargeIn({ clock }: IdentityDeps, tx: Tx, counters: Counter[]): Promise<number> {
  const now = clock.now()
  const keys = counters.map(({ key }) => key)
  const rows = await lockFailures(tx, keys, now)
  // The clock was set back since, as in a sandbox: a time that has not come says nothing about a wait.
  const past = rows.filter(({ lastAt }) => lastAt <= now)
  const waitMs = Math.max(0, ...past.map(({ openAt }) => openAt.getTime() - now.getTime()))
  if (waitMs > 0) return Math.ceil(waitMs / 1000)
  const counted = rows.map(({ key, failures, lastAt }) => {
    const free = counters.find((one) => one.key === key)?.free ?? 0
    const count = plusSeconds(lastAt, FORGET_SECONDS) < now ? 1 : failures + 1
    return { key, failures: count, openAt: plusSeconds(now, waitAfter(count, free)), lastAt: now }
  })
  await updateFailures(tx, counted)
  return 0
}

/** Nothing for the first ones, then 1, 2, 4, … seconds. */
function waitAfter(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(2 ** Math.min(failures - free, 20), MAX_WAIT_SECONDS)
}

function networkOf(address: Address | null): string {
  if (!address) return 'local'
  return address.kind() === 'ipv4' ? maskAddress(address) : callerGroup(address)
}

const tooMany = (seconds: number) => refuse('attempts_too_many', { seconds }, { retryAfterSeconds: seconds })

/** The value of a cookie for a device that has logged in. Ends with the next change of the password. */
export function newDevice(app: IdentityDeps, { id, deviceKey }: NonNullable<Known>): string {
  const text = `${id}.${app.clock.now().getTime()}.${app.random.hex(8)}`
  return `${text}.${macOf(deviceKey, `device ${text}`)}`
}

function deviceCounter({ clock }: IdentityDeps, known: Known, { device }: Visitor): Counter | null {
  const [, text, id, issued, mac] = /^(([0-9a-f]{24})\.(\d{1,16})\.[0-9a-f]{16})\.([\w-]{43})$/.exec(device ?? '') ?? []
  if (!known || text === undefined || mac === undefined || id !== known.id) return null
  const isOld = plusSeconds(new Date(Number(issued)), DEVICE_DAYS * 86_400) < clock.now()
  return isOld || !sameText(mac, macOf(known.deviceKey, `device ${text}`))
    ? null
    : { key: digestOf(`device ${text}`), free: 10 }
}
