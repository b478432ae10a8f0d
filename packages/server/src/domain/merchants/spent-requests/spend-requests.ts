import type { Clock } from '../../../platform/time/clock.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Refusal, StoredRefusal } from '../../../platform/refusal.ts'
import { refusalFrom, storedRefusal } from '../../../platform/refusal.ts'
import { WINDOW_SECONDS } from '../../../platform/crypto/signature.ts'
import type { NewSpentRequest, RequestKey } from './store.ts'
import { insertLargeRow, deleteExpired, insertSpentRequests } from './store.ts'

type Deps = { db: Db; realClock: Clock }

/** `timestamp` is X-Timestamp: the request stays valid until the window after it has passed. */
export type SignedRequest = RequestKey & { timestamp: string }
export type RefusedRequest = SignedRequest & { refusal: Refusal }

/** `isRepeat`: these signed bytes were refused before, with this refusal. */
export type RecordedRefusal = { refusal: Refusal; isRepeat: boolean }

/** Rows are kept longer than the window by this much, for clock differences between processes. */
const SLACK_SECONDS = 60
/** Characters of JSON per row. Bounds the table in bytes, given its bound in rows. */
const MAX_STORED_LENGTH = 2000
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
export async function recordRefusals({ db, realClock }: Deps, refused: RefusedRequest[]): Promise<RecordedRefusal[]> {
  const requests = refused.map((request) => ({ ...request, refusal: bounded(request.refusal) }))
  const rows = requests.map((request): NewSpentRequest => {
    const { merchantId, signature, refusal } = request
    return { merchantId, signature, expiresAt: expiryOf(request), refusal: storedRefusal(refusal) }
  })
  const spent = await db.oneStatement((tx) => insertSpentRequests(tx, rows, realClock.now()))
  const first = new Map(spent.map((one) => [keyOf(one), one]))
  return requests.map((request) => {
    const { refusal: stored, added } = first.get(keyOf(request)) ?? {}
    return stored ? { refusal: refusalFrom(stored), isRepeat: !added } : { refusal: request.refusal, isRepeat: false }
  })
}

/** Refusals quote input. A long one is cut before it is returned, so that a repeat gets the same text. */
function bounded(refusal: Refusal): Refusal {
  const text = JSON.stringify(storedRefusal(refusal))
  if (text.length <= MAX_STORED_LENGTH) return refusal
  // An eighth each: the message, and field and problem of three fields, are seven texts.
  const cut = (_: string, value: unknown) => {
    if (Array.isArray(value)) return value.slice(0, 3)
    return typeof value === 'string' ? value.slice(0, MAX_STORED_LENGTH / 8).toWellFormed() : value
  }
  return refusalFrom(JSON.parse(text, cut) as StoredRefusal)
}

/** Deletes rows soon after they expire. Returns their number. */
export function pruneSpentRequests({ db, realClock }: Deps): Promise<number> {
  return db.oneStatement((tx) => deleteExpired(tx, realClock.now(), PRUNE_BATCH_SIZE))
}

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

/** For a creation whose bytes were refused before; `recordRefusals` replaces it with the first refusal. */
export function repeated(receivedAt: Date | null): Refusal {
  return refuse('request_repeated', { at: receivedAt?.toISOString() ?? null })
}

function keyOf({ merchantId, signature }: { merchantId: string; signature?: string | null }): string {
  return `${merchantId}/${signature}`
}

function expiryOf({ timestamp }: SignedRequest): Date {
  return new Date((Number(timestamp) + WINDOW_SECONDS + SLACK_SECONDS) * 1000)
}
