import { say } from '../../../acts/refusals/say.ts'
import type { Unfitting } from '../../../domain/withdrawals/index.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Page, Viewer } from '../page.ts'
import { ORDER_FILES, ORDER_WORDS } from './words.ts'

export const MAX_UNFITTING = 100

/** Reports that name no file of ours, and what in others is unknown or contradicts a payout. */
export function unfittingPage(viewer: Viewer, reports: Unfitting[]): Page {
  const words = ORDER_WORDS[viewer.language]
  const main = html`<p class="mild"><a href="${viewer.root}${ORDER_FILES}">${words.title}</a></p>
    <h1>${words.unfitting}</h1>
    <p class="lead">${words.unfittingLead}</p>
    ${reports.length === 0 ? html`<p class="empty">${words.noUnfitting}</p>` : table(viewer, reports)}`
  return { title: words.unfitting, section: 'payouts', main }
}

function table(viewer: Viewer, reports: Unfitting[]): Html {
  const { language } = viewer
  const words = ORDER_WORDS[language]
  const labels = [words.report, words.received, words.connection, words.about, words.outcome, words.reportWhy]
  const rows = reports.map((one) => {
    const { name, receivedAt, connection, status, outcome, why } = one
    return {
      href: null,
      cells: [
        html`${plainName(name)}`,
        minute(receivedAt),
        html`${connection}`,
        about(viewer, one),
        html`${outcome === null ? '–' : words.outcomes[outcome]} ${status !== null && `(${plainName(status)})`}`,
        html`${plainName(why === null ? whyUnfitting(viewer, one) : say(language, why))}`,
      ],
    }
  })
  return dataTable(
    words.unfitting,
    labels.map((label) => ({ label })),
    rows,
  )
}

function about({ root, language }: Viewer, { batchId, messageId, endToEndId, outcome }: Unfitting): Html {
  const words = ORDER_WORDS[language]
  if (batchId === null) return html`${plainName(words.message(messageId ?? words.withoutId))}`
  const order =
    outcome === 'contradicts'
      ? html`<a class="id" href="${root}/transactions/${endToEndId}">${endToEndId}</a>`
      : html`<span class="id">${plainName(endToEndId ?? '')}</span>`
  return html`<a class="id" href="${root}${ORDER_FILES}/${batchId}">${words.file} ${batchId.slice(-6)}</a>
    <span class="line">${order}</span>`
}

function whyUnfitting({ language }: Viewer, { batchId }: Unfitting): string {
  const words = ORDER_WORDS[language]
  return batchId === null ? words.noBatch : words.otherwise
}
