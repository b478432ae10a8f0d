import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Words } from './words.ts'

/** The worked example of docs/api.md; a test compares them. */
export const GOLDEN = {
  secret: 'vs_0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  timestamp: '1794726000',
  method: 'POST',
  path: '/v1/deposit',
  body: '{"processId":"order-1001","amount":125000,"bankCode":"FAST","customer":{"id":"c-1","name":"Ayşe Yılmaz","username":"ayse"}}',
}

/** Fields in which a developer tries a signature; playground.client.ts computes it. */
export function playground({ playground: words }: Words): Html {
  const field = (name: keyof typeof GOLDEN) =>
    html`<label
      >${words[name]}<input name="${name}" value="${GOLDEN[name]}" autocomplete="off" spellcheck="false"
    /></label>`
  const { mistakes, equal, different, insecure, parts } = words
  const said = { ...mistakes, equal, different, insecure, parts }
  return html`<form class="playground" data-words="${JSON.stringify(said)}">
    <p>${words.lead}</p>
    ${field('secret')}${field('timestamp')}${field('method')}${field('path')}
    <label>${words.body}<textarea name="body" rows="4" spellcheck="false">${GOLDEN.body}</textarea></label>
    <p class="label">${words.signed}</p>
    <output name="signed"></output>
    <p class="label">${words.signature}</p>
    <output name="signature"><span class="hint">${words.needsScript}</span></output>
    <label>${words.yours}<input name="yours" autocomplete="off" spellcheck="false" /></label>
    <p role="status" class="said"></p>
  </form>`
}
