import type { UndoPreview } from '../../../domain/books/index.ts'
import type { ShownFile } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { lineReason } from '../../web/console/codes/codes.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { livePart } from '../../web/console/live-part.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import { setAsideLines } from '../entered/set-aside.ts'
import type { AccountName } from '../names.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import { dayText } from '../books/list-page.ts'
import type { Page, Viewer } from '../page.ts'
import { isStopped, stateOf } from './list-page.ts'
import { countsStrip, findingsList, sizeText, statementsTable } from './parts.ts'
import { UNDO_WORDS } from './undo-words.ts'
import { WORDS } from './words.ts'

export function filePage(viewer: Viewer, file: ShownFile, accountName: AccountName): Page {
  const words = WORDS[viewer.language]
  const { undoneBy, undoneWhy, acceptedWhy } = file
  const rows = file.statements.map((one) => ({
    ...one,
    account: accountName(one.collectingAccountId) ?? '',
    currency: 'TRY',
  }))
  const parts = html`<p class="lead">
      ${stateOf(viewer, file)} ${minute(file.importedAt ?? file.createdAt)} · ${file.createdBy}
    </p>
    ${!file.isOfPerson && html`<p class="say bad">${words.noMark(file.createdBy)}</p>`}
    ${isStopped(file) && html`<p class="say bad">${words.stopped(plainName(file.stoppedWhy ?? ''))}</p>`}
    ${file.state === 'undone' && html`<p class="say">${UNDO_WORDS[viewer.language].done(undoneBy ?? '', plainName(undoneWhy ?? ''))}</p>`}
    ${strip(viewer, file)}
    <h2>${words.byState}</h2>
    ${statesTable(viewer, file)} ${setAsideLines(viewer, file)}
    <h2>${words.statements}</h2>
    ${statementsTable(viewer, rows)}
    <h2>${words.checksTitle}</h2>
    ${findingsList(viewer, file.checks)}
    <dl class="facts below">
      ${
        acceptedWhy !== null &&
        html`<dt>${words.acceptedWhy}</dt>
          <dd>${plainName(acceptedWhy)}</dd>`
      }
      <dt>${words.format}</dt>
      <dd>${file.format}${file.profile && ` · ${file.profile.name}`}</dd>
      <dt>${words.connection}</dt>
      <dd>${file.connection}</dd>
      <dt>${words.size}</dt>
      <dd>${sizeText(file.size)}</dd>
      <dt>${words.fingerprint}</dt>
      <dd class="id">${file.sha256}</dd>
    </dl>
    ${
      (file.state === 'imported' || isStopped(file) || (file.state === 'importing' && !file.isOfPerson)) &&
      viewer.may('statement.undo') &&
      html`<p class="more">
        <a href="${viewer.root}/statements/${file.id}/undo">${UNDO_WORDS[viewer.language].title}</a>
      </p>`
    }`
  const main = html`<p class="mild"><a href="${viewer.root}/statements">${words.title}</a></p>
    <h1>${plainName(file.name)}</h1>
    ${livePart('file', parts)}`
  return { title: plainName(file.name), section: 'statements', main }
}

function strip(viewer: Viewer, { counts, byState }: ShownFile): Html {
  const total = (states: readonly string[]) =>
    byState.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0)
  return countsStrip(
    viewer,
    [
      ['new', counts.new],
      ['known', counts.known],
      ['matched', total(['matched'])],
      ['review', total(OPEN)],
    ],
    [
      ['toMatch', counts.toMatch],
      ['suspected', counts.suspected],
      ['unread', counts.unread],
      ['pending', counts.pending],
    ],
  )
}

/** Lines that someone still has to look at. */
const OPEN: readonly string[] = ['suspense', 'needs_review']

function statesTable(viewer: Viewer, { byState }: ShownFile): Html {
  const words = WORDS[viewer.language]
  if (byState.length === 0) return html`<p class="empty">–</p>`
  const table = dataTable(
    words.byState,
    [
      { label: words.state },
      { label: words.why },
      ...[words.lineCount, words.credits, words.debits].map((label) => ({ label, isMoney: true })),
    ],
    byState.map(({ state, reason, count, credits, debits }) => ({
      href: null,
      cells: [
        stateBadge(viewer, state),
        html`${reason === null ? '' : lineReason(viewer.words.codes, reason)}`,
        html`${count}`,
        html`${formatMoney(credits)}`,
        html`${formatMoney(-debits)}`,
      ],
    })),
  )
  const isOpen = byState.some(({ state }) => OPEN.includes(state))
  return html`${table} ${isOpen && html`<p class="more"><a href="${viewer.root}/matching">${words.toDesk}</a></p>`}`
}

type ClosedDay = { day: string; people: string[] }

/** The others are counted: a file may be of a year. */
const MOST_DAYS = 5

/** Two people agreed to the figures of these days. */
function closedDays({ language, root }: Viewer, closed: ClosedDay[]): Html {
  const words = UNDO_WORDS[language]
  if (closed.length === 0) return html``
  const rest = closed.length - MOST_DAYS
  return html`<div class="say bad">
    ${closed
      .slice(0, MOST_DAYS)
      .map(
        ({ day, people }) =>
          html`<p><a href="${root}/books/${day}">${dayText(day)}</a> ${words.closedBy(people.join(', '))}</p>`,
      )}
    ${rest > 0 && html`<p>${words.moreClosed(rest)}</p>`}
    <p>${words.willShow}</p>
  </div>`
}

export function undoPage(viewer: Viewer, file: ShownFile, undo: UndoPreview, closed: ClosedDay[]): Page {
  const words = UNDO_WORDS[viewer.language]
  const path = `/statements/${file.id}`
  const why = html`<label class="field wide-field"
    >${words.why}<input name="why" required minlength="5" maxlength="500"
  /></label>`
  const main = html`<p class="mild"><a href="${viewer.root}${path}">${plainName(file.name)}</a></p>
    <h1>${words.title}</h1>
    ${
      'refused' in undo
        ? html`<div class="say bad" role="alert">
            <b>${words.refused}</b>
            <p>${refusalText(viewer.language, undo.refused)}</p>
            ${undo.lineId !== null && html`<p><a href="${viewer.root}/matching/${undo.lineId}">${words.toLine}</a></p>`}
          </div>`
        : html`<p class="lead">${words.effect(undo.lines)}</p>
            ${closedDays(viewer, closed)} ${statesTable(viewer, file)}
            <div class="acts">
              ${decisionForm(viewer, 'statement.undo', `${path}/undo`, why, words.now(undo.lines), 'danger')}
            </div>`
    }
    <p class="more"><a href="${viewer.root}${path}">${words.back}</a></p>`
  return { title: words.title, section: 'statements', main }
}
