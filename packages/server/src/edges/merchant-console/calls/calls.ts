import { curlOf } from './curl.ts'
import type { ApiCall } from '../../../domain/merchants/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import { cardTable, second } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { CALL_WORDS } from './words.ts'

export const CALLS_PER_PAGE = 50

export function callsPage(viewer: Viewer, failed: boolean, calls: ApiCall[]): Page {
  const { words: shared, root } = viewer
  const words = CALL_WORDS[viewer.language]
  const shown = calls.slice(0, CALLS_PER_PAGE)
  const last = calls.length > CALLS_PER_PAGE ? shown.at(-1)?.id : undefined
  const next = new URLSearchParams({ ...(failed && { result: 'failed' }), before: last ?? '' }).toString()
  const main = html`<h1>${shared.calls}</h1>
    <p class="lead">${words.lead}</p>
    <form class="filters" action="${root}/calls">
      <label class="field"
        >${words.result}
        <select name="result">
          ${option('', words.all, !failed)} ${option('failed', words.failed, failed)}
        </select>
      </label>
      <button class="button small">${shared.show}</button>
    </form>
    ${shown.length === 0 ? html`<p class="empty">${words.none}</p>` : table(viewer, shown)}
    ${last !== undefined && html`<p class="more"><a href="?${next}">${shared.older}</a></p>`}`
  return { title: shared.calls, section: 'calls', main }
}

function statusBadge(status: number): Html {
  return html`<span class="state ${status < 400 ? 'good' : 'bad'}">${status}</span>`
}

function table({ language, root }: Viewer, calls: ApiCall[]): Html {
  const words = CALL_WORDS[language]
  return cardTable(
    words.title,
    [
      ...[words.call, words.status, words.problem].map((label) => ({ label })),
      { label: words.duration, isMoney: true },
      { label: words.at },
    ],
    calls.map((call) => {
      const href = `${root}/calls/${call.id}`
      const cells = [
        html`<a href="${href}">${call.method} ${plainName(call.path)}</a>`,
        html`${statusBadge(call.status)}`,
        html`${call.code ?? ''} ${call.problem !== null && html`<span class="mild">${plainName(call.problem)}</span>`}`,
        html`${call.durationMs} ms`,
        second(call.at),
      ]
      return { href, cells }
    }),
  )
}

export function callPage(viewer: Viewer, call: ApiCall, { apiKey, base }: { apiKey: string; base: string }): Page {
  const words = CALL_WORDS[viewer.language]
  const command = curlOf(call, apiKey, base)
  const facts: [string, Html | string][] = [
    [words.at, second(call.at)],
    [words.status, statusBadge(call.status)],
    ...(call.code === null ? [] : [[words.code, call.code] as [string, string]]),
    ...(call.problem === null ? [] : [[words.problem, plainName(call.problem)] as [string, string]]),
    [words.duration, `${call.durationMs} ms`],
    [words.address, call.address ?? '–'],
    [words.requestId, call.requestId],
  ]
  const title = `${call.method} ${plainName(call.path)}`
  const main = html`<h1>${title}</h1>
    <p class="lead"><a href="${viewer.root}/calls">${words.back}</a></p>
    <section class="card">
      <dl class="facts">
        ${facts.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
    </section>
    <section class="card below" aria-labelledby="curl">
      <h2 id="curl" class="first">${words.curl}</h2>
      <p class="hint">${words.curlHint}</p>
      <pre tabindex="0" aria-labelledby="curl"><code>${command}</code></pre>
      <div class="acts">${copyButton(viewer.words, command)}</div>
    </section>`
  return { title: words.title, section: 'calls', main }
}
