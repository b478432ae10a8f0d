import { formatMoney } from '../../../kernel/money.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Language } from '../../web/console/site.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { moneyField, settingForm, textField, whyField } from '../setting-form.ts'
import type { MerchantFacts } from './facts.ts'
import { WORDS } from './words.ts'

export const POLICIES = {
  amount: ['exact', 'tolerance', 'accept_received'],
  late: ['complete', 'review'],
  nameCheck: ['off', 'warn', 'require'],
} as const

const tr = {
  title: 'Eşleştirme ve süre',
  change: 'Eşleştirme kurallarını değiştir',
  deadlineChange: 'Süreyi değiştir',
  deadline: 'Yalnızca EFT ile ödenebilen yatırım',
  deadlineWords: (hours: number | null) =>
    hours === null ? 'öbürleri gibi yarım saat bekler' : `EFT açıldıktan sonra ${hours} saat bekler`,
  hours: 'EFT açıldıktan sonra kaç saat (1–48; boşsa yarım saat)',
  deadlineHint: 'Yeni yatırımlar için hemen geçerli olur.',
  said: { deadlineSet: 'Süre kaydedildi; yeni yatırımlar için geçerli.' },
}

const en: typeof tr = {
  title: 'Matching and deadline',
  change: 'Change the matching rules',
  deadlineChange: 'Change the deadline',
  deadline: 'A deposit that only EFT can pay',
  deadlineWords: (hours) => (hours === null ? 'waits half an hour, as any other' : `waits ${hours} h after EFT opens`),
  hours: 'Hours after EFT opens (1–48; empty: half an hour)',
  deadlineHint: 'In force at once, for new deposits.',
  said: { deadlineSet: 'The deadline is saved; it is for new deposits.' },
}

export const MATCHING_WORDS: Record<Language, typeof tr> = { tr, en }

/** How money is judged that is not exactly what was asked for, and how long a deposit waits. */
export function matchingCard(viewer: Viewer, { merchant }: MerchantFacts): Html {
  const words = MATCHING_WORDS[viewer.language]
  const { why, save } = WORDS[viewer.language]
  const { fields: names, values } = PROPOSAL_WORDS[viewer.language]
  const { id, matching, eftDeadlineHours: hours } = merchant
  const label = (field: keyof typeof matching) => names[`matching.${field}`] ?? field
  const told = (policy: string) => values[policy] ?? policy
  const choice = (field: keyof typeof POLICIES) =>
    html`<label class="field"
      >${label(field)}<select name="${field}">
        ${POLICIES[field].map((one) => option(one, told(one), one === matching[field]))}
      </select></label
    >`
  const fields = html`${choice('amount')} ${moneyField(label('tolerance'), 'tolerance', matching.tolerance)}
  ${choice('late')} ${choice('nameCheck')} ${whyField(why)}`
  const deadline = textField(words.hours, 'eftHours', hours === null ? '' : String(hours), html`inputmode="numeric"`)
  return html`<section class="card" aria-labelledby="matching">
    <h2 id="matching">${words.title}</h2>
    <dl class="facts">
      ${(['amount', 'late', 'nameCheck'] as const).map(
        (field) =>
          html`<dt>${label(field)}</dt>
            <dd>
              ${told(matching[field])}${
                field === 'amount' && matching.amount === 'tolerance' && ` (${formatMoney(matching.tolerance)})`
              }
            </dd>`,
      )}
      <dt>${words.deadline}</dt>
      <dd>${words.deadlineWords(hours)}</dd>
    </dl>
    <details>
      <summary>${words.change}</summary>
      ${settingForm(viewer, { action: 'merchant.settings', path: `/merchants/${id}/matching`, label: save, fields })}
    </details>
    <details>
      <summary>${words.deadlineChange}</summary>
      <p class="hint">${words.deadlineHint}</p>
      ${settingForm(viewer, { action: 'merchant.settings', path: `/merchants/${id}/deadline`, label: save, fields: deadline })}
    </details>
  </section>`
}
