import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Random } from '../../platform/crypto/random.ts'
import { cached } from '../../platform/concurrency/cached.ts'
import type { BankDirectory, CollectingAccount } from '../banks/index.ts'
import { istanbul } from '../../kernel/istanbul.ts'
import { receivedOn } from '../statements/index.ts'
import type { Load } from './account-load.ts'
import { addCertain, addUnpaid, emptyLoad, takes } from './account-load.ts'
import type { Deposit } from './deposit.ts'
import { selectPendingLoads } from './store.ts'

/** Chooses the collecting account of a deposit: the least loaded one that may still take the amount today. */
export type AccountPool = {
  /** Number of open deposits of the merchant. If below `most`, this one is added to the count. */
  admit: (merchantId: string, most: number) => Promise<number>
  assign: (
    merchantId: string,
    bankId: string,
    currency: string,
    amount: bigint,
    except?: string,
  ) => Promise<string | null>
  /** Releases a deposit that was counted but not created, because its processId was already used. */
  release: (deposit: Pick<Deposit, 'merchantId' | 'collectingAccountId' | 'amount'>) => Promise<void>
  /** The customer went back to the bank list: frees what was counted for the account. */
  giveBack: (merchantId: string, accountId: string, amount: bigint) => Promise<void>
}

type Loads = { accounts: Map<string, Load>; open: Map<string, number> }

/**
 * Load may be stale: it balances accounts and does not count money. It is refreshed in the background,
 * less often the longer that takes: counting half a million open deposits takes 250 ms.
 */
const AGE = { renewAfterMs: 2000, maxAgeMs: 30_000 }

export function openAccountPool(app: { db: Db; banks: BankDirectory; clock: Clock; random: Random }): AccountPool {
  let given = noLoads()
  const loads = cached(async (day: string) => {
    const meanwhile = (given = noLoads())
    const counted = await readLoads(app, day)
    // Assignments made during the count may be missing from it.
    for (const [merchantId, count] of meanwhile.open) addOpen(counted, merchantId, count)
    for (const [id, { unpaid }] of meanwhile.accounts) {
      for (const [merchantId, { count, amount }] of unpaid) addUnpaid(loadOf(counted, id), merchantId, count, amount)
    }
    return counted
  }, AGE)
  const today = () => loads(istanbul(app.clock.now()).day)
  /** Assignments of this process count immediately, before the next database read. */
  const note = (all: Loads, accountId: string, merchantId: string, count: number, amount: bigint) => {
    for (const one of [all, given]) addUnpaid(loadOf(one, accountId), merchantId, count, amount)
  }
  return {
    async admit(merchantId, most) {
      const all = await today()
      const open = all.open.get(merchantId) ?? 0
      if (open < most) {
        addOpen(all, merchantId, 1)
        addOpen(given, merchantId, 1)
      }
      return open
    },
    async assign(merchantId, bankId, currency, amount, except) {
      const all = await app.banks.accountsFor(bankId, currency)
      const candidates = except === undefined ? all : all.filter(({ id }) => id !== except)
      const [only] = candidates
      // Fast path for most banks: a single account without limits, nothing to compare.
      if (candidates.length === 1 && only?.dailyAmountLimit === null && only.dailyCountLimit === null) return only.id
      const known = await today()
      const chosen = leastLoaded(candidates, known, merchantId, amount, app.random)
      if (chosen) note(known, chosen.id, merchantId, 1, amount)
      return chosen?.id ?? null
    },
    async release({ merchantId, collectingAccountId, amount }) {
      const all = await today()
      for (const one of [all, given]) addOpen(one, merchantId, -1)
      if (collectingAccountId !== null) note(all, collectingAccountId, merchantId, -1, -amount)
    },
    async giveBack(merchantId, accountId, amount) {
      note(await today(), accountId, merchantId, -1, -amount)
    },
  }
}

function noLoads(): Loads {
  return { accounts: new Map(), open: new Map() }
}

async function readLoads(
  { db, banks, clock }: { db: Db; banks: BankDirectory; clock: Clock },
  day: string,
): Promise<Loads> {
  const accounts = await banks.accounts()
  const limited = accounts.filter((account) => account.dailyAmountLimit !== null || account.dailyCountLimit !== null)
  const limitedIds = limited.map(({ id }) => id)
  const [pending, received] = await Promise.all([selectPendingLoads(db, limitedIds, clock.now()), receivedOn(db, day)])
  const loads = noLoads()
  for (const account of accounts) loads.accounts.set(account.id, emptyLoad(account))
  for (const { merchantId, collectingAccountId, count, amount, claimedCount, claimedAmount } of pending) {
    if (collectingAccountId === null) {
      addOpen(loads, merchantId ?? '', count)
      continue
    }
    const load = loadOf(loads, collectingAccountId)
    addUnpaid(load, merchantId ?? '', count - claimedCount, amount - claimedAmount)
    addCertain(load, claimedCount, claimedAmount)
    load.open += claimedCount
  }
  for (const { collectingAccountId, count, amount } of received) {
    addCertain(loadOf(loads, collectingAccountId), count, amount)
  }
  return loads
}

function loadOf({ accounts }: Loads, id: string): Load {
  let load = accounts.get(id)
  if (!load) accounts.set(id, (load = emptyLoad(undefined)))
  return load
}

function addOpen({ open }: Loads, merchantId: string, count: number): void {
  open.set(merchantId, (open.get(merchantId) ?? 0) + count)
}

/** Single pass, because it runs for every deposit. Ties are broken at random. */
function leastLoaded(
  accounts: CollectingAccount[],
  loads: Loads,
  merchantId: string,
  amount: bigint,
  random: Random,
): CollectingAccount | undefined {
  let equal: CollectingAccount[] = []
  let least = Number.POSITIVE_INFINITY
  for (const account of accounts) {
    const load = loadOf(loads, account.id)
    if (load.open > least || !takes(account, load, merchantId, amount)) continue
    if (load.open < least) equal = []
    least = load.open
    equal.push(account)
  }
  return equal.length > 1 ? equal[random.bytes(4).readUInt32BE() % equal.length] : equal[0]
}
