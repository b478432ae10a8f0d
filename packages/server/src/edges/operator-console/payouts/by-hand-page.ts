import type { Takes, HeldBy } from '../../../domain/withdrawals/index.ts'
import { currentOpinions, takesOf, unknownSince } from '../../../domain/withdrawals/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { copyButton } from '../../web/console/copy-button.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { liveList } from '../../web/console/live-part.ts'
import { age, clockTime, minute, minuteText } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { MerchantNames } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { IN_FULL } from '../reveal/personal-data.ts'
import { BY_HAND_WORDS } from './by-hand-words.ts'
import { findings } from './findings.ts'
import { namedLines, notOfPayout } from './named-lines.ts'
import type { UnknownPayout } from './page.ts'
import { whose } from './page.ts'
import { BY_HAND } from './words.ts'

/** `heldBy`: why it must not be sent now. */
export type ToSend = UnknownPayout & { heldBy: HeldBy | 'differs_from_withdrawal' }

type Account = { id: string; bankName: string; iban: string }
type Facts = { toSend: ToSend[]; merchants: MerchantNames; accounts: Account[]; dataOf: DataOf; isCut: boolean }

/** Payouts that a person sends in the bank's own system, with what must be typed there. */
export function byHandPage(viewer: Viewer, facts: Facts): Page {
  const words = BY_HAND_WORDS[viewer.language]
  const { toSend, isCut } = facts
  const parts = html`${
    toSend.length === 0
      ? html`<p class="empty">${words.none}</p>`
      : html`<ol class="steps">
            ${words.steps.map((text) => html`<li>${text}</li>`)}
          </ol>
          <div class="cards below">${toSend.map((one) => card(viewer, one, facts))}</div>
          ${isCut && html`<p class="say">${words.oldest(toSend.length)}</p>`}`
  }`
  const main = html`<p class="mild"><a href="${viewer.root}/payouts">${viewer.words.payouts}</a></p>
    <h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${liveList(viewer, 'by-hand', parts)}`
  return { title: words.title, section: 'payouts', main }
}

function card(viewer: Viewer, one: ToSend, { merchants, accounts, dataOf }: Facts): Html {
  const { words: shared, root, now, language } = viewer
  const words = BY_HAND_WORDS[language]
  const { payout, lines } = one
  const { withdrawalId: id, amount, currency, description } = payout
  const since = unknownSince(payout)
  const takes = takesOf(one.calls, now)
  // Who has taken it types it into the bank's system; what must not be sent stays masked.
  const isFree = why(viewer, one) === null
  const sends = isFree && takes.live?.name === viewer.name
  const data = sends ? IN_FULL : dataOf(`withdrawal:${id}`)
  const account = accounts.find((known) => known.id === payout.sourceAccountId)
  const fact = (label: string, shown: string, copied = shown) =>
    html`<dt>${label}</dt>
      <dd class="copied-value"><span>${shown}</span> ${sends && copyButton(shared, copied, words.copy(label))}</dd>`
  return html`<article class="card" id="payout-${id}" data-item="${id}">
    <div class="head">
      <span class="amount">${formatMoney(amount, currency)}</span>
      <span class="mild">${minute(since)} · ${age(since, now, shared.age)}</span>
    </div>
    ${warning(viewer, one)} ${isFree && takeNotes(viewer, takes)}
    <dl class="facts">
      ${fact(words.name, data.name(payout.accountName))} ${fact(words.iban, data.iban(payout.iban), payout.iban)}
      ${fact(words.amount, formatMoney(amount, currency), plainAmount(amount))} ${fact(words.description, description)}
      <dt>${shared.sentFrom}</dt>
      <dd>${account ? `${account.bankName} · ${groupedIban(account.iban)}` : '–'}</dd>
      <dt>${words.rail}</dt>
      <dd>${worded(shared.codes.rails, payout.rail)}</dd>
      ${whose(viewer, one.withdrawal, merchants)}
      ${
        lines.length > 0 &&
        html`<dt>${shared.onStatement}</dt>
          <dd>${namedLines(viewer, lines)}</dd>`
      }
      <dt>${shared.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${!(isFree && viewer.may('payout.sent')) && revealForm(viewer, data, `${BY_HAND}/${id}/reveal`)}
    ${acts(viewer, one, isFree ? takeActs(viewer, id, takes) : null)}
  </article>`
}

