import type { Schedule, SettlementAccount } from '../../../../domain/merchants/index.ts'
import type { SettlementPreview, ShownSettlement } from '../../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../../kernel/money.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { decisionForm } from '../decision-form.ts'
import { shownDay } from '../merchant-month/month.ts'
import { minute } from '../parts.ts'
import { refusalText } from '../../../../acts/refusals/say.ts'
import type { Viewer as AnyViewer } from '../routes.ts'
import { stateBadge } from '../transaction-list.ts'
import type { SharedWords } from '../words-tr.ts'
import { SETTLEMENT_WORDS } from './words.ts'

type Viewer = AnyViewer<SharedWords>

/** How a console shows an IBAN, and what it says where there is no account. */
type AccountLook = { iban: (iban: string) => string; noAccount: string }

/** Where the balance goes, when, and when next. */
export function settlementFacts(
  viewer: Viewer,
  { account, schedule, due }: SettlementPreview,
  look: AccountLook,
): Html {
  const words = SETTLEMENT_WORDS[viewer.language]
  return html`<dl class="facts">
    <dt>${words.account}</dt>
    <dd>${account ? accountText(account, look) : look.noAccount}</dd>
    <dt>${words.schedule}</dt>
    <dd>${scheduleText(viewer, schedule)}</dd>
    ${
      due &&
      html`<dt>${words.due}</dt>
        <dd>${minute(due.at)}${due.waits && html`<br />${words.waits}`}</dd>`
    }
  </dl>`
}

const accountText = ({ iban, title }: SettlementAccount, look: AccountLook): Html =>
  html`<span class="id">${look.iban(iban)}</span><br />${plainName(title)}`

/** 570 → 09:30. */
export function timeOfDay(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

function scheduleText({ language }: Viewer, schedule: Schedule | null): string {
  const words = SETTLEMENT_WORDS[language]
  if (!schedule || schedule.every === 'off') return words.off
  const { weekday, minute: at, minimum } = schedule
  const when = weekday === null ? words.daily : words.weekly(words.weekdays[weekday - 1] ?? '')
  // One kuruş is no minimum.
  const least = minimum > 1n ? [words.atLeast(formatMoney(minimum))] : []
  return [words.at(when, timeOfDay(at)), ...least].join(', ')
}

/** `by`: the name of who asked for it. */
export function settlementList(viewer: Viewer, settlements: ShownSettlement[], by: (who: string) => string): Html {
  const words = SETTLEMENT_WORDS[viewer.language]
  if (settlements.length === 0) return html`<p class="mild">${words.none}</p>`
  return html`<ul class="rows">
    ${settlements.map(
      (one) =>
        html`<li>
          <span>${sentText(viewer, one)}</span>
          <span class="mild"
            >${shownDay(one.day)} · ${one.requestedBy === null ? words.bySchedule : by(one.requestedBy)}</span
          >
        </li>`,
    )}
  </ul>`
}

function sentText(viewer: Viewer, { amount, withdrawalId, withdrawal }: ShownSettlement): Html {
  if (withdrawalId === null) return html`${SETTLEMENT_WORDS[viewer.language].tooSmall}`
  const link = html`<a href="${viewer.root}/transactions/${withdrawalId}">${formatMoney(amount)}</a>`
  if (!withdrawal) return link
  const { returned } = viewer.words.codes.withdrawalStates
  return html`${link}
  ${
    withdrawal.state === 'returned'
      ? html`<span class="state bad">${returned}</span>`
      : stateBadge(viewer, withdrawal.status)
  }`
}

/** What would leave now, and its form; or why nothing can. */
export function settlementNow(viewer: Viewer, preview: SettlementPreview, look: AccountLook, path: string): Html {
  const words = SETTLEMENT_WORDS[viewer.language]
  const { account, now } = preview
  if (!account) return html``
  if (now instanceof Refusal)
    return html`<p class="hint">${words.notNow} ${plainName(refusalText(viewer.language, now))}</p>`
  const seen = html`<input type="hidden" name="seen" value="${now.hash}" />
    <input type="hidden" name="amount" value="${String(now.amount)}" />`
  return html`<p><b>${words.leaves(formatMoney(now.amount))}</b><br />${accountText(account, look)}</p>
    <p class="hint">${words.leavesHint}</p>
    ${decisionForm(viewer, 'settlement.request', path, seen, words.now)}`
}

/** What the form was about. Nothing is sent for an amount that is none. */
export function seenIn(fields: URLSearchParams): { amount: bigint; hash: string } {
  const amount = fields.get('amount') ?? ''
  return { amount: /^\d{1,16}$/.test(amount) ? BigInt(amount) : 0n, hash: fields.get('seen') ?? '' }
}
