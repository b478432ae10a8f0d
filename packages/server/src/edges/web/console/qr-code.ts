import { renderSVG } from 'uqr'
import type { Html } from '../html.ts'
import { drawn, html } from '../html.ts'

/** `label`: what it is for, for those who cannot see it. */
export function qrCode(text: string, label: string): Html {
  return html`<p class="qr" role="img" aria-label="${label}">${drawn(renderSVG(text, { border: 2, pixelSize: 4 }))}</p>`
}
