import type { Deposit } from '../../../domain/deposits/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import type { Viewer } from '../page.ts'
import { REFUND_WORDS } from './words.ts'

type Refund = {
  /** Makes one refund of a form that is sent twice. */
  formId: string
  /** Paid a second time, in suspense. */
  duplicate: bigint
}

/** Nothing for a deposit of which nothing can be refunded. */
export function refundCard(viewer: Viewer, deposit: Deposit, { formId, duplicate }: Refund): Html {
  const { id, status, receivedAmount, refundedAmount, takenBackAmount, currency } = deposit
  const left = receivedAmount - refundedAmount - takenBackAmount
  if (status !== 'completed' || left <= 0n) return html``
  const words = REFUND_WORDS[viewer.language]
  const shown = formatMoney(left, currency)
  const fields = html`<input type="hidden" name="id" value="${formId}" />
    <div class="fields">
      <label class="field"
        >${viewer.words.amount}
        <input
          name="amount"
          required
          maxlength="20"
          inputmode="decimal"
          value="${shown.split(' ')[0]}"
          autocomplete="off"
        />
        <span class="hint">${words.amountHint}</span></label
      >
      <label class="field">${words.reason} <input name="reason" maxlength="200" autocomplete="off" /></label>
    </div>
    <details>
      <summary>${words.unknown}</summary>
      <p class="hint">${words.unknownHint}</p>
      <div class="fields">
        <label class="field"
          >${viewer.words.iban}
          <input name="iban" maxlength="40" placeholder="TR" autocomplete="off" spellcheck="false"
        /></label>
        <label class="field">${words.name} <input name="name" maxlength="140" autocomplete="off" /></label>
      </div>
    </details>
    ${
      duplicate > 0n &&
      html`<label class="choice"><input type="checkbox" name="besides" value="yes" required />${words.besides}</label>`
    }`
  return html`<section class="card below" aria-labelledby="refund">
    <h2 id="refund" class="first">${words.title}</h2>
    <p class="hint">${words.left(shown)}</p>
    ${duplicate > 0n && html`<p class="say bad">${words.twice(formatMoney(duplicate, currency))}</p>`}
    ${decisionForm(viewer, 'refund.make', `/transactions/${id}/refund`, fields, words.refund, 'plain')}
  </section>`
}
