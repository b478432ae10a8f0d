import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Fee } from '../../kernel/money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { NO_MERCHANT } from '../ledger/index.ts'
import { liveKeys } from './keys/store.ts'
import type { Brand, FeeTerms, LogoInk, MatchingPolicy, MatchingRules, PayoutRules } from './policies.ts'

export type FeeRow = FeeTerms & { setBy: string | null; createdAt: Date }

export type CallerRow = {
  id: string
  demo: boolean
  frozen: boolean
  /** The newest first. */
  fees: FeeRow[]
  requestsPerSecond: number
  maxOpenDeposits: number
  eftDeadlineHours: number | null
  refundsCharged: boolean
  returnOrigins: string[]
  networks: string[]
  /** By the setting that each covers. */
  settingMarks: Record<string, string>
}

export type MerchantRow = CallerRow & {
  name: string
  matching: MatchingRules
  brand: Brand
  payoutRules: PayoutRules
  createdAt: Date
}

/** What a signed request needs; read for every active caller once a second, so it is kept small. */
const callerColumns = sql`
  m.id, m.demo, m.frozen, m.requests_per_second as "requestsPerSecond", m.max_open_deposits as "maxOpenDeposits",
  m.return_origins as "returnOrigins", m.refunds_charged as "refundsCharged", m.eft_deadline_hours as "eftDeadlineHours",
  m.networks, m.setting_marks as "settingMarks",
  (
    select json_agg(json_build_object(
      'effectiveFrom', f.effective_from, 'setBy', f.set_by, 'createdAt', f.created_at,
      'deposit', array[f.deposit_bps, f.deposit_fixed, f.deposit_min, f.deposit_max]::text[],
      'withdraw', array[f.withdraw_bps, f.withdraw_fixed, f.withdraw_min, f.withdraw_max]::text[]
    ) order by f.effective_from desc, f.number desc)
    from merchant_fees f where f.merchant_id = m.id
  ) as fees`

const merchantColumns = sql`
  ${callerColumns}, m.name, m.created_at as "createdAt",
  m.amount_policy as "amountPolicy", m.amount_tolerance as "amountTolerance",
  m.late_policy as "latePolicy", m.name_check as "nameCheck", m.match_approval_from as "approveFrom", m.display_name as "displayName", m.accent,
  m.logo is not null as "hasLogo", m.logo_dark is not null as "hasDarkLogo", m.logo_ink as "logoInk",
  m.support_phone as "supportPhone", m.support_email as "supportEmail", m.support_address as "supportAddress", m.approval_threshold as "approvalThreshold",
  m.daily_withdraw_amount as "dailyAmount", m.daily_withdraw_count as "dailyCount",
  m.daily_iban_amount as "dailyIbanAmount", m.daily_iban_count as "dailyIbanCount"`

/** Amounts as text: JSON numbers would round the largest ones. */
type JsonFee = [bps: string, fixed: string, min: string, max: string | null]
type JsonFees = { effectiveFrom: string; deposit: JsonFee; withdraw: JsonFee; setBy: string | null; createdAt: string }

function shapeFees({ effectiveFrom, deposit, withdraw, setBy, createdAt }: JsonFees): FeeRow {
  const fee = ([bps, fixed, min, max]: JsonFee): Fee => {
    return { bps: Number(bps), fixed: BigInt(fixed), min: BigInt(min), max: max === null ? null : BigInt(max) }
  }
  return {
    effectiveFrom: new Date(effectiveFrom),
    deposit: fee(deposit),
    withdraw: fee(withdraw),
    setBy,
    createdAt: new Date(createdAt),
  }
}

type FlatRow = Omit<MerchantRow, 'fees' | 'matching' | 'brand' | 'payoutRules'> &
  PayoutRules &
  Omit<Brand, 'displayName'> & {
    fees: JsonFees[]
    amountPolicy: MatchingPolicy['amount']
    amountTolerance: bigint
    latePolicy: MatchingPolicy['late']
    nameCheck: MatchingPolicy['nameCheck']
    approveFrom: bigint | null
    displayName: string | null
  }

