import { batcher } from '../../platform/concurrency/batcher.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { cached } from '../../platform/concurrency/cached.ts'
import { banksOff } from '../merchants/index.ts'
import type { Bank, BankOption, CollectingAccount } from './bank.ts'
import { FAST, INTERBANK_CURRENCY, isOffered } from './bank.ts'
import { accountsInForce } from './mark-accounts.ts'
import type { FastCap } from './rail-calendar.ts'
import type { Holiday, LimitRow } from './store.ts'
import { selectBanks, selectFastCaps, selectHolidays, selectLimits } from './store.ts'

/** Banks, limits and collecting accounts, cached: small, read often, changed rarely. */
export type BankDirectory = {
  /** What a merchant may offer to its customers: FAST first, then the banks in Turkish alphabetical order. */
  optionsFor: (merchantId: string, currency: string) => Promise<BankOption[]>
  bank: (id: string) => Promise<Bank | undefined>
  bankByCode: (code: string) => Promise<Bank | undefined>
  account: (id: string) => Promise<CollectingAccount | undefined>
  /** One of our accounts, in any state. Expects a normalised IBAN. */
  accountByIban: (iban: string) => Promise<CollectingAccount | undefined>
  /** Active accounts that can receive a payment with this choice; FAST reaches any bank, in TRY. */
  accountsFor: (bankId: string, currency: string) => Promise<CollectingAccount[]>
  blockedAccounts: () => Promise<CollectingAccount[]>
  banks: () => Promise<Bank[]>
  holidays: () => Promise<Holiday[]>
  fastCaps: () => Promise<FastCap[]>
  accounts: () => Promise<CollectingAccount[]>
}

type Snapshot = {
  banks: Bank[]
  byId: Map<string, Bank>
  limits: LimitRow[]
  accounts: CollectingAccount[]
  holidays: Holiday[]
  fastCaps: FastCap[]
  accountsById: Map<string, CollectingAccount>
  accountsByIban: Map<string, CollectingAccount>
  // Computed once per snapshot, because every deposit reads it.
  /** By currency. */
  options: Map<string, BankOption[]>
  /** By currency and choice. */
  active: Map<string, CollectingAccount[]>
}

const SNAPSHOT_KEY = 'snapshot'

export function openBankDirectory({ db, marks }: { db: Db; marks: Marks }): BankDirectory {
  const snapshots = cached(async (_: typeof SNAPSHOT_KEY): Promise<Snapshot> => {
    const [banks, limits, accounts, holidays, fastCaps] = await Promise.all([
      selectBanks(db),
      selectLimits(db),
      accountsInForce({ db, marks }),
      selectHolidays(db),
      selectFastCaps(db),
    ])
    banks.sort((a, b) => Number(b.id === FAST) - Number(a.id === FAST) || a.name.localeCompare(b.name, 'tr'))
    return {
      banks,
      byId: new Map(banks.map((bank) => [bank.id, bank])),
      limits,
      accounts,
      holidays,
      fastCaps,
      accountsById: new Map(accounts.map((account) => [account.id, account])),
      accountsByIban: new Map(accounts.map((account) => [account.iban, account])),
      options: new Map(),
      active: new Map(),
    }
  })
  // The entries of many merchants expire at the same moment: one query for all of them.
  const disabledBanks = batcher(async (merchantIds: string[]): Promise<Set<string>[]> => {
    const disabled = await banksOff(db, merchantIds)
    return merchantIds.map((id) => new Set(disabled.get(id)))
  })
  const options = cached(async (key: string): Promise<BankOption[]> => {
    const [merchantId = '', currency = ''] = key.split('/')
    const [snapshot, disabled] = await Promise.all([snapshots(SNAPSHOT_KEY), disabledBanks(merchantId)])
    return optionsOf(snapshot, currency, disabled)
  })
  return {
    optionsFor: (merchantId, currency) => options(`${merchantId}/${currency}`),
    bank: async (id) => (await snapshots(SNAPSHOT_KEY)).byId.get(id),
    bankByCode: async (code) => (await snapshots(SNAPSHOT_KEY)).banks.find((bank) => bank.code === code),
    account: async (id) => (await snapshots(SNAPSHOT_KEY)).accountsById.get(id),
    accountByIban: async (iban) => (await snapshots(SNAPSHOT_KEY)).accountsByIban.get(iban),
    accountsFor: async (bankId, currency) => activeAccounts(await snapshots(SNAPSHOT_KEY), bankId, currency),
    blockedAccounts: async () => (await snapshots(SNAPSHOT_KEY)).accounts.filter(({ state }) => state === 'blocked'),
    banks: async () => (await snapshots(SNAPSHOT_KEY)).banks,
    holidays: async () => (await snapshots(SNAPSHOT_KEY)).holidays,
    fastCaps: async () => (await snapshots(SNAPSHOT_KEY)).fastCaps,
    accounts: async () => (await snapshots(SNAPSHOT_KEY)).accounts,
  }
}

function optionsOf(snapshot: Snapshot, currency: string, disabled: Set<string>): BankOption[] {
  let options = snapshot.options.get(currency)
  if (!options) snapshot.options.set(currency, (options = allOptions(snapshot, currency)))
  return disabled.size === 0 ? options : options.filter(({ id }) => !disabled.has(id))
}

function allOptions(snapshot: Snapshot, currency: string): BankOption[] {
  return snapshot.banks.flatMap(({ id, code, name, enabled }) => {
    const limits = snapshot.limits.find((limit) => limit.bankId === id && limit.currency === currency)
    // A bank without an account to pay into is not available, even if it is enabled.
    const payable = activeAccounts(snapshot, id, currency).length > 0
    if (!enabled || !limits || !payable) return []
    return { id, code, name, minAmount: limits.minAmount, maxAmount: limits.maxAmount }
  })
}

function activeAccounts({ accounts, active }: Snapshot, bankId: string, currency: string): CollectingAccount[] {
  const key = `${currency}/${bankId}`
  let found = active.get(key)
  if (!found) {
    found = accounts.filter((account) => {
      const isReachable = bankId === FAST ? currency === INTERBANK_CURRENCY : account.bankId === bankId
      return isReachable && isOffered(account) && account.currency === currency
    })
    active.set(key, found)
  }
  return found
}
