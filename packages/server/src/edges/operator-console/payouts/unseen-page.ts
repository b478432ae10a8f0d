import type { Said } from '../../../platform/refusal.ts'
import type { DoubtDecision, Payout, PayoutCall } from '../../../domain/withdrawals/index.ts'
import { currentOpinions, isAboutEnded } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { merchantName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import { revealForm } from '../reveal/form.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { findings, opinionList } from './findings.ts'
import { namedLines } from './named-lines.ts'
import { callList } from './page.ts'
import { UNSEEN_WORDS } from './words.ts'

/** A completed payout that no debit shows. `endedAt`: since when. */
export type Unseen = {
  payout: Payout
  endedAt: Date
  calls: (PayoutCall & { calledAt: Date })[]
  processId: string
  /** About the current sending only. */
  statements: DoubtDecision[]
  /** Lines that name it or may be its debit. */
  lines: Said[]
  /** Who may no longer decide. */
  lapsed: string[]
}

export type UnseenFacts = {
  debits: Unseen[]
  credits: Pick<Unseen, 'payout' | 'endedAt' | 'processId'>[]
  merchants: MerchantNames
  accountName: AccountName
  dataOf: DataOf
}

export function unseenPage(viewer: Viewer, facts: UnseenFacts): Page {
  const words = UNSEEN_WORDS[viewer.language]
  const { debits, credits } = facts
  const main = html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    <h2 id="debits">${words.debits}</h2>
    ${
      debits.length === 0
        ? html`<p class="empty">${words.noDebits}</p>`
        : html`<p class="lead">${words.debitsLead}</p>
            <div class="cards">${debits.map((one) => card(viewer, one, facts))}</div>`
    }
    <h2 id="credits">${words.credits}</h2>
    ${
      credits.length === 0
        ? html`<p class="empty">${words.noCredits}</p>`
        : html`<p class="lead">${words.creditsLead}</p>
            ${creditTable(viewer, facts)}`
    }`
  return { title: words.title, section: 'payouts', main }
}

function card(viewer: Viewer, { payout, endedAt, ...one }: Unseen, facts: UnseenFacts): Html {
  const { words, root, now, language } = viewer
  const own = UNSEEN_WORDS[language]
  const { withdrawalId: id, amount, currency, iban, rail, connection, bankReference } = payout
  const data = facts.dataOf(`withdrawal:${id}`)
  const opinions = currentOpinions(payout, one.statements).filter(isAboutEnded)
  const [about, before] = divided(one.statements)
  const found = {
    ...{ opinions, earlier: about.filter((said) => !opinions.includes(said)), lapsed: new Set(one.lapsed) },
    ...{ takeBack: `/payouts/unseen/${id}/take-back`, differ: own.said.unseenDiffer },
  }
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <span class="amount">${formatMoney(amount, currency)}</span>
      <span class="mild">${own.since} ${minute(endedAt)} · ${age(endedAt, now, words.age)}</span>
    </div>
    <dl class="facts">
      <dt>${words.recipient}</dt>
      <dd>${data.name(payout.accountName)}, ${data.iban(iban)}</dd>
      <dt>${words.merchant}</dt>
      <dd>${merchantName(words, facts.merchants, payout.merchantId)}</dd>
      <dt>${words.processId}</dt>
      <dd>${plainName(one.processId)}</dd>
      <dt>${own.bank}</dt>
      <dd>${facts.accountName(payout.sourceAccountId) ?? '–'} · ${worded(words.codes.rails, rail)} · ${connection}</dd>
      <dt>${words.bankReference}</dt>
      <dd>${bankReference ?? '–'}</dd>
      ${
        before.length > 0 &&
        html`<dt>${own.found}</dt>
          <dd>${opinionList(viewer, before)}</dd>`
      }
      <dt>${words.calls}</dt>
      <dd>${callList(viewer, one.calls)}</dd>
      ${
        one.lines.length > 0 &&
        html`<dt>${words.onStatement}</dt>
          <dd>${namedLines(viewer, one.lines)}</dd>`
      }
      <dt>${words.id}</dt>
      <dd><a class="id" href="${root}/transactions/${id}">${id}</a></dd>
    </dl>
    ${revealForm(viewer, data, `/payouts/unseen/${id}/reveal`)} ${findings(viewer, found, reports(viewer, payout))}
  </article>`
}

/** What was said about the missing debit, and what before, when the outcome was unknown. */
function divided(statements: DoubtDecision[]): [about: DoubtDecision[], before: DoubtDecision[]] {
  const first = statements.findIndex(isAboutEnded)
  return first === -1 ? [[], statements] : [statements.slice(first), statements.slice(0, first)]
}

/** One that came back may have been paid without a debit; its merchant has the money already. */
function reports(viewer: Viewer, { withdrawalId, state }: Payout): Html {
  const words = UNSEEN_WORDS[viewer.language]
  const fields = (effect: string) =>
    html`<p class="mild">${effect}</p>
      <label class="field"
        >${words.evidence}<input name="evidence" required minlength="${MIN_REASON_LENGTH}" maxlength="200"
      /></label>`
  const path = `/payouts/unseen/${withdrawalId}`
  return html`<div class="acts">
    ${
      state === 'sent' &&
      decisionForm(
        viewer,
        'payout.decide',
        `${path}/never-paid`,
        fields(words.neverPaidEffect),
        words.neverPaid,
        'danger',
      )
    }
    ${decisionForm(viewer, 'payout.decide', `${path}/paid`, fields(words.paidEffect), words.paid)}
  </div>`
}

function creditTable(viewer: Viewer, { credits, merchants, accountName }: UnseenFacts): Html {
  const { words, root, now, language } = viewer
  const own = UNSEEN_WORDS[language]
  const labels = [own.since, words.merchant, words.processId, own.bank, words.id].map((label) => ({ label }))
  const rows = credits.map(({ payout, endedAt, processId }) => {
    const href = `${root}/transactions/${payout.withdrawalId}`
    return {
      href,
      cells: [
        html`${formatMoney(payout.amount, payout.currency)}`,
        html`${minute(endedAt)} · ${age(endedAt, now, words.age)}`,
        html`${merchantName(words, merchants, payout.merchantId)}`,
        html`${plainName(processId)}`,
        html`${accountName(payout.sourceAccountId) ?? '–'}`,
        html`<a class="id" href="${href}">${payout.withdrawalId}</a>`,
      ],
    }
  })
  return cardTable(own.credits, [{ label: words.amount, isMoney: true }, ...labels], rows)
}