function shape(row: FlatRow): MerchantRow {
  return {
    id: row.id,
    name: row.name,
    demo: row.demo,
    frozen: row.frozen,
    fees: row.fees.map(shapeFees),
    requestsPerSecond: row.requestsPerSecond,
    maxOpenDeposits: row.maxOpenDeposits,
    refundsCharged: row.refundsCharged,
    eftDeadlineHours: row.eftDeadlineHours,
    returnOrigins: row.returnOrigins,
    networks: row.networks,
    settingMarks: row.settingMarks,
    matching: {
      amount: row.amountPolicy,
      tolerance: row.amountTolerance,
      late: row.latePolicy,
      nameCheck: row.nameCheck,
      approveFrom: row.approveFrom,
    },
    brand: {
      displayName: row.displayName ?? row.name,
      accent: row.accent,
      hasLogo: row.hasLogo,
      hasDarkLogo: row.hasDarkLogo,
      logoInk: row.logoInk,
      supportPhone: row.supportPhone,
      supportEmail: row.supportEmail,
      supportAddress: row.supportAddress,
    },
    payoutRules: {
      approvalThreshold: row.approvalThreshold,
      dailyAmount: row.dailyAmount,
      dailyCount: row.dailyCount,
      dailyIbanAmount: row.dailyIbanAmount,
      dailyIbanCount: row.dailyIbanCount,
    },
    createdAt: row.createdAt,
  }
}

export async function insertMerchant(
  tx: Tx,
  m: Pick<
    MerchantRow,
    'id' | 'name' | 'demo' | 'requestsPerSecond' | 'maxOpenDeposits' | 'returnOrigins' | 'networks' | 'createdAt'
  >,
): Promise<void> {
  await tx.query(sql`
    insert into merchants (id, name, demo, requests_per_second, max_open_deposits, return_origins, networks, created_at)
    values (
      ${m.id}, ${m.name}, ${m.demo}, ${m.requestsPerSecond}, ${m.maxOpenDeposits}, ${m.returnOrigins}, ${m.networks}, ${m.createdAt}
    )`)
}

export async function insertFees(tx: Tx, merchantId: string, number: number, fees: FeeRow): Promise<void> {
  const { deposit, withdraw } = fees
  await tx.query(sql`
    insert into merchant_fees (
      merchant_id, number, effective_from, deposit_bps, deposit_fixed, deposit_min, deposit_max,
      withdraw_bps, withdraw_fixed, withdraw_min, withdraw_max, set_by, created_at
    ) values (
      ${merchantId}, ${number}, ${fees.effectiveFrom},
      ${deposit.bps}, ${deposit.fixed}, ${deposit.min}, ${deposit.max},
      ${withdraw.bps}, ${withdraw.fixed}, ${withdraw.min}, ${withdraw.max}, ${fees.setBy}, ${fees.createdAt}
    )`)
}

/** Serialises changes of the same merchant. */
export async function lockMerchant(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`select id from merchants where id = ${id} for no key update`)
}

/** Without the house merchant, which no one decides about. */
export async function listMerchants(db: Queryable): Promise<MerchantRow[]> {
  return (
    await db.query<FlatRow>(sql`select ${merchantColumns} from merchants m where m.id <> ${NO_MERCHANT} order by m.id`)
  ).map(shape)
}

/** Of all, without what else is known of them. */
export function listMerchantNames(db: Queryable): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select m.id, m.name from merchants m where m.id <> ${NO_MERCHANT} order by m.id`)
}

/** One page of them, newest first. */
export async function pageOfMerchants(db: Queryable, page: { before?: string | undefined; limit: number }) {
  const before = page.before === undefined ? sql`` : sql`and m.id < ${page.before}`
  const rows = await db.query<FlatRow>(sql`
    select ${merchantColumns} from merchants m where m.id <> ${NO_MERCHANT} ${before} order by m.id desc limit ${page.limit}`)
  return rows.map(shape)
}

export async function countMerchants(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from merchants m where m.id <> ${NO_MERCHANT}`)
  return row?.count ?? 0
}

/** Without the house merchant, too. */
export async function selectMerchant(db: Queryable, id: string): Promise<MerchantRow | undefined> {
  const which = sql`m.id = ${id} and m.id <> ${NO_MERCHANT}`
  const [row] = await db.query<FlatRow>(sql`select ${merchantColumns} from merchants m where ${which}`)
  return row && shape(row)
}

