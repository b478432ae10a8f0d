import { say } from '../../../acts/refusals/say.ts'
import type { Check } from '../../../domain/doctor/index.ts'
import { MAX_COUNTED } from '../../../domain/webhooks/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { age, cardTable, minute, second } from '../../web/console/parts.ts'
import type { Page, Viewer } from '../page.ts'
import { checkWords } from './checks.ts'
import type { SystemFacts } from './facts.ts'
import { WORDS } from './words.ts'

export function systemPage(viewer: Viewer, facts: SystemFacts): Page {
  const { words: shared } = viewer
  const words = WORDS[viewer.language]
  const toDo = problems(viewer, facts)
  const main = html`<h1>${shared.system}</h1>
    <p class="lead">${words.lead}</p>
    <p class="say ${toDo === 0 ? 'fine' : 'bad'}">${toDo === 0 ? words.allWell : words.toDo(toDo)}</p>
    <dl class="strip">
      ${figure(words.version, facts.version)} ${figure(words.mode, words.modes[facts.mode])}
      ${figure(words.upSince, html`${minute(facts.upSince)}`)} ${figure(words.node, facts.node)}
    </dl>
    <h2>${words.checks}</h2>
    <p class="hint">${words.checksLead}</p>
    ${checkLists(viewer, facts.checks)}
    <h2>${words.queues}</h2>
    ${queueTable(viewer, facts)}
    <h2>${words.workers}</h2>
    <p class="hint">${words.workersLead}</p>
    ${facts.runs.length === 0 ? html`<p class="say bad">${words.noWorkers}</p>` : workerTable(viewer, facts)}
    <h2>${words.migrations}</h2>
    ${migrations(viewer, facts)}`
  return { title: shared.system, section: 'system', main }
}

const figure = (label: string, value: Html | string) =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`

type Queue = SystemFacts['queues'][number]

const isLate = ({ now }: Viewer, { oldest, lateMinutes }: Queue) =>
  oldest !== null && now.getTime() - oldest.getTime() > lateMinutes * 60_000

/** How much someone must act on. */
function problems(viewer: Viewer, { checks, queues, runs, migrations: { missing } }: SystemFacts): number {
  const failed = checks.filter(({ ok }) => !ok)
  // Lines that could not be read are a queue and a check.
  const isCounted = ({ name }: Queue) => name === 'unread_lines' && failed.some(({ check }) => check === 'unread lines')
  const late = queues.filter((queue) => (isLate(viewer, queue) || queue.forPeople > 0) && !isCounted(queue))
  const still = runs.filter(({ standsStill }) => standsStill)
  return failed.length + late.length + still.length + (runs.length === 0 ? 1 : 0) + (missing.length > 0 ? 1 : 0)
}

/** What needs attention first; the others are closed until someone wants them. */
function checkLists(viewer: Viewer, checks: Check[]): Html {
  const words = WORDS[viewer.language]
  const noted = checks.filter(({ ok, todo }) => !ok || todo !== undefined)
  const fine = checks.filter(({ ok, todo }) => ok && todo === undefined)
  const list = (some: Check[]) =>
    html`<ul class="findings">
      ${some.map((check) => checkItem(viewer, check))}
    </ul>`
  return html`${noted.length > 0 && list(noted.toSorted((a, b) => Number(a.ok) - Number(b.ok)))}
  ${
    fine.length > 0 &&
    html`<details>
      <summary>${words.fine(fine.length)}</summary>
      ${list(fine)}
    </details>`
  }`
}

/** What to do leads to the page that mends it: commands are for the command line. */
function checkItem({ language, root }: Viewer, { check, ok, found, todo }: Check): Html {
  const words = WORDS[language]
  const { name, path, forWhom } = checkWords(language, check)
  const look = !ok ? 'bad' : todo === undefined ? 'good' : 'warn'
  return html`<li>
    <span class="state ${look === 'warn' ? 'busy' : look}">${words.states[look]}</span>
    <div>
      <b>${plainName(name)}</b>
      <p>${plainName(say(language, found))}</p>
      ${todo !== undefined && html`<p>→ ${adviceOf(say(language, todo), path === null ? null : `${root}${path}`)}${forWhom !== null && html` <span class="mild">${forWhom}</span>`}</p>`}
    </div>
  </li>`
}

function adviceOf(text: string, href: string | null): Html {
  return href === null ? html`${plainName(text)}` : html`<a href="${href}">${plainName(text)}</a>`
}

function queueTable(viewer: Viewer, { queues }: SystemFacts): Html {
  const { now, words: shared } = viewer
  const words = WORDS[viewer.language]
  const columns = [
    { label: words.queue },
    { label: words.waiting, isMoney: true },
    { label: words.oldest },
    { label: shared.status },
  ]
  const rows = queues.map((queue) => ({
    href: null,
    cells: [
      html`${words.queueNames[queue.name]}`,
      html`${queue.count > MAX_COUNTED ? `${MAX_COUNTED}+` : queue.count}`,
      html`${queue.oldest === null ? '–' : age(queue.oldest, now, shared.age)}`,
      queueState(viewer, queue),
    ],
  }))
  return cardTable(words.queues, columns, rows)
}

/** What waits for people leads to where they decide. */
function queueState(viewer: Viewer, queue: Queue): Html {
  const words = WORDS[viewer.language]
  if (queue.forPeople > 0)
    return html`<a class="state bad" href="${viewer.root}/payouts">${words.forPeople(queue.forPeople)}</a>`
  return isLate(viewer, queue)
    ? html`<span class="state bad">${words.late}</span>`
    : html`<span class="state good">${words.states.good}</span>`
}

function workerTable({ language, words: shared }: Viewer, { runs, now }: SystemFacts): Html {
  const words = WORDS[language]
  const columns = [words.worker, shared.status, words.lastRun, words.lag, words.every, words.host]
  const rows = runs.map(({ worker, everyMs, succeededAt, host, lagMs, standsStill }) => ({
    href: null,
    cells: [
      html`<code>${plainName(worker)}</code>`,
      html`<span class="state ${standsStill ? 'bad' : 'good'}"
        >${standsStill ? words.standsStill : words.onTime}</span
      >`,
      html`${second(succeededAt)} <span class="mild">· ${age(succeededAt, now, shared.age)}</span>`,
      html`${duration(words.units, lagMs)}`,
      html`${duration(words.units, everyMs)}`,
      html`${plainName(host)}`,
    ],
  }))
  return cardTable(
    words.workers,
    columns.map((label) => ({ label })),
    rows,
  )
}

/** "0,2 sn", "10 sn", "60 dk". */
function duration({ seconds, minutes }: { seconds: string; minutes: string }, ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(1).replace('.', ',')} ${seconds}`
  return ms < 120_000 ? `${Math.round(ms / 1000)} ${seconds}` : `${Math.round(ms / 60_000)} ${minutes}`
}

function migrations({ language }: Viewer, { migrations: { applied, missing } }: SystemFacts): Html {
  const words = WORDS[language]
  const last = applied.at(-1)
  return html`<section class="card">
    <p>${words.applied(applied.length)} <code>${last?.name ?? '–'}</code>${last && html` · ${minute(last.at)}`}</p>
    <p class="${missing.length > 0 && 'say bad'}">
      ${missing.length > 0 ? words.pending(missing.join(', ')) : words.noneMissing}
    </p>
  </section>`
}
