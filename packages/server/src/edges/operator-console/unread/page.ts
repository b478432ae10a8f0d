import { say } from '../../../acts/refusals/say.ts'
import type { listUnreadAndClosed } from '../../../domain/statements/index.ts'
import { canRetry, unreadId } from '../../../domain/statements/index.ts'
import { groupedIban, normaliseIban } from '../../../kernel/iban.ts'
import { isDay, istanbul } from '../../../kernel/istanbul.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import type { Said } from '../../../platform/refusal.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Html, Part } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { enterLink } from '../entered/link.ts'
import type { Page, Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { UNREAD_WORDS } from './words.ts'
import { writtenIn } from './written.ts'

type Unread = Awaited<ReturnType<typeof listUnreadAndClosed>>[number]
type Waiting = Omit<Unread, 'closedBy' | 'closedWhy'>

/** `ours`: names of our accounts by their IBAN. */
type Facts = { waiting: Waiting[]; closed: Unread[]; ours: ReadonlyMap<string, string> }

const MAX_CARDS = 100

export function unreadPage(viewer: Viewer, { waiting, closed, ours }: Facts): Page {
  const words = UNREAD_WORDS[viewer.language]
  const shown = waiting.slice(0, MAX_CARDS)
  const retry = html`<p class="hint">${words.retryHint}</p>
    <div class="acts">${decisionForm(viewer, 'unread.reimport', '/unread/retry', html``, words.retry, 'plain')}</div>`
  const main = html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${waiting.length === 0 && html`<p class="empty">${words.none}</p>`}
    ${waiting.some((one) => canRetry(viewer.sandbox, one)) && retry}
    <div class="cards">${shown.map((one) => card(viewer, ours, one, waitingParts(viewer, one)))}</div>
    ${waiting.length > shown.length && html`<p class="more">${words.more(waiting.length - shown.length)}</p>`}
    ${
      closed.length > 0 &&
      html`<details class="folded">
        <summary>${words.closed} (${closed.length})</summary>
        <div class="cards">
          ${closed.slice(0, MAX_CARDS).map((one) => card(viewer, ours, one, closedParts(viewer, one)))}
        </div>
      </details>`
    }`
  return { title: words.title, section: 'matching', main }
}

type Parts = { facts: [string, Part][]; form: Html }

const which = ({ hash }: Waiting) => html`<input type="hidden" name="line" value="${hash}" />`

function waitingParts(viewer: Viewer, one: Waiting): Parts {
  const words = UNREAD_WORDS[viewer.language]
  const fields = html`${which(one)}<label class="field wide-field"
      >${words.why}<input name="why" required minlength="${MIN_REASON_LENGTH}" maxlength="200" autocomplete="off"
    /></label>`
  return {
    facts: [
      [words.toDo, canRetry(viewer.sandbox, one) ? words.steps[stepFor(one.why)] : enterInstead(viewer, one)],
      ...fileOf(viewer, one),
    ],
    form: decisionForm(viewer, 'unread.close', '/unread/close', fields, words.close, 'plain'),
  }
}

/** The form, with what is no personal data. */
function enterInstead(viewer: Viewer, { raw }: Waiting): Html {
  const { account = '', bookedAt = '' } = writtenIn(raw) ?? {}
  const at = new Date(bookedAt)
  const day = isDay(bookedAt.slice(0, 10)) && !Number.isNaN(at.getTime()) ? istanbul(at).day : ''
  const link = enterLink(viewer, { account: normaliseIban(account), ...(day !== '' && { day }) })
  return html`${UNREAD_WORDS[viewer.language].steps.uploaded} ${link}`
}

function fileOf({ language, root }: Viewer, { uploadedFileId }: Waiting): [string, Part][] {
  if (uploadedFileId === null) return []
  const words = UNREAD_WORDS[language]
  return [[words.file, html`<a href="${root}/statements/${uploadedFileId}">${words.openFile}</a>`]]
}

function closedParts(viewer: Viewer, one: Unread): Parts {
  const words = UNREAD_WORDS[viewer.language]
  return {
    facts: [[words.closedBy, plainName(`${one.closedBy}: ${one.closedWhy}`)]],
    form: decisionForm(viewer, 'unread.reopen', '/unread/reopen', which(one), words.reopen, 'plain'),
  }
}

function stepFor({ why }: Said): 'account' | 'connection' | 'line' {
  if (why === 'unread_not_ours') return 'account'
  return why === 'unread_no_connection' || why === 'unread_other_source' ? 'connection' : 'line'
}

function card(viewer: Viewer, ours: Facts['ours'], one: Waiting, { facts, form }: Parts): Html {
  const words = UNREAD_WORDS[viewer.language]
  const data = masked(viewer)
  const written = writtenIn(one.raw)
  const iban = normaliseIban(written?.account ?? '')
  const account = ours.get(iban) ?? (iban === '' ? words.noAccount : data.iban(plainName(iban)))
  const { senderName = '', senderIban = '', narrative = '', number = '', bookedAt = '' } = written ?? {}
  const sender = [data.name(senderName), data.iban(plainName(senderIban))].filter((text) => text !== '').join(', ')
  const text = written ? narrative : one.raw.slice(0, 300).toWellFormed()
  const all: [string, Part][] = [
    [words.reason, html`<b>${plainName(say(viewer.language, one.why))}</b>`],
    ...facts,
    [words.account, account],
    [words.sender, sender],
    [words.number, plainName(number)],
    [words.bookedAt, Number.isNaN(Date.parse(bookedAt)) ? plainName(bookedAt) : minute(new Date(bookedAt))],
    [words.source, plainName(one.source)],
    [words.readAt, html`${minute(one.createdAt)} · ${age(one.createdAt, viewer.now, viewer.words.age)}`],
    [words.id, html`<span class="id">${unreadId(one.hash)}</span>`],
  ]
  return html`<article class="card" data-item="${unreadId(one.hash)}">
    <div class="head"><b>${written ? plainName(written.amount ?? words.noAmount) : words.noAmount}</b></div>
    ${text !== '' && html`<p class="written">${data.text(text, [senderName])}</p>`}
    <dl class="facts">
      ${all.map(
        ([label, value]) =>
          value !== '' &&
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <div class="acts">${form}</div>
  </article>`
}

/** By IBAN, as people call them. */
export function namesByIban(accounts: { iban: string; bankName: string }[]): Map<string, string> {
  return new Map(accounts.map(({ iban, bankName }) => [normaliseIban(iban), `${bankName} · ${groupedIban(iban)}`]))
}
