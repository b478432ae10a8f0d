import type { AccountProof, Difference } from '../../../domain/books/index.ts'
import { isUnexplained } from '../../../domain/books/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { dataTable } from '../../web/console/parts.ts'
import { stateBadge } from '../../web/console/transaction-list.ts'
import type { Viewer } from '../page.ts'
import { dayText } from './list-page.ts'
import { DAY_WORDS } from './day-words.ts'
import { causeLinks, causesMaking } from './causes.ts'
import { equation } from './equation.ts'
import type { WaitingLines } from './waiting-lines.ts'
import { waitingNote } from './waiting-lines.ts'
import { WORDS } from './words.ts'

/** One account at the end of the day: what the bank says, what the ledger has, and why they differ. */
export function accountCard(viewer: Viewer, account: AccountProof, waiting?: WaitingLines): Html {
  const words = WORDS[viewer.language]
  const { bankName, iban, currency, carried, moved, accepted, closing, differences, lines } = account
  const money = (amount: bigint) => formatMoney(amount, currency)
  const notes = [
    closing === null &&
      (carried ? words.carried(money(carried.closing), dayText(carried.fromDay)) : words.noBalanceText),
    accepted?.state === 'ended' && words.acceptedEnded(money(accepted.amount), dayText(accepted.day)),
    accepted?.state === 'unclear' && words.acceptedUnclear(money(accepted.amount), dayText(accepted.day)),
  ].filter((text) => text !== false)
  return html`<article class="card proof" id="account-${account.collectingAccountId}">
    <div class="head">
      <b>${bankName} · <span class="id whole">${groupedIban(iban)}</span></b>
      ${verdict(viewer, account)}
    </div>
    ${equation(viewer, [account], currency)}
    ${moved !== 0n && html`<p class="note calm">${DAY_WORDS[viewer.language].moved(money(moved))}</p>`}
    ${missingNote(viewer, account, waiting)} ${waitingNote(viewer, account, waiting)}
    ${notes.map((text) => html`<p class="note">${text}</p>`)}
    ${differences.length > 0 && differencesTable(viewer, account, waiting)}
    ${lines.length > 0 && linesOf(viewer, account)}
  </article>`
}

/** The statement does not add up: because of known lines, or because it is not whole. */
function missingNote(viewer: Viewer, { missingLines, currency }: AccountProof, waiting?: WaitingLines): Html | false {
  if (missingLines === null || missingLines === 0n) return false
  const words = WORDS[viewer.language]
  const causes = causesMaking(missingLines, waiting?.causes ?? [])
  const amount = formatMoney(missingLines < 0n ? -missingLines : missingLines, currency)
  return html`<p class="note">
    ${words.missingLines(amount, missingLines < 0n)}
    ${causes.length > 0 ? causeLinks(viewer, causes, currency) : words.mayBeIncomplete}
  </p>`
}

function verdict({ language }: Viewer, account: AccountProof): Html {
  const { unexplained, proven, difference, missingLines, currency } = account
  const words = WORDS[language]
  const badge = (look: string, text: string) => html`<span class="state ${look}">${text}</span>`
  if (unexplained !== 0n) return badge('bad', words.notExplained(formatMoney(unexplained, currency)))
  if (!proven) return badge('bad', words.notProven)
  if (difference === null) return badge('', words.noBalance)
  // Of a statement that does not add up nothing is proven, whatever the ledger has.
  if (missingLines !== null && missingLines !== 0n) return badge('busy', words.linesDiffer)
  return badge('good', difference === 0n ? words.agrees : words.explained)
}

function differencesTable(viewer: Viewer, { differences, currency }: AccountProof, waiting?: WaitingLines): Html {
  const words = WORDS[viewer.language]
  return dataTable(
    words.difference,
    [{ label: words.why }, { label: words.about }, { label: words.bankHasMore, isMoney: true }],
    differences.map((one) => {
      const { kind, otherDay, amount } = one
      const causes = one.subject === '' ? causesMaking(amount, waiting?.causes ?? []) : []
      const why = words.differenceKinds[kind] + (otherDay === null ? '' : `; ${words.otherDay(dayText(otherDay))}`)
      return {
        href: null,
        cells: [
          isUnexplained(one) ? html`<b class="state bad">${why}</b>` : html`${why}`,
          causes.length > 0 ? html`${causeLinks(viewer, causes, currency)}` : subject(viewer, one),
          html`${formatMoney(amount, currency)}`,
        ],
      }
    }),
    'why-table',
  )
}

/** The search opens a transaction, and shows a bank line. */
function subject({ language, root }: Viewer, { subject: id }: Difference): Html {
  if (id === '') return html`<span class="mild">${WORDS[language].noSubject}</span>`
  return html`<a class="id" href="${root}/search?q=${id}">${id}</a>`
}

/** Folded where nothing differs. */
function linesOf(viewer: Viewer, account: AccountProof): Html {
  const count = account.lines.reduce((sum, one) => sum + one.count, 0)
  return html`<details class="folded" ${account.differences.length > 0 && 'open'}>
    <summary>${DAY_WORDS[viewer.language].linesOfDay(count)}</summary>
    ${linesTable(viewer, account)}
  </details>`
}

/** The desk has lines that wait. */
const isListed = (state: string) => state === 'suspense' || state === 'needs_review'

function linesTable(viewer: Viewer, account: AccountProof): Html {
  const { lines, currency } = account
  const words = WORDS[viewer.language]
  return dataTable(
    words.lines,
    [{ label: words.state }, ...[words.count, words.credits, words.debits].map((label) => ({ label, isMoney: true }))],
    lines.map(({ state, count, credits, debits }) => ({
      href: null,
      cells: [
        state === 'matched'
          ? html`<span class="state good">${DAY_WORDS[viewer.language].matched}</span>`
          : stateBadge(viewer, state),
        isListed(state)
          ? html`<a href="${viewer.root}/matching?account=${account.collectingAccountId}">${count}</a>`
          : html`${count}`,
        html`${formatMoney(credits, currency)}`,
        html`${formatMoney(-debits, currency)}`,
      ],
    })),
    'lines-table',
  )
}