export async function selectDemoMerchantId(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`select id from merchants where demo`)
  return row?.id
}

/** Without the house merchant, too. */
export async function selectMerchantsByLiveKeys(
  db: Queryable,
  apiKeys: string[],
): Promise<(CallerRow & { apiKey: string })[]> {
  const rows = await db.query<Omit<CallerRow, 'fees'> & { apiKey: string; fees: JsonFees[] }>(sql`
    select k.api_key as "apiKey", ${callerColumns} from (${liveKeys(apiKeys)}) k join merchants m on m.id = k.merchant_id`)
  return rows.map((row) => ({ ...row, fees: row.fees.map(shapeFees) }))
}

export async function updateNetworks(tx: Tx, id: string, networks: string[]): Promise<void> {
  await tx.query(sql`update merchants set networks = ${networks} where id = ${id}`)
}

/** A private network that callbacks of the merchant may go to, if the mark fits. */
export type CallbackNetwork = { merchantId: string; network: string; mark: string }

/** Of one merchant, or of all. */
export function selectCallbackNetworks(db: Queryable, merchantId: string | null): Promise<CallbackNetwork[]> {
  return db.query<CallbackNetwork>(sql`
    select m.id as "merchantId", n.key as network, n.value as mark
    from merchants m cross join jsonb_each_text(m.callback_networks) as n
    where m.id in (${merchantsSql(merchantId)}) order by 1, 2`)
}

/** One that was written in SQL gets the mark. */
export async function updateCallbackNetworks(tx: Tx, id: string, add: Record<string, string>, remove: string[]) {
  await tx.query(sql`
    update merchants set callback_networks = (callback_networks - ${remove}::text[]) || ${JSON.stringify(add)}::jsonb
    where id = ${id}`)
}

/** Place in each merchant's stream of events; merchants that were never pruned are missing. */
export async function prunedPlaces(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; place: string }>(sql`
    select id, events_pruned_to::text as place from merchants where events_pruned_to is not null`)
  return new Map(rows.map(({ id, place }) => [id, place]))
}

export async function updatePruned(tx: Tx, id: string, place: string): Promise<void> {
  await tx.query(sql`
    update merchants set events_pruned_to = greatest(events_pruned_to, ${place}::bigint) where id = ${id}`)
}

export async function banksOff(db: Queryable, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<{ id: string; off: string[] }>(sql`
    select id, banks_off as "off" from merchants where id = any(${ids}::text[])`)
  return new Map(rows.map(({ id, off }) => [id, off]))
}

/** In the transaction of the decision. */
export async function switchBankOff(tx: Tx, id: string, bankId: string, off: boolean): Promise<void> {
  const rest = sql`array_remove(banks_off, ${bankId}::text)`
  await tx.query(sql`update merchants set banks_off = ${off ? sql`${rest} || ${bankId}::text` : rest} where id = ${id}`)
}

/** `minute` of the day and `weekday` (1 is Monday) in Istanbul. Smaller balances than `minimum` stay. */
export type Schedule = { every: 'off' | 'day' | 'week'; weekday: number | null; minute: number; minimum: bigint }
export type SetSchedule = Schedule & { setAt: Date }

/** Of all merchants; `setAt` is null while none was set. For a join in another statement. */
export const schedulesSql = sql`
  select id as "merchantId", frozen, settlement_every as every, settlement_weekday as weekday, settlement_minute as minute,
    settlement_minimum as minimum, settlement_set_at as "setAt" from merchants`

export async function updateSchedule(tx: Tx, id: string, schedule: Schedule, at: Date): Promise<void> {
  const { every, weekday, minute, minimum } = schedule
  await tx.query(sql`
    update merchants set settlement_every = ${every}, settlement_weekday = ${weekday}, settlement_minute = ${minute},
      settlement_minimum = ${minimum}, settlement_set_at = ${at}
    where id = ${id}`)
}

export async function updateSettingMark(tx: Tx, id: string, setting: string, mark: string): Promise<void> {
  await tx.query(sql`
    update merchants set setting_marks = setting_marks || jsonb_build_object(${setting}::text, ${mark}::text)
    where id = ${id}`)
}

