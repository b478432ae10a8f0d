import type { Actor } from '../../kernel/actor.ts'
import { refuseField } from '../../kernel/refusals/refuse.ts'
import type { SettingDeps } from './changes/change-setting.ts'
import { changeSetting } from './changes/change-setting.ts'
import { mustFind } from './find-merchants.ts'
import type { Brand, LogoInk, Support } from './policies.ts'
import { mustBeShowable } from './shown-text.ts'
import { updateBrand, updateDarkLogo, updateLogo } from './store.ts'

const LOGO_HEIGHT = 96
const LOGO_WIDTH = 320
/** Size budget of a checkout page; the table has the same limit. */
const MAX_LOGO_BYTES = 32_768
/** Limits the cost of decoding hostile images; larger than a phone photo. */
const MAX_LOGO_PIXELS = 25_000_000

/** Null removes a logo, an empty text a contact. */
type BrandChange = Partial<Record<'displayName' | 'accent' | keyof Support, string>> & {
  logo?: Buffer | null
  darkLogo?: Buffer | null
}

export async function setBrand(
  app: SettingDeps,
  actor: Actor,
  merchantId: string,
  change: BrandChange,
): Promise<Brand> {
  const { brand } = await mustFind(app.db, merchantId)
  const displayName = change.displayName?.trim() ?? brand.displayName
  const accent = change.accent?.toLowerCase() ?? brand.accent
  if (displayName.length < 1 || displayName.length > 60)
    throw refuseField('displayName', 'length_wrong', { least: 1, most: 60 })
  if (change.displayName !== undefined) mustBeShowable('displayName', displayName)
  if (accent !== null && !/^#[0-9a-f]{6}$/.test(accent)) throw refuseField('accent', 'accent_wrong')
  const support = supportOf(brand, change)
  const logo = change.logo && (await reencode(change.logo))
  const darkLogo = change.darkLogo && (await reencode(change.darkLogo))
  const ink = logo ? await inkOf(logo) : null
  return changeSetting(app, actor, merchantId, {
    what: 'brand',
    of: (merchant) => merchant.brand,
    async write(tx) {
      await updateBrand(tx, merchantId, { displayName, accent, ...support })
      if (logo !== undefined) await updateLogo(tx, merchantId, logo, ink)
      if (darkLogo !== undefined) await updateDarkLogo(tx, merchantId, darkLogo)
    },
    action: 'merchant.brand',
  })
}

function supportOf(brand: Support, change: BrandChange): Support {
  const value = (name: keyof Support) => (change[name] ?? brand[name] ?? '').trim() || null
  const [supportPhone, supportEmail, supportAddress] = [
    value('supportPhone'),
    value('supportEmail'),
    value('supportAddress'),
  ]
  if (supportPhone !== null && !/^\+?[0-9][0-9 ()-]{5,23}$/.test(supportPhone))
    throw refuseField('supportPhone', 'support_phone_wrong')
  // E.164: more digits are no phone number, but could be an account.
  if (supportPhone !== null && supportPhone.replaceAll(/\D/g, '').length > 15)
    throw refuseField('supportPhone', 'support_phone_wrong')
  if (
    supportEmail !== null &&
    (supportEmail.length > 120 || !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(supportEmail))
  )
    throw refuseField('supportEmail', 'email_malformed')
  if (supportEmail !== null && change.supportEmail !== undefined) mustBeShowable('supportEmail', supportEmail)
  if (supportAddress !== null && supportAddress.length > 200)
    throw refuseField('supportAddress', 'length_wrong', { least: 0, most: 200 })
  if (supportAddress !== null && change.supportAddress !== undefined) mustBeShowable('supportAddress', supportAddress)
  return { supportPhone, supportEmail, supportAddress }
}

async function loadSharp() {
  // Imported on demand: a large library that is needed only when a logo is set.
  const { default: sharp } = await import('sharp').catch((error: Error) => {
    throw new Error('Logos need the packages of sharp for this platform: npm ci --omit=dev --include=optional', {
      cause: error,
    })
  })
  return sharp
}

/** Only pixels are kept, so that nothing hidden in the uploaded file is served. */
async function reencode(file: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  let logo: Buffer
  try {
    const image = sharp(file, { limitInputPixels: MAX_LOGO_PIXELS, failOn: 'error' })
    const { format } = await image.metadata()
    if (!['png', 'jpeg', 'webp'].includes(format ?? '')) throw new Error(format ?? 'unknown')
    const fitted = image.resize({ width: LOGO_WIDTH, height: LOGO_HEIGHT, fit: 'inside', withoutEnlargement: true })
    logo = await fitted.png({ compressionLevel: 9, palette: true }).toBuffer()
  } catch (error) {
    const { message } = error as Error
    if (/pixel limit/i.test(message))
      throw refuseField('logo', 'logo_too_many_pixels', { millions: MAX_LOGO_PIXELS / 1_000_000 })
    throw refuseField('logo', 'logo_unreadable', { found: message })
  }
  if (logo.length > MAX_LOGO_BYTES)
    throw refuseField('logo', 'logo_too_large', {
      kilobytes: Math.ceil(logo.length / 1024),
      width: LOGO_WIDTH,
      height: LOGO_HEIGHT,
      most: MAX_LOGO_BYTES / 1024,
    })
  return logo
}

/** Whether the page must put a background behind it: a white drawing is invisible on paper, a black one at night. */
async function inkOf(logo: Buffer): Promise<LogoInk> {
  const sharp = await loadSharp()
  const { data } = await sharp(logo).ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  let [drawn, brightness] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    drawn += alpha / 255
    brightness += ((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255) * (alpha / 255)
  }
  if (drawn > (data.length / 4) * 0.95) return 'opaque'
  return brightness / drawn > 0.6 ? 'light' : 'dark'
}
