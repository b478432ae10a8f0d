import type { EndpointHealth, findEvent } from '../../../domain/webhooks/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { deliveryText, outcomeText } from '../../web/console/callbacks/deliveries.ts'
import { transactionLink } from '../../web/console/callbacks/event-list.ts'
import { CALLBACK_WORDS } from '../../web/console/callbacks/words.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, second } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { maskedBody, maskedText } from './masked-body.ts'
import { WORDS } from './words.ts'

type Found = NonNullable<Awaited<ReturnType<typeof findEvent>>>
type Facts = { merchantId: string; merchant: string; event: Found; endpoints: EndpointHealth[] }

/** One event: what is sent, where it stands, and every attempt with its response. */
export function eventPage(viewer: Viewer, { merchantId, merchant, event, endpoints }: Facts): Page {
  const { root, now, words: shared, language } = viewer
  const words = WORDS[language]
  const both = CALLBACK_WORDS[language]
  const { id, type, createdAt, erasedAt, body } = event
  const resend = decisionForm(
    viewer,
    'event.resend',
    `/callbacks/${merchantId}/events/${id}/resend`,
    html``,
    both.resend,
  )
  const main = html`<h1>${type}</h1>
    <p class="lead"><span class="id">${id}</span> · ${second(createdAt)} · ${age(createdAt, now, shared.age)}</p>
    <div class="pair">
      <section class="card" aria-labelledby="facts">
        <h2 id="facts" class="first">${shared.facts}</h2>
        <dl class="facts">
          <dt>${shared.merchant}</dt>
          <dd><a href="${root}/merchants/${merchantId}">${plainName(merchant)}</a></dd>
          <dt>${both.transaction}</dt>
          <dd>${transactionLink(viewer, event)}</dd>
          <dt>${both.delivery}</dt>
          <dd>${deliveryText(viewer, event, endpoints)}</dd>
        </dl>
        ${erasedAt ? html`<p class="hint spaced">${words.erased}</p>` : html`<div class="acts">${resend}</div>`}
      </section>
      <section class="card" aria-labelledby="attempts">
        <h2 id="attempts" class="first">${words.attempts}</h2>
        ${event.attempts.length === 0 && html`<p class="mild">${words.noAttempts}</p>`}
        <ol class="moments">
          ${event.attempts.toReversed().map((attempt) => attemptItem(viewer, attempt, endpoints))}
        </ol>
      </section>
    </div>
    <section class="card below" aria-labelledby="body">
      <h2 id="body">${words.body}</h2>
      <p class="hint">${words.bodyHint}</p>
      <pre tabindex="0" aria-labelledby="body">${maskedBody(body)}</pre>
    </section>
    <p class="more"><a href="${root}/callbacks/${merchantId}">${words.toEvents}</a></p>`
  return { title: type, section: 'callbacks', main }
}

function attemptItem(viewer: Viewer, attempt: Found['attempts'][number], endpoints: EndpointHealth[]): Html {
  const words = WORDS[viewer.language]
  const { at, endpointId, outcome, status, problem, answer, connectMs, waitMs, readMs } = attempt
  const url = endpoints.find(({ id }) => id === endpointId)?.url ?? endpointId
  return html`<li>
    ${second(at)}
    <div>
      <p>
        <span class="state ${outcome === 'accepted' ? 'good' : 'bad'}">${outcome}</span>
        ${outcomeText(viewer.language, outcome, status)}
      </p>
      <p class="mild address">${plainName(url)}</p>
      <p class="mild">${words.took(connectMs, waitMs, readMs)}${problem !== null && ` · ${plainName(problem)}`}</p>
      ${
        answer === ''
          ? html`<p class="mild">${words.answer}: ${words.emptyAnswer}</p>`
          : html`<details>
              <summary>${words.answer}</summary>
              <pre tabindex="0" aria-label="${words.answer}">${maskedText(answer)}</pre>
            </details>`
      }
    </div>
  </li>`
}
