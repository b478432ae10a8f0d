import type { lineProposals } from '../../../domain/matching/index.ts'
import { whyProposed } from '../../../domain/matching/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Lapsed } from '../lapsed-mark.ts'
import { lapsedMark } from '../lapsed-mark.ts'
import { DESK_WORDS } from '../matching/desk-words.ts'
import { proposalName } from '../matching/line-card.ts'
import { WORDS } from '../matching/words.ts'
import type { AccountName } from '../names.ts'
import type { Viewer } from '../page.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { lineItems, whyField } from './journal-cards.ts'

export type LineProposal = { word: Awaited<ReturnType<typeof lineProposals>>[number]; line: StoredLine }

/** One person says that the bank does not count a line, or counts it again: for a second person. */
export function dismissalCard(
  viewer: Viewer,
  { word, line }: LineProposal,
  accountName: AccountName,
  dataOf: DataOf,
  lapsed: Lapsed,
): Html {
  const { words, language } = viewer
  return html`<article class="card" data-item="${line.id}">
    <div class="head">
      <b>${proposalName(language, word)}</b>
      <span class="mild">${minute(word.decidedAt)} · ${age(word.decidedAt, viewer.now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.lines}</dt>
      <dd>${lineItems(viewer, [line], accountName, dataOf)}</dd>
      <dt>${words.proposedBy}</dt>
      <dd>${word.decidedBy}${lapsedMark(viewer, lapsed.get(line.id))}: ${plainName(whyProposed(word))}</dd>
    </dl>
    ${acts(viewer, word, lapsed.has(line.id))}
  </article>`
}

function acts(viewer: Viewer, word: LineProposal['word'], isLapsed: boolean): Html {
  const { words, language } = viewer
  const at = (act: string) => `/approvals/lines/${word.lineId}/${act}`
  const end = (label: string, look: 'plain' | 'danger') =>
    decisionForm(viewer, 'line.end', at('end'), whyField(viewer), label, look)
  if (word.decidedBy === viewer.name)
    return html`<p class="acts mild">${words.ownProposal}</p>
      <div class="acts">${end(words.withdrawEntry, 'plain')}</div>`
  const agree =
    word.why === 'dismissal_proposed'
      ? decisionForm(
          viewer,
          'line.dismiss',
          at('dismiss'),
          html`${notPayouts(viewer, word)}${whyField(viewer)}`,
          WORDS[language].dismiss,
          'danger',
        )
      : decisionForm(viewer, 'line.restore', at('restore'), whyField(viewer), DESK_WORDS[language].restore)
  return html`<div class="acts">${!isLapsed && agree} ${end(words.reject, 'plain')}</div>`
}

/** Payouts whose debit it is not, as the first person said. */
function notPayouts({ language }: Viewer, { reasons }: LineProposal['word']): Html[] {
  const named = (reasons as { field: string; verdict: string }[]).filter(({ field }) => field === 'not_payout')
  return named.map(
    ({ verdict: id }) =>
      html`<label class="choice"
        ><input type="checkbox" name="notPayout" value="${id}" required />${WORDS[language].notTheirDebit(id)}</label
      >`,
  )
}
