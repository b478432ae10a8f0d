import type { StoredLine } from '../../../domain/statements/index.ts'
import { foldText, sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import type { Desk } from './desk.ts'
import { DESK_WORDS } from './desk-words.ts'
import { WORDS } from './words.ts'

/** A line beside the one that it may repeat. Masked values look alike, so that the last column says whether they are. */
export function twoLines({ language }: Viewer, { dataOf }: Desk, line: StoredLine, first: StoredLine): Html {
  const words = DESK_WORDS[language]
  const { none, field, compared, valueDate, sender } = WORDS[language]
  const [here, there] = [line, first].map((one) => {
    const data = dataOf(`line:${one.id}`)
    return {
      day: one.valueDate.split('-').toReversed().join('.'),
      name: data.name(one.senderName) || none,
      iban: one.senderIban === null ? none : data.iban(one.senderIban),
      text: data.text(one.narrative, [one.senderName]) || none,
    }
  })
  const row = (label: string, key: 'day' | 'name' | 'iban' | 'text', verdict: Verdict) =>
    html`<tr class="${verdict}">
      <th scope="row">${label}</th>
      <td>${here?.[key]}</td>
      <td>${there?.[key]}</td>
      <td class="verdict">${words.alike[verdict]}</td>
    </tr>`
  const ibans = [line, first].map(({ senderIban }) => normaliseIban(senderIban ?? '')) as [string, string]
  return html`<div class="wide">
    <table class="compared">
      <caption class="quiet">
        ${words.twoLines}
      </caption>
      <thead>
        <tr>
          ${[field, words.thisLine, words.firstLine, compared].map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${row(valueDate, 'day', line.valueDate === first.valueDate ? 'same' : 'other')}
        ${row(sender, 'name', verdictOf(foldText(line.senderName), foldText(first.senderName), sameName))}
        ${row('IBAN', 'iban', verdictOf(...ibans))}
        ${row(words.text, 'text', verdictOf(foldText(line.narrative), foldText(first.narrative)))}
      </tbody>
    </table>
  </div>`
}

type Verdict = 'same' | 'other' | 'unknown'

/** A bank that does not say it says nothing. */
function verdictOf(a: string, b: string, isSame = (one: string, other: string) => one === other): Verdict {
  if (a === '' || b === '') return 'unknown'
  return a === b || isSame(a, b) ? 'same' : 'other'
}