/** Without the house merchant, too. */
export async function selectMerchantsById(db: Queryable, ids: string[]): Promise<MerchantRow[]> {
  return (
    await db.query<FlatRow>(sql`select ${merchantColumns} from merchants m where m.id = any(${ids}::text[])`)
  ).map(shape)
}

export async function updateMatching(tx: Tx, id: string, policy: MatchingRules): Promise<void> {
  await tx.query(sql`
    update merchants set amount_policy = ${policy.amount}, amount_tolerance = ${policy.tolerance},
      late_policy = ${policy.late}, name_check = ${policy.nameCheck}, match_approval_from = ${policy.approveFrom}
    where id = ${id}`)
}

type StoredBrand = Omit<Brand, 'hasLogo' | 'hasDarkLogo' | 'logoInk'>

export async function updateBrand(tx: Tx, id: string, brand: StoredBrand): Promise<void> {
  await tx.query(sql`
    update merchants set display_name = ${brand.displayName}, accent = ${brand.accent}, support_phone = ${brand.supportPhone},
      support_email = ${brand.supportEmail}, support_address = ${brand.supportAddress}
    where id = ${id}`)
}

export async function updateLogo(tx: Tx, id: string, logo: Buffer | null, ink: LogoInk | null): Promise<void> {
  await tx.query(sql`update merchants set logo = ${logo}, logo_ink = ${ink} where id = ${id}`)
}

export async function updateDarkLogo(tx: Tx, id: string, logo: Buffer | null): Promise<void> {
  await tx.query(sql`update merchants set logo_dark = ${logo} where id = ${id}`)
}

/** Exactly the one that was set for this kind of page. */
export async function findLogo(db: Queryable, id: string, theme: 'light' | 'dark'): Promise<Buffer | null> {
  const column = theme === 'dark' ? sql`logo_dark` : sql`logo`
  const [row] = await db.query<{ logo: Buffer | null }>(sql`select ${column} as logo from merchants where id = ${id}`)
  return row?.logo ?? null
}

export async function updateMaxOpenDeposits(tx: Tx, id: string, max: number): Promise<void> {
  await tx.query(sql`update merchants set max_open_deposits = ${max} where id = ${id}`)
}

export async function updateEftDeadline(tx: Tx, id: string, hours: number | null): Promise<void> {
  await tx.query(sql`update merchants set eft_deadline_hours = ${hours} where id = ${id}`)
}

export async function updateRefundsCharged(tx: Tx, id: string, charged: boolean): Promise<void> {
  await tx.query(sql`update merchants set refunds_charged = ${charged} where id = ${id}`)
}

export async function updateReturnOrigins(tx: Tx, id: string, origins: string[]): Promise<void> {
  await tx.query(sql`update merchants set return_origins = ${origins} where id = ${id}`)
}

export async function updatePayoutRules(tx: Tx, id: string, rules: PayoutRules): Promise<void> {
  await tx.query(sql`
    update merchants set approval_threshold = ${rules.approvalThreshold}, daily_withdraw_amount = ${rules.dailyAmount},
      daily_withdraw_count = ${rules.dailyCount}, daily_iban_amount = ${rules.dailyIbanAmount},
      daily_iban_count = ${rules.dailyIbanCount}
    where id = ${id}`)
}

/** Ids of frozen merchants, for statements that exclude them. */
export const frozenMerchants = sql`select id from merchants where frozen`

/** Ids of all merchants, for look-ups by a key that starts with the merchant: one index probe for each. */
export const everyMerchant = sql`select id from merchants`

/** One merchant, or all. */
export const merchantsSql = (id: string | null) =>
  id === null ? everyMerchant : sql`select ${id}::text collate "C" as id`

export async function findFrozenMerchants(db: Queryable): Promise<Set<string>> {
  return new Set((await db.query<{ id: string }>(frozenMerchants)).map(({ id }) => id))
}

/** False if it is already in this state. Locks the row, so that concurrent decisions are serialised. */
export async function updateFrozen(tx: Tx, id: string, frozen: boolean): Promise<boolean> {
  const rows = await tx.query(sql`
    update merchants set frozen = ${frozen} where id = ${id} and frozen <> ${frozen} returning id`)
  return rows.length > 0
}
