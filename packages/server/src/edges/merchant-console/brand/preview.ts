import type { Brand } from '../../../domain/merchants/index.ts'
import { DARK_PAPERS, LIGHT_PAPERS, readableOn } from '../../web/contrast.ts'
import type { Html } from '../../web/html.ts'
import { drawn, html, plainName, render } from '../../web/html.ts'
import type { BRAND_WORDS } from './words.ts'

type Words = (typeof BRAND_WORDS)['tr']
export type Theme = 'light' | 'dark'
/** `plate`: the background that the page puts behind the logo in this theme. */
export type Shown = { name: string; accent: string; logo: { png: Buffer; plate: string | null } | null }

const BOX = { width: 160, height: 36 }
const [BY_DAY, BY_NIGHT] = ['#1b1f23', '#ffffff']

/** The logo of a theme, and its background, as on the checkout page. */
export function logoIn(
  theme: Theme,
  { logoInk }: Pick<Brand, 'logoInk'>,
  logos: Record<Theme, Buffer | null>,
): Shown['logo'] {
  if (logos.light === null) return null
  if (theme === 'light') return { png: logos.light, plate: logoInk === 'light' ? BY_DAY : null }
  if (logos.dark !== null) return { png: logos.dark, plate: null }
  return { png: logos.light, plate: logoInk === 'light' || logoInk === 'opaque' ? null : BY_NIGHT }
}

/** As in web/base.css. */
const COLOURS = {
  light: { paper: '#f6f5f1', sheet: '#ffffff', ink: '#1b1f23', muted: '#5a6169', line: '#dcd9d0', on: '#ffffff' },
  dark: { paper: '#12161a', sheet: '#1a2026', ink: '#edf0f2', muted: '#a7b0b8', line: '#323b44', on: '#12161a' },
} as const

/** The shade of a colour that the payment page uses. */
export function shadeOf(theme: Theme, accent: string): string {
  return readableOn(theme === 'light' ? LIGHT_PAPERS : DARK_PAPERS, accent)
}

/** The payment page as a drawing: a page may not be framed, and colours may not be inline styles. */
export function previewSvg(theme: Theme, { name, accent, logo }: Shown, { sample }: Words): string {
  const { paper, sheet, ink, muted, line, on } = COLOURS[theme]
  const shade = shadeOf(theme, accent)
  const text = (x: number, y: number, size: number, fill: string, value: string, more: Html = html``): Html =>
    html`<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${more}>${value}</text>`
  const bold = drawn('font-weight="600"')
  const rows = [
    [sample.iban, 'TR62 0006 2000 2950 0006 2912 96'],
    [sample.to, 'Örnek Ödeme A.Ş.'],
    [sample.code, 'K7M2QX9A'],
  ] as const
  const head = logo ? drawnLogo(logo) : text(24, 42, 18, ink, plainName(name).slice(0, 30), bold)
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 340 400"
    font-family="IBM Plex Sans, system-ui, sans-serif"
  >
    <rect width="340" height="400" fill="${paper}" />
    ${head}
    <rect x="16" y="64" width="308" height="320" rx="10" fill="${sheet}" stroke="${line}" />
    ${text(32, 94, 13, muted, sample.amount)} ${text(32, 128, 28, ink, '1.250,00 TL', bold)}
    <line x1="32" x2="308" y1="148" y2="148" stroke="${line}" />
    ${rows.map(([label, value], at) => [
      text(32, 172 + at * 48, 12, muted, label),
      text(32, 192 + at * 48, 14, ink, value),
    ])}
    <rect x="32" y="322" width="276" height="44" rx="6" fill="${shade}" />
    ${text(170, 350, 15, on, sample.done, drawn('font-weight="600" text-anchor="middle"'))}
  </svg>`
  return render(svg)
}

function drawnLogo({ png, plate }: NonNullable<Shown['logo']>): Html {
  // The size is in the first chunk of every PNG file.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const scale = Math.min(1, BOX.width / width, BOX.height / height)
  const [wide, high] = [width * scale, height * scale]
  return html`${
      plate !== null && html`<rect x="16" y="12" width="${wide + 16}" height="${high + 8}" rx="6" fill="${plate}" />`
    } <image href="data:image/png;base64,${png.toString('base64')}" x="24" y="16" width="${wide}" height="${high}" />`
}
