import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { WINDOW_SECONDS } from '../../../platform/crypto/signature.ts'
import type { NewSpentRequest, RequestKey, StoredRefusal } from './store.ts'
import { insertLargeRow, deleteExpired, insertSpentRequests } from './store.ts'

type Deps = { db: Db; realClock: Clock }

/** `timestamp` is X-Timestamp: the request stays valid until the window after it has passed. */
export type SignedRequest = RequestKey & { timestamp: string }
export type RefusedRequest = SignedRequest & { refusal: Refusal }

/** Rows are kept longer than the window by this much, for clock differences between processes. */
const SLACK_SECONDS = 60
/** Characters of JSON per row. Bounds the table in bytes, given its bound in rows. */
const MAX_STORED_LENGTH = 2000
const REFUSED_BEFORE = '(This signed request was refused before; sign it again with a new timestamp.)'
/** Rows deleted per transaction, which takes some milliseconds. */
const PRUNE_BATCH_SIZE = 5000

/** Called before a request without a processId runs. It runs once, even if it fails; a repeat is refused here. */
export async function spendRequest({ db, realClock }: Deps, request: SignedRequest): Promise<void> {
  const row = { ...request, expiresAt: expiryOf(request), refusal: null }
  const [spent] = await db.oneStatement((tx) => insertSpentRequests(tx, [row], realClock.now()))
  if (!spent?.added) throw repeated(spent?.receivedAt ?? null)
}

/**
 * Called before a refusal is returned. One outcome per request: the first refusal recorded for these signed bytes. A
 * request that had reached its handler keeps its own refusal.
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

/** Refusals quote input. A long one is cut before it is returned, so that a repeat gets the same text. */
function bounded(refusal: Refusal): Refusal {
  if (JSON.stringify(storedOf(refusal)).length <= MAX_STORED_LENGTH) return refusal
  // An eighth each: the message, and field and problem of three fields, are seven texts.
  const cut = (text: string) => text.slice(0, MAX_STORED_LENGTH / 8).toWellFormed()
  const { code, message, details } = refusal
  const fields = Array.isArray(details) ? details.slice(0, 3) : []
  return new Refusal(code, cut(message), {
    ...(fields.length > 0 && {
      details: fields.map(({ field, problem }) => ({ field: cut(field), problem: cut(problem) })),
    }),
  })
}

/** Deletes rows soon after they expire. Returns their number. */
export function pruneSpentRequests({ db, realClock }: Deps): Promise<number> {
  return db.oneStatement((tx) => deleteExpired(tx, realClock.now(), PRUNE_BATCH_SIZE))
}

/** For a creation whose bytes were refused before; `recordRefusals` replaces it with the first refusal. */
/** Writes 256 kB and takes them back: with a full disk, changes in place still succeed, and this does not. */
export async function tryLargeWrite({ db, realClock }: Deps): Promise<void> {
  const undone = new Error('rolled back')
  const wrote = db.transaction(async (tx) => {
    await insertLargeRow(tx, realClock.now())
    throw undone
  })
  await wrote.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

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
