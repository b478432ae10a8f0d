import type { Actor } from '../../kernel/actor.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { invalidField } from '../../platform/refusal.ts'
import { mustBeApproved } from '../people/index.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { checkOrigins } from './create-merchant.ts'
import { mustFind } from './find-merchants.ts'
import type { Merchant } from './merchant.ts'
import { merchantFrom } from './merchant.ts'
import type { Brand, MatchingRules, PayoutRules } from './policies.ts'
import {
  selectMerchantsById,
  updateBrand,
  updateLogo,
  updateMatching,
  updateMaxOpenDeposits,
  updatePayoutRules,
  updateRefundsCharged,
  updateReturnOrigins,
} from './store.ts'

const LOGO_HEIGHT = 96
const LOGO_WIDTH = 320
/** Size budget of a checkout page; the table has the same limit. */
const MAX_LOGO_BYTES = 32_768
/** Limits the cost of decoding hostile images; larger than a phone photo. */
const MAX_LOGO_PIXELS = 25_000_000

/** In live it takes two people to let one person match larger amounts by hand. */
export function setMatching(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: Partial<MatchingRules>,
): Promise<MatchingRules> {
  return changeSetting(app, actor, merchantId, {
    what: 'matching',
    of: ({ matching }) => matching,
    async write(tx, before) {
      const after = { ...before, ...change }
      if (isRaised(before.approveFrom, after.approveFrom)) mustBeApproved(app)
      await updateMatching(tx, merchantId, after)
    },
  })
}

/**
 * Returns the rules in force. In live one person makes them stricter; to raise or lift one takes two, or one person could
 * lift a rule, pay, and set it back.
 */
export function setPayoutRules(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: Partial<PayoutRules>,
): Promise<PayoutRules> {
  return changeSetting(app, actor, merchantId, {
    what: 'payout_rules',
    of: ({ payoutRules }) => payoutRules,
    async write(tx, before) {
      const after = { ...before, ...change }
      if (isLooser(before, after)) mustBeApproved(app)
      await updatePayoutRules(tx, merchantId, after)
    },
  })
}

export function isLooser(before: PayoutRules, after: PayoutRules): boolean {
  const names = Object.keys(before) as (keyof PayoutRules)[]
  return names.some((name) => isRaised(before[name], after[name]))
}

/** A limit that is raised or lifted; null is none. */
export function isRaised<Amount extends bigint | number>(before: Amount | null, after: Amount | null): boolean {
  return before !== null && (after === null || after > before)
}

/** More than any merchant has concurrent customers. */
const MAX_OPEN = 1_000_000

export async function setMaxOpenDeposits(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  max: number,
): Promise<void> {
  if (!Number.isInteger(max) || max < 1 || max > MAX_OPEN)
    throw invalidField('openDeposits', `must be 1 to ${MAX_OPEN}`)
  await changeSetting(app, actor, merchantId, {
    what: 'max_open_deposits',
    of: ({ maxOpenDeposits }) => maxOpenDeposits,
    async write(tx) {
      mustBeApproved(app)
      await updateMaxOpenDeposits(tx, merchantId, max)
    },
  })
}

export async function setRefundsCharged(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  charged: boolean,
): Promise<void> {
  await changeSetting(app, actor, merchantId, {
    what: 'refunds_charged',
    of: ({ refundsCharged }) => refundsCharged,
    async write(tx) {
      mustBeApproved(app)
      await updateRefundsCharged(tx, merchantId, charged)
    },
  })
}

export async function setBrand(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: { displayName?: string; accent?: string; logo?: Buffer },
): Promise<Brand> {
  const { brand } = await mustFind(app.db, merchantId)
  const displayName = change.displayName?.trim() ?? brand.displayName
  const accent = change.accent?.toLowerCase() ?? brand.accent
  if (displayName.length < 1 || displayName.length > 60)
    throw invalidField('displayName', 'must have 1 to 60 characters')
  if (accent !== null && !/^#[0-9a-f]{6}$/.test(accent))
    throw invalidField('accent', 'must be a colour such as #0e5a6b')
  const logo = change.logo && (await reencode(change.logo))
  return changeSetting(app, actor, merchantId, {
    what: 'brand',
    of: (merchant) => merchant.brand,
    async write(tx) {
      await updateBrand(tx, merchantId, { displayName, accent })
      if (logo) await updateLogo(tx, merchantId, logo)
    },
    action: 'merchant.brand',
  })
}

/** Only pixels are kept, so that nothing hidden in the uploaded file is served. */
async function reencode(file: Buffer): Promise<Buffer> {
  // Imported on demand: a large library that is needed only when a logo is set.
  const { default: sharp } = await import('sharp').catch((error: Error) => {
    throw new Error('Logos need the packages of sharp for this platform: npm ci --omit=dev --include=optional', {
      cause: error,
    })
  })
  let logo: Buffer
  try {
    const image = sharp(file, { limitInputPixels: MAX_LOGO_PIXELS, failOn: 'error' })
    const { format } = await image.metadata()
    if (!['png', 'jpeg', 'webp'].includes(format ?? '')) throw new Error(`it is ${format ?? 'unknown'}`)
    const fitted = image.resize({ width: LOGO_WIDTH, height: LOGO_HEIGHT, fit: 'inside', withoutEnlargement: true })
    logo = await fitted.png({ compressionLevel: 9, palette: true }).toBuffer()
  } catch (error) {
    throw invalidField('logo', `must be a PNG, JPEG or WebP image (${(error as Error).message})`)
  }
  if (logo.length > MAX_LOGO_BYTES) throw invalidField('logo', 'is too detailed; use a simpler image')
  return logo
}

export async function setReturnOrigins(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  origins: string[],
): Promise<void> {
  checkOrigins(origins)
  await changeSetting(app, actor, merchantId, {
    what: 'return_origins',
    of: ({ returnOrigins }) => returnOrigins,
    write: (tx) => updateReturnOrigins(tx, merchantId, origins),
  })
}

export async function merchantsById(db: Queryable, ids: string[]): Promise<Map<string, Merchant>> {
  const rows = ids.length > 0 ? await selectMerchantsById(db, ids) : []
  return new Map(rows.map((row) => [row.id, merchantFrom(row)]))
}
