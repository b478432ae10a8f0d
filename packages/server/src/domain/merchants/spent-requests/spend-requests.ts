import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { WINDOW_SECONDS } from '../../../platform/crypto/signature.ts'
import type { NewSpentRequest, RequestKey, StoredRefusal } from './store.ts'
import { deleteExpired, insertSpentRequests } from './store.ts'

type Deps = { db: Db; realClock: Clock }

/** `timestamp` is X-Timestamp: the request stays valid until the window behind it has passed. */
export type SignedRequest = RequestKey & { timestamp: string }
export type RefusedRequest = SignedRequest & { refusal: Refusal }

/** Rows outlive the window by this much, for clocks of processes that are apart. */
const SLACK_SECONDS = 60
/** Characters of JSON. With it the table's bound in bytes follows from the bound in rows. */
const MAX_STORED = 2000
const REFUSED_BEFORE = '(This signed request was refused before; sign it again with a new timestamp.)'
/** Rows a worker deletes at once: some milliseconds of work. */
const PRUNED_AT_ONCE = 5000

/** Before a call without a processId runs. It runs once, even if it then fails: a second time it is refused here. */
export async function spendRequest({ db, realClock }: Deps, request: SignedRequest): Promise<void> {
  const row = { ...request, expiresAt: expiryOf(request), refusal: null }
  const [spent] = await db.oneStatement((tx) => insertSpentRequests(tx, [row], realClock.now()))
  if (!spent?.added) throw repeated(spent?.receivedAt ?? null)
}

/**
 * Before a refusal is returned. One outcome per request: the refusal to return, which is the first one recorded for
 * these signed bytes. A call that had been let through to its handler keeps its own.
 */
export async function recordRefusals(
  { db, realClock }: Deps,
  refused: RefusedRequest[],
): Promise<{ refusal: Refusal }[]> {
  const requests = refused.map((request) => ({ ...request, refusal: bounded(request.refusal) }))
  const rows = requests.map((request): NewSpentRequest => {
    const { merchantId, signature, refusal } = request
    return { merchantId, signature, expiresAt: expiryOf(request), refusal: storedOf(refusal) }
  })
  const spent = await db.oneStatement((tx) => insertSpentRequests(tx, rows, realClock.now()))
  const first = new Map(spent.map((one) => [keyOf(one), one]))
  return requests.map((request) => {
    const { refusal: stored, added } = first.get(keyOf(request)) ?? {}
    if (!stored) return { refusal: request.refusal }
    // What was wrong may be mended, in a header or a setting: the caller must not look for it once more.
    const message = added ? stored.message : `${stored.message} ${REFUSED_BEFORE}`
    return { refusal: new Refusal(stored.code, message, stored) }
  })
}

function storedOf({ code, message, details }: Refusal): StoredRefusal {
  return { code, message, ...(details && { details }) }
}

/** Refusals quote what was sent. A long one is cut before it is returned, so that a repeat gets the same. */
function bounded(refusal: Refusal): Refusal {
  if (JSON.stringify(storedOf(refusal)).length <= MAX_STORED) return refusal
  // Three fields and the message make seven texts.
  const cut = (text: string) => text.slice(0, MAX_STORED / 8).toWellFormed()
  const { code, message, details } = refusal
  const fields = Array.isArray(details) ? details.slice(0, 3) : []
  return new Refusal(code, cut(message), {
    ...(fields.length > 0 && {
      details: fields.map(({ field, problem }) => ({ field: cut(field), problem: cut(problem) })),
    }),
  })
}

/** The rows are gone soon after they have become useless; the answer is how many were deleted. */
export function pruneSpentRequests({ db, realClock }: Deps): Promise<number> {
  return db.oneStatement((tx) => deleteExpired(tx, realClock.now(), PRUNED_AT_ONCE))
}

/** For a creation whose bytes were refused before; `recordRefusals` puts the first refusal in its place. */
export function repeated(receivedAt: Date | null): Refusal {
  const when = receivedAt ? `, at ${receivedAt.toISOString()}` : ''
  return new Refusal(
    'REQUEST_REPEATED',
    `This exact signed request was received before${when}. Look the result up with GET, or sign again with a new timestamp.`,
  )
}

function keyOf({ merchantId, signature }: { merchantId: string; signature?: string | null }): string {
  return `${merchantId}/${signature}`
}

function expiryOf({ timestamp }: SignedRequest): Date {
  return new Date((Number(timestamp) + WINDOW_SECONDS + SLACK_SECONDS) * 1000)
}
