import { findLogo, findMerchant, setBrand } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { field, own } from '../kind.ts'
import { brandPage, DEFAULT_ACCENT, LOGO_PATHS } from './brand.ts'
import type { Theme } from './preview.ts'
import { logoIn, previewSvg } from './preview.ts'
import { BRAND_WORDS } from './words.ts'

const BACK = '/brand'
const MAX_LOGO_BYTES = 1024 * 1024
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const BRAND: Section = {
  views: [
    { path: BACK, show: brand },
    { path: '/brand/light.svg', show: drawing('light') },
    { path: '/brand/dark.svg', show: drawing('dark') },
  ],
  forms: [
    { path: BACK, action: 'merchant.brand', back: BACK, decide: save },
    { path: '/brand/support', action: 'merchant.brand', back: BACK, decide: saveSupport },
    ...(['logo', 'darkLogo'] as const).flatMap((which) => [
      {
        ...({ path: LOGO_PATHS[which], action: 'merchant.brand', back: BACK, decide: saveLogo(which) } as const),
        ...{ upload: { maxBytes: MAX_LOGO_BYTES } },
      },
      {
        ...({ path: `${LOGO_PATHS[which]}/remove`, action: 'merchant.brand', back: BACK } as const),
        decide: removeLogo(which),
      },
    ]),
  ],
  said: { tr: BRAND_WORDS.tr.said, en: BRAND_WORDS.en.said },
}

/** What an address previews, else what is saved. */
async function wantedOf(app: MerchantDeps, asked: Asked) {
  const { brand: saved } = await findMerchant({ db: app.db.pages }, own(asked))
  const { name, accent } = asked.query
  const isName = typeof name === 'string' && name.trim() !== '' && name.length <= 60
  const isColour = typeof accent === 'string' && /^#[0-9a-f]{6}$/i.test(accent)
  const wanted = {
    name: isName ? name.trim() : saved.displayName,
    accent: (isColour ? accent : (saved.accent ?? DEFAULT_ACCENT)).toLowerCase(),
  }
  return { saved, wanted }
}

async function brand(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { saved, wanted } = await wantedOf(app, asked)
  return { page: brandPage(asked.viewer, { brand: saved, wanted, revision: String(app.clock.now().getTime()) }) }
}

/** As an image of the page: a script in it would not run, and there is none. */
function drawing(theme: Theme) {
  return async (app: MerchantDeps, asked: Asked): Promise<Shown> => {
    const { saved, wanted } = await wantedOf(app, asked)
    const [light, dark] = await Promise.all([
      findLogo(app.db.pages, own(asked), 'light'),
      findLogo(app.db.pages, own(asked), 'dark'),
    ])
    const shown = { ...wanted, logo: logoIn(theme, saved, { light, dark }) }
    const svg = previewSvg(theme, shown, BRAND_WORDS[asked.viewer.language])
    return { download: { name: `${theme}.svg`, type: 'image/svg+xml', body: Buffer.from(svg) } }
  }
}

async function save(app: MerchantDeps, asked: Asked): Promise<string> {
  await setBrand(app, asked.actor, own(asked), { displayName: field(asked, 'name'), accent: field(asked, 'accent') })
  return 'brand_saved'
}

async function saveSupport(app: MerchantDeps, asked: Asked): Promise<string> {
  await setBrand(app, asked.actor, own(asked), {
    supportPhone: field(asked, 'phone'),
    supportEmail: field(asked, 'email'),
    supportAddress: field(asked, 'address'),
  })
  return 'brand_saved'
}

/** The bytes decide, not the name; the decision decodes them and keeps only the pixels. */
function saveLogo(which: 'logo' | 'darkLogo') {
  return async (app: MerchantDeps, asked: Asked): Promise<string> => {
    if (!asked.file) throw new Refusal('VALIDATION_ERROR', asked.viewer.words.noFile)
    const file = Buffer.concat(await Array.fromAsync(asked.file.content))
    if (!file.subarray(0, PNG.length).equals(PNG))
      throw new Refusal('VALIDATION_ERROR', BRAND_WORDS[asked.viewer.language].notPng)
    await setBrand(app, asked.actor, own(asked), { [which]: file })
    return 'brand_saved'
  }
}

function removeLogo(which: 'logo' | 'darkLogo') {
  return async (app: MerchantDeps, asked: Asked): Promise<string> => {
    await setBrand(app, asked.actor, own(asked), { [which]: null })
    return 'brand_saved'
  }
}
