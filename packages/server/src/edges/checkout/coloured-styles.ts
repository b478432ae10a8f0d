import type { Asset } from '../web/assets.ts'
import { DARK_PAPERS, LIGHT_PAPERS, readableOn } from '../web/contrast.ts'

export type ColouredStyles = {
  /** The file name for pages of a merchant with this colour. */
  nameFor: (accent: string) => string
  /** `kept`: every request gets the same bytes, so they are compressed only once. */
  find: (name: string) => { asset: Asset; kept: boolean } | undefined
}

/**
 * One stylesheet per colour, base and accent in one file: no inline style, no extra request, cacheable forever. Only colours used by a page
 * are kept: anyone can request any six digits, and must not evict the merchants' colours.
 */
export function openColouredStyles(base: Asset, max: number): ColouredStyles {
  const kept = new Map<string, Asset>()
  return {
    nameFor(accent) {
      const asset = kept.get(accent) ?? coloured(base, accent)
      // Move to the end of the map: the least recently used colour is evicted first.
      kept.delete(accent)
      kept.set(accent, asset)
      for (const oldest of kept.keys()) if (kept.size > max) kept.delete(oldest)
      return asset.name
    },
    find(name) {
      const [digits] = /[0-9a-f]{6}(?=\.css$)/.exec(name) ?? []
      const accent = `#${digits}`
      if (digits === undefined || name !== nameOf(base, accent)) return undefined
      const known = kept.get(accent)
      return { asset: known ?? coloured(base, accent), kept: known !== undefined }
    },
  }
}

function nameOf({ name }: Asset, accent: string): string {
  return name.replace('.css', `.${accent.slice(1)}.css`)
}

function coloured(base: Asset, accent: string): Asset {
  const body = Buffer.concat([base.body, Buffer.from(accentRules(accent))])
  return { ...base, name: nameOf(base, accent), body }
}

/** The merchant's colour, or the nearest shade that is readable. */
function accentRules(accent: string): string {
  return (
    `:root{--accent:${readableOn(LIGHT_PAPERS, accent)}}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${readableOn(DARK_PAPERS, accent)}}}`
  )
}
