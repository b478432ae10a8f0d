import { say } from '../../../acts/refusals/say.ts'
import type { ConnectionCheck } from '../../../domain/connections/index.ts'
import type { Said } from '../../../platform/refusal.ts'
import { html, plainName } from '../../web/html.ts'
import { dataTable } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { WORDS } from './words.ts'

/** What a test of a connection found. */
export function testPage(viewer: Viewer, name: string, checks: ConnectionCheck[]): Page {
  const words = WORDS[viewer.language]
  const inWords = (text: string | Said) => (typeof text === 'string' ? text : say(viewer.language, text))
  const failed = checks.filter(({ ok }) => !ok).length
  const columns = [words.rule, words.result, words.found, words.expected].map((label) => ({ label }))
  const rows = checks.map(({ check, ok, found, expected }) => ({
    href: null,
    cells: [
      html`${check}`,
      html`<span class="state ${ok ? 'good' : 'bad'}">${ok ? words.ok : words.notOk}</span>`,
      html`${plainName(inWords(found))}`,
      html`${inWords(expected)}`,
    ],
  }))
  const title = words.testTitle(name)
  const main = html`<h1>${title}</h1>
    <p class="lead">${failed === 0 ? words.passed : words.failed(failed)}</p>
    ${dataTable(title, columns, rows)}
    <p class="more"><a href="${viewer.root}/banks">${words.back}</a></p>`
  return { title, section: 'banks', main }
}
