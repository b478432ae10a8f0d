import { createHash } from 'node:crypto'
import { money } from '../../../kernel/refusals/facts.ts'
import type { FactsFor } from '../../../kernel/refusals/refuse.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { INTERBANK_CURRENCY } from '../../banks/index.ts'
import { balanceOf } from '../../ledger/index.ts'
import type { Merchant, SettlementAccount, SetSchedule } from '../../merchants/index.ts'
import {
  dueDay,
  findMerchant,
  findSetSchedule,
  findSettlementAccount,
  nextTime,
  noAccount,
  timeOn,
} from '../../merchants/index.ts'
import { unconfirmedMoney } from '../../statements/index.ts'
import { withdrawalsWithIds } from '../lists/store.ts'
import { findOpenRestore } from '../restores/store.ts'
import type { Withdrawal } from '../withdrawal.ts'
import type { Settlement } from './store.ts'
import { lastSettlements, notYetSettled } from './store.ts'

type HeldUpBy = FactsFor<'settlement_held_up'>['by']

/** What decides whether a balance can be sent. `waitsFor`: null if nothing holds settlements up. */
export type Sendable = {
  account: SettlementAccount | null
  /** Of it `unconfirmed` stays: no final statement of the bank contains its lines. */
  available: bigint
  unconfirmed: bigint
  waitsFor: HeldUpBy | null
}

/** What a person saw before asking for a settlement; `hash`: of the account and the last settlements. */
export type SeenSettlement = { amount: bigint; hash: string }

export type ShownSettlement = Settlement & { withdrawal: Withdrawal | null }

/** `waits`: its time has come, and it was not made yet. */
type Due = { at: Date; waits: boolean }

export type SettlementPreview = {
  account: SettlementAccount | null
  schedule: SetSchedule | null
  due: Due | null
  /** Newest first. */
  settlements: ShownSettlement[]
  /** What would leave now, or why nothing can. */
  now: SeenSettlement | Refusal
}

/** Settlements that are shown, and that a request is bound to. */
export const SETTLEMENTS_SHOWN = 10

/** What people see of a merchant's settlements before they ask for one. */
export async function previewSettlement(
  { db, clock, marks }: { db: Queryable; clock: Clock; marks: Marks },
  merchantId: string,
): Promise<SettlementPreview> {
  const account = await findSettlementAccount({ db, marks }, merchantId)
  // Before the balance: a settlement that is made between the two is not in the hash, and the request is refused.
  const made = await lastSettlements(db, merchantId, SETTLEMENTS_SHOWN)
  const { available } = await balanceOf(db, merchantId, INTERBANK_CURRENCY)
  const waitsFor = await waitsForWhat(db, await findMerchant({ db }, merchantId))
  const unconfirmed = await unconfirmedOf(db, merchantId)
  const possible = whatCanBeSent(merchantId, { account, available, unconfirmed, waitsFor })
  const ids = made.flatMap(({ withdrawalId }) => withdrawalId ?? [])
  const sent = new Map((await withdrawalsWithIds(db, merchantId, ids)).map((one) => [one.id, one]))
  const schedule = await findSetSchedule(db, merchantId)
  return {
    account,
    schedule,
    due: schedule && (await dueOf(db, merchantId, schedule, clock.now())),
    settlements: made.map((one) => ({ ...one, withdrawal: sent.get(one.withdrawalId ?? '') ?? null })),
    now:
      possible instanceof Refusal ? possible : { amount: possible.amount, hash: seenHash(merchantId, account, made) },
  }
}

async function dueOf(db: Queryable, merchantId: string, schedule: SetSchedule, now: Date): Promise<Due | null> {
  const next = nextTime(schedule, now)
  if (!next) return null
  const day = dueDay(schedule, now)
  const waits = day !== null && (await notYetSettled(db, [{ merchantId, day }])).length > 0
  return waits ? { at: timeOn(schedule, day), waits } : { at: next, waits }
}

/** What the merchant has by lines that no final statement contains. Read after the balance, so that none is left out. */
export async function unconfirmedOf(db: Queryable, merchantId: string): Promise<bigint> {
  const its = await unconfirmedMoney(db, [merchantId])
  return its.find(({ currency }) => currency === INTERBANK_CURRENCY)?.amount ?? 0n
}

/** All that is available and confirmed, and where it would go; or why it cannot be sent. */
export function whatCanBeSent(
  merchantId: string,
  { account, available, unconfirmed, waitsFor }: Sendable,
): { account: SettlementAccount; amount: bigint } | Refusal {
  if (!account) return noAccount(merchantId)
  if (waitsFor !== null) return refuse('settlement_held_up', { by: waitsFor })
  if (available > unconfirmed) return { account, amount: available - unconfirmed }
  return refuse('settlement_nothing_to_send', {
    available: money(available),
    unconfirmed: unconfirmed > 0n ? money(unconfirmed) : null,
  })
}

/** Null if nothing holds settlements of this merchant up. */
export async function waitsForWhat(db: Queryable, { frozen }: Pick<Merchant, 'frozen'>): Promise<HeldUpBy | null> {
  if (frozen) return 'merchant_frozen'
  // After a restore, payouts may have left that the balance does not know.
  return (await findOpenRestore(db)) ? 'restore_unchecked' : null
}

export function seenHash(merchantId: string, account: SettlementAccount | null, settlements: Settlement[]): string {
  const made = settlements.map(({ day, withdrawalId }) => [day, withdrawalId])
  const seen = [merchantId, account?.iban, account?.title, made]
  return createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
}
