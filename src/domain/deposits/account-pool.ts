import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import type { Random } from '../../platform/random.ts'
import { remember } from '../../platform/remember.ts'
import type { BankDirectory, CollectingAccount } from '../banks/index.ts'
import { istanbul } from '../banks/index.ts'
import { receivedOn } from '../statements/index.ts'
import { selectPendingLoads } from './store.ts'

/** Which collecting account a deposit gets: the least loaded one that may still take the amount today. */
export type AccountPool = {
  assign: (bankId: string, currency: string, amount: bigint, except?: string) => Promise<string | null>
  /** A customer went back to the list: what was counted for the account is free again. */
  giveBack: (accountId: string, amount: bigint) => Promise<void>
}

type Load = { count: number; amount: bigint; receivedCount: number; receivedAmount: bigint }

/**
 * Load may be a while old: it spreads customers, it does not count money. It is read behind the backs of those who ask, and less often
 * the longer that takes: with half a million deposits open, counting them takes a quarter of a second.
 */
const AGE = { renewAfterMs: 2000, forMs: 30_000 }

export function openAccountPool(app: { db: Db; banks: BankDirectory; clock: Clock; random: Random }): AccountPool {
  let given = new Map<string, Load>()
  const loads = remember(async (day: string) => {
    const meanwhile = (given = new Map<string, Load>())
    const counted = await readLoads(app.db, day)
    // What was given out during the count may be missing in it.
    for (const [id, { amount, count }] of meanwhile) addTo(counted, id, amount, count)
    return counted
  }, AGE)
  const note = (load: Map<string, Load>, id: string, amount: bigint, count: number) => {
    addTo(load, id, amount, count)
    addTo(given, id, amount, count)
  }
  return {
    async assign(bankId, currency, amount, except) {
      const all = await app.banks.accountsFor(bankId, currency)
      const candidates = except === undefined ? all : all.filter(({ id }) => id !== except)
      const [only] = candidates
      // The usual case at most banks, and the one on the hot path: nothing to weigh.
      if (candidates.length === 1 && only?.dailyAmountLimit === null && only.dailyCountLimit === null) return only.id
      const load = await loads(istanbul(app.clock.now()).day)
      const chosen = leastLoaded(candidates, load, amount, app.random)
      if (chosen) note(load, chosen.id, amount, 1)
      return chosen?.id ?? null
    },
    async giveBack(accountId, amount) {
      note(await loads(istanbul(app.clock.now()).day), accountId, -amount, -1)
    },
  }
}

async function readLoads(db: Db, day: string): Promise<Map<string, Load>> {
  const [pending, received] = await Promise.all([selectPendingLoads(db), receivedOn(db, day)])
  const loads = new Map<string, Load>()
  const of = (id: string) => {
    const load = loads.get(id) ?? { count: 0, amount: 0n, receivedCount: 0, receivedAmount: 0n }
    loads.set(id, load)
    return load
  }
  for (const { collectingAccountId, count, amount } of pending)
    Object.assign(of(collectingAccountId), { count, amount })
  for (const { collectingAccountId, count, amount } of received) {
    Object.assign(of(collectingAccountId), { receivedCount: count, receivedAmount: amount })
  }
  return loads
}

/** What has arrived today and what is still expected count alike: both will be on the account by tonight. */
function takes({ dailyAmountLimit, dailyCountLimit }: CollectingAccount, load: Load, amount: bigint): boolean {
  const { count, amount: expected, receivedCount, receivedAmount } = load
  if (dailyCountLimit !== null && count + receivedCount >= dailyCountLimit) return false
  return dailyAmountLimit === null || expected + receivedAmount + amount <= dailyAmountLimit
}

const NO_LOAD: Load = { count: 0, amount: 0n, receivedCount: 0, receivedAmount: 0n }

/** One pass, on the path of every deposit; of equal ones, any. */
function leastLoaded(
  accounts: CollectingAccount[],
  loads: Map<string, Load>,
  amount: bigint,
  random: Random,
): CollectingAccount | undefined {
  let equal: CollectingAccount[] = []
  let least = Number.POSITIVE_INFINITY
  for (const account of accounts) {
    const load = loads.get(account.id) ?? NO_LOAD
    if (load.count > least || !takes(account, load, amount)) continue
    if (load.count < least) equal = []
    least = load.count
    equal.push(account)
  }
  return equal.length > 1 ? equal[random.bytes(4).readUInt32BE() % equal.length] : equal[0]
}

/** What this process has just given out counts at once, before the next look at the database. */
function addTo(loads: Map<string, Load>, id: string, amount: bigint, count: number): void {
  let load = loads.get(id)
  if (!load) loads.set(id, (load = { ...NO_LOAD }))
  load.count += count
  load.amount += amount
}
