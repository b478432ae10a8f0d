import type { Proposal } from '../../../domain/proposals/index.ts'
import type { EnteredFacts, EnteredLine } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { minute } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { periodText } from '../statements/parts.ts'
import { ENTERED_WORDS } from './words.ts'

type Similar = EnteredFacts['same'][number]

/** A line in the books, masked, with a link to it. */
export function lineText(viewer: Viewer, line: Similar): Html {
  const { id, currency, senderName, bookedAt, bankReference, wholeDay, valueDate, state } = line
  const facts = [masked(viewer).name(senderName), plainName(bankReference ?? '')].filter((text) => text !== '')
  return html`<b>${signedAmount(line, currency)}</b> · ${wholeDay ? dayText(valueDate) : minute(bookedAt)}
    ${facts.length > 0 && html` · ${facts.join(' · ')}`} ${stateBadge(viewer, state)}
    <a class="id" href="${viewer.root}/matching/${id}">${id}</a>`
}

/** Nothing in the books is like it. */
export const isAlone = ({ same, apart, othersCount }: EnteredFacts) => same.length + apart.length + othersCount === 0

/** Warnings: lines of the same party some days apart, lines of the same amount that other people have sent or received, and the same money proposed already. */
export function otherWarnings(
  viewer: Viewer,
  { apart, others, othersCount }: EnteredFacts,
  proposed: Proposal[],
): Html {
  const words = ENTERED_WORDS[viewer.language]
  return html`${
    apart.length > 0 &&
    html`<div class="say bad">
      <p>${words.apart}</p>
      ${apart.map((line) => html`<p>${lineText(viewer, line)}</p>`)}
    </div>`
  }
  ${
    proposed.length > 0 &&
    html`<div class="say bad">
      <p>${words.alsoEntered}</p>
      ${proposed.map(({ id, proposedBy, proposedAt }) => html`<p>${words.by(proposedBy)}, ${minute(proposedAt)} · <a class="id" href="${viewer.root}/approvals#proposals">${id}</a></p>`)}
    </div>`
  }
  ${
    others.length > 0 &&
    html`<div class="say">
      <p>${words.similar(othersCount)}</p>
      ${others.map((line) => html`<p>${lineText(viewer, line)}</p>`)}
    </div>`
  }`
}

export function signedAmount({ direction, amount }: Pick<EnteredLine, 'direction' | 'amount'>, currency?: string) {
  return formatMoney(direction === 'debit' ? -amount : amount, currency)
}

export const dayText = (day: string) => periodText({ fromDay: day, toDay: day })