/** As it is typed: 1250,00. */
function plainAmount(amount: bigint): string {
  const digits = amount.toString().padStart(3, '0')
  return `${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** Why it must not be sent; null: it is to be sent. */
function why({ language }: Viewer, { heldBy, lines }: ToSend): string | null {
  const words = BY_HAND_WORDS[language]
  if (heldBy !== null) return words.held[heldBy]
  return lines.length > 0 ? words.seenOnStatement : null
}

function warning(viewer: Viewer, one: ToSend): Html {
  const words = BY_HAND_WORDS[viewer.language]
  const text = why(viewer, one) ?? (currentOpinions(one.payout, one.statements).length > 0 ? words.reported : null)
  return html`${text !== null && html`<p class="say bad">${text}</p>`}`
}

/** Who sends it now, and who may have sent it. */
function takeNotes({ language, name }: Viewer, { live, left }: Takes): Html {
  const words = BY_HAND_WORDS[language]
  return html`${left.map(({ name: who, at }) => html`<p class="say bad">${words.opened(who, minuteText(at))}</p>`)}
  ${live && live.name !== name && html`<p class="say">${words.takenBy(live.name, clockTime(live.until))}</p>`}
  ${live?.name === name && html`<p class="say">${words.yours(clockTime(live.until))}</p>`}`
}

/** Nothing while another person has it. */
function takeActs(viewer: Viewer, id: string, { live }: Takes): 'sends' | Html | null {
  const words = BY_HAND_WORDS[viewer.language]
  if (live) return live.name === viewer.name ? 'sends' : null
  return decisionForm(viewer, 'payout.sent', `${BY_HAND}/${id}/take`, html``, words.take)
}

/** It is taken and sent, or, by two people, it cannot be. Any of them records what another has sent: that one may have gone home. */
function acts(viewer: Viewer, one: ToSend, taken: 'sends' | Html | null): Html {
  const { payout, statements, notFound, lapsed, naming } = one
  const words = BY_HAND_WORDS[viewer.language]
  const path = `${BY_HAND}/${payout.withdrawalId}`
  const reference = html`<label class="field wide-field"
    >${words.reference}<input name="reference" required maxlength="100" autocomplete="off"
  /></label>`
  const opinions = currentOpinions(payout, statements)
  const earlier = statements.filter((said) => !opinions.includes(said))
  const evidence = html`<label class="field wide-field"
      >${viewer.words.notFoundLabel}<input name="evidence" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
    /></label>
    ${
      notFound.state === 'unproven' &&
      html`<label class="choice"
        ><input type="checkbox" name="unproven" value="yes" required />${words.unproven}</label
      >`
    }
    ${notOfPayout(viewer, naming)}`
  const report = html`<div class="acts">
    ${decisionForm(viewer, 'payout.decide', `${path}/not-found`, evidence, words.notSent, 'danger')}
  </div>`
  const found = { opinions, earlier, takeBack: `${path}/take-back`, lapsed: new Set(lapsed) }
  const sent = html`<div class="acts">
    ${decisionForm(viewer, 'payout.sent', `${path}/sent`, reference, words.sent)}
  </div>`
  const release = decisionForm(viewer, 'payout.sent', `${path}/release`, html``, words.release, 'plain')
  return html`${
      taken === 'sends'
        ? html`${sent}
            <div class="acts">${release}</div>`
        : html`${taken && html`<div class="acts">${taken}</div>`}
            <details class="below">
              <summary>${words.sentBefore}</summary>
              ${sent}
            </details>`
    }
    <details class="below" ${opinions.length > 0 && html`open`}>
      <summary>${words.cannot}</summary>
      <p class="hint">${words.cannotLead}</p>
      ${findings(viewer, found, report)}
    </details>`
}
