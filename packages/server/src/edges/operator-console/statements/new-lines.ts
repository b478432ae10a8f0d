import type { FilePreview } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { cardTable } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { masked } from '../reveal/personal-data.ts'
import { periodText } from './parts.ts'
import { PROPOSED_WORDS } from './proposed-words.ts'

/** Masked as on every page: no line of them is stored, so none can be opened with a reason. */
export function newLines(viewer: Viewer, { newLines: lines, counts, statements }: FilePreview): Html {
  const words = PROPOSED_WORDS[viewer.language]
  const data = masked(viewer)
  const accounts = new Map(statements.flatMap(({ account }) => (account ? [[account.id, account.bankName]] : [])))
  const heads = [words.sender, words.text, words.number].map((label) => ({ label }))
  const rows = lines.map((line) => {
    const { amount, direction, currency, valueDate, senderName, senderIban, narrative, bankReference } = line
    const sender = [data.name(senderName), senderIban === null ? '' : data.iban(plainName(senderIban))]
    const isSuspected = line.correctsLineId !== null && !line.isEntered
    return {
      href: null,
      cells: [
        html`${periodText({ fromDay: valueDate, toDay: valueDate })}
        ${accounts.size > 1 && html`<span class="mild">${accounts.get(line.collectingAccountId) ?? ''}</span>`}`,
        html`${formatMoney(direction === 'debit' ? -amount : amount, currency)}`,
        html`${sender.filter((text) => text !== '').join(' · ') || '–'}`,
        html`${data.text(narrative, [senderName]) || '–'}
        ${isSuspected && html`<b class="state bad">${words.suspected}</b>`}
        ${line.isEntered && html`<span class="state">${words.enteredBefore}</span>`}`,
        html`${plainName(bankReference ?? '–')}`,
      ],
    }
  })
  return html`<h2>${words.newLines}</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">${words.noNewLines}</p>`
        : cardTable(words.newLines, [{ label: words.day }, { label: words.amount, isMoney: true }, ...heads], rows)
    }
    ${counts.new > rows.length && html`<p class="hint">${words.firstLines(rows.length, counts.new)}</p>`}`
}
