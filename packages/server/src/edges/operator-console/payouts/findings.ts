import type { DoubtDecision } from '../../../domain/withdrawals/index.ts'
import { awaitsThird, opinionsDiffer } from '../../../domain/withdrawals/index.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { lapsedMark } from '../proposals/lapsed.ts'

/** `opinions`: what counts now; `earlier`: what was changed or taken back; `takeBack`: where a form for that goes; `lapsed`: who may no longer decide; `differ`: what is said if they differ. */
type Findings = {
  opinions: DoubtDecision[]
  earlier: DoubtDecision[]
  takeBack: string
  lapsed: ReadonlySet<string>
  differ?: string
}

/** What others have found is shown only to a person who has reported: the second must not copy the first. */
export function findings(viewer: Viewer, found: Findings, reports: Html): Html {
  const { words, name } = viewer
  const { opinions, earlier, takeBack, lapsed, differ = words.opinionsDiffer } = found
  if (!opinions.some(({ operator }) => operator === name))
    return html`<p class="acts mild">${words.opinions(opinions.length)}</p>
      ${reports}`
  const why = html`<label class="field"
    >${words.takeBackWhy}<input name="why" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
  /></label>`
  const counted = opinions.filter(({ operator }) => !lapsed.has(operator))
  const problem = awaitsThird(counted) ? words.thirdNeeded : opinionsDiffer(counted) && differ
  return html`<p class="${problem ? 'say bad' : 'acts mild'}">${problem || words.yourOpinion}</p>
    <div class="below">
      ${opinionList(viewer, opinions, lapsed)}
      ${earlier.length > 0 && html`<p class="mild below">${words.earlierOpinions}</p>`} ${opinionList(viewer, earlier)}
    </div>
    <details>
      <summary>${words.changeOpinion}</summary>
      ${reports}
      <div class="acts">${decisionForm(viewer, 'payout.decide', takeBack, why, words.takeBack, 'plain')}</div>
    </details>`
}

export function opinionList(viewer: Viewer, said: DoubtDecision[], lapsed: ReadonlySet<string> = new Set()): Html {
  const { words } = viewer
  return html`${said.map(
    ({ operator, verdict, evidence, decidedAt }) =>
      html`<p>
        ${minute(decidedAt)} <b>${operator}</b>${lapsed.has(operator) && lapsedMark(viewer, 'noLongerMay')}:
        ${words.codes.callOutcomes[verdict]}, ${plainName(evidence)}
      </p>`,
  )}`
}
