import type { Ids } from '../../../platform/crypto/ids.ts'
import { firstIdOfSecond } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import { updateLastUsed } from '../keys/store.ts'
import { listMerchants } from '../store.ts'
import type { ApiCall, CallFilter, RejectedAddress } from './store.ts'
import {
  deleteCalls,
  deleteRejected,
  insertCalls,
  selectCall,
  selectCalls,
  selectRejected,
  upsertRejected,
} from './store.ts'

export type { ApiCall } from './store.ts'

/** Rows between two writes, about a second: what is above is counted and not kept. Failures have a reserve. */
const MOST_SUCCESSES = 300
const MOST_CALLS = 500
const MOST_REJECTED = 200
/** A secret's last use is written this often. */
const USED_EVERY_MS = 60_000

type Deps = { db: Db; ids: Ids; clock: Clock; metrics: { lostCalls: { inc: () => void } } }
type SeenCall = Omit<ApiCall, 'id' | 'at'> & { secret: SecretKey | null }
type SecretKey = { apiKey: string; id: string }

export type CallLog = {
  /** Only notes it in memory: no request waits for the log. */
  record: (call: SeenCall) => void
  flush: () => Promise<void>
}

/** Calls of merchants, their rejected addresses and the last use of their secrets, written together once a second. */
export function openCallLog({ db, ids, clock, metrics }: Deps): CallLog {
  let calls: ApiCall[] = []
  const rejected = new Map<string, RejectedAddress>()
  const used = new Map<string, SecretKey & { at: Date; written: boolean }>()

  function noteRejected(merchantId: string, address: string, at: Date): void {
    const key = `${merchantId} ${address}`
    const known = rejected.get(key)
    if (known) Object.assign(known, { times: known.times + 1, lastAt: at })
    else if (rejected.size < MOST_REJECTED)
      rejected.set(key, { merchantId, address, times: 1, firstAt: at, lastAt: at })
  }
  function noteSecret(secret: SecretKey, at: Date): void {
    const known = used.get(secret.id)
    if (!known || at.getTime() - known.at.getTime() >= USED_EVERY_MS)
      used.set(secret.id, { ...secret, at, written: false })
  }
  return {
    record({ secret, ...call }) {
      const at = clock.now()
      if (secret) noteSecret(secret, at)
      if (call.code === 'IP_NOT_WHITELISTED' && call.address !== null) noteRejected(call.merchantId, call.address, at)
      if (calls.length >= (call.status < 400 ? MOST_SUCCESSES : MOST_CALLS)) return metrics.lostCalls.inc()
      calls.push({ ...call, id: ids.next(), at })
    },
    async flush() {
      const [made, addresses, secrets] = [
        calls,
        [...rejected.values()],
        [...used.values()].filter((one) => !one.written),
      ]
      if (made.length + addresses.length + secrets.length === 0) return
      calls = []
      rejected.clear()
      for (const one of secrets) one.written = true
      await db.transaction(async (tx) => {
        if (made.length > 0) await insertCalls(tx, made)
        if (addresses.length > 0) await upsertRejected(tx, addresses)
        if (secrets.length > 0) await updateLastUsed(tx, secrets)
      })
    },
  }
}

const KEEP_DAYS = 7
const KEEP_CALLS = 10_000
const KEEP_REJECTED_DAYS = 30
const KEEP_REJECTED = 50
const PRUNE_BATCH = 5000

/** Returns the number of calls deleted. */
export async function pruneCalls({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const before = firstIdOfSecond(Math.floor(ago(KEEP_DAYS).getTime() / 1000))
  let deleted = 0
  for (const { id } of await listMerchants(db)) {
    deleted += await db.transaction(async (tx) => {
      await deleteRejected(tx, id, { before: ago(KEEP_REJECTED_DAYS), most: KEEP_REJECTED })
      return deleteCalls(tx, id, { before, most: KEEP_CALLS, limit: PRUNE_BATCH })
    })
  }
  return deleted
}

export function listCalls(db: Queryable, merchantId: string, filter: CallFilter): Promise<ApiCall[]> {
  return selectCalls(db, merchantId, filter)
}

export async function findCall(db: Queryable, merchantId: string, id: string): Promise<ApiCall | null> {
  return (await selectCall(db, merchantId, id)) ?? null
}

export function rejectedAddresses(db: Queryable, merchantId: string): Promise<RejectedAddress[]> {
  return selectRejected(db, merchantId, KEEP_REJECTED)
}
