import type { Marks } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { MatchingRules, PayoutRules } from './policies.ts'
import { isUnset } from './policies.ts'
import type { CallerRow, MerchantRow } from './store.ts'
import { listMerchants, updateSettingMark } from './store.ts'

/** What is paid without approval, what is taken for a payment, and who may ask for money. Each is decided, and marked, for itself. */
const SAID = {
  payout_rules: ({ payoutRules }: MerchantRow) => payoutRules,
  matching: ({ matching }: MerchantRow) => matching,
  networks: ({ networks }: Pick<MerchantRow, 'networks'>) => networks.toSorted(),
} as const
export type MarkedSetting = keyof typeof SAID
const SETTINGS = Object.keys(SAID) as MarkedSetting[]

export function isMarked(what: string): what is MarkedSetting {
  return Object.hasOwn(SAID, what)
}

const nameOf = (merchantId: string, what: MarkedSetting) => ownerOf('merchants', [merchantId, what])

/** No call comes from it. */
export const NOWHERE = '255.255.255.255'

/** In force instead of what someone else has written: two people decide. */
const RULES: PayoutRules = {
  approvalThreshold: 1n,
  dailyAmount: null,
  dailyCount: null,
  dailyIbanAmount: null,
  dailyIbanCount: null,
}
const MATCHING: MatchingRules = {
  amount: 'exact',
  tolerance: 0n,
  late: 'review',
  nameCheck: 'require',
  approveFrom: 1n,
}

export async function callerInForce<Row extends CallerRow>(marks: Marks, row: Row): Promise<Row> {
  const fits = await marks.fits(row.settingMarks['networks'] ?? null, nameOf(row.id, 'networks'), SAID.networks(row))
  return fits ? row : { ...row, networks: [NOWHERE] }
}

/** `unrecorded`: settings that someone else has written. */
export type InForce = MerchantRow & { unrecorded: MarkedSetting[] }

export async function inForce(marks: Marks, row: MerchantRow): Promise<InForce> {
  const unrecorded = await unrecordedOf(marks, row)
  return {
    ...row,
    unrecorded,
    ...(unrecorded.includes('payout_rules') && { payoutRules: RULES }),
    ...(unrecorded.includes('matching') && { matching: MATCHING }),
    ...(unrecorded.includes('networks') && { networks: [NOWHERE] }),
  }
}

async function unrecordedOf(marks: Marks, row: MerchantRow): Promise<MarkedSetting[]> {
  // Rules that were never set allow nothing: two people approve every payout.
  const set = isUnset(row.payoutRules) ? SETTINGS.filter((what) => what !== 'payout_rules') : SETTINGS
  const fits = await Promise.all(
    set.map((what) => marks.fits(row.settingMarks[what] ?? null, nameOf(row.id, what), SAID[what](row))),
  )
  return set.filter((_, at) => !fits[at])
}

/** In the transaction that has written them. `row`: as it is then. */
export async function markSetting(marks: Marks, tx: Tx, row: MerchantRow, what: MarkedSetting): Promise<void> {
  await updateSettingMark(tx, row.id, what, await marks.of(nameOf(row.id, what), SAID[what](row)))
}

/** The first start, which makes the key of marks, marks the settings that are there. */
export async function markAllSettings(tx: Tx, marks: Marks): Promise<void> {
  for (const row of await listMerchants(tx)) {
    for (const what of SETTINGS) await markSetting(marks, tx, row, what)
  }
}

/** Settings that the service has not written, as `payout_rules of MERCHANT`. */
export async function forgedSettings({ db, marks }: { db: Queryable; marks: Marks }): Promise<string[]> {
  const all = await listMerchants(db)
  const found = await Promise.all(all.map(async (row) => ({ id: row.id, unrecorded: await unrecordedOf(marks, row) })))
  return found.flatMap(({ id, unrecorded }) => unrecorded.map((what) => `${what} of ${id}`))
}
