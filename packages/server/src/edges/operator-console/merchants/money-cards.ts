import type { Fee } from '../../../kernel/money.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { matchLimit, payoutRulesInForce } from '../../../domain/merchants/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { percent, rate } from '../../web/console/proposals/differences.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { Viewer } from '../page.ts'
import { moneyField, settingForm, textField, whyField } from '../setting-form.ts'
import type { MerchantFacts } from './facts.ts'
import { WORDS } from './words.ts'

/** What the merchant pays, what needs two people, and the freeze. */
export function feeCard(viewer: Viewer, { merchant }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const { id, depositFee, withdrawFee, fees, refundsCharged } = merchant
  const upcoming = fees.filter(({ effectiveFrom }) => effectiveFrom > viewer.now)
  const fields = html`${feeFields(viewer, 'deposit', depositFee)} ${feeFields(viewer, 'withdraw', withdrawFee)}
    <label class="field all">${words.validFrom}<input type="datetime-local" name="from" /></label>
    ${whyField(words.why)}`
  return html`<section class="card" aria-labelledby="fees">
    <h2 id="fees">${words.fees}</h2>
    <dl class="facts">
      <dt>${words.depositFee}</dt>
      <dd>${feeWords(viewer, depositFee)}</dd>
      <dt>${words.withdrawFee}</dt>
      <dd>
        ${feeWords(viewer, withdrawFee)}${refundsCharged && html`<br /><span class="mild">${words.refundsCharged}</span>`}
      </dd>
      ${upcoming.map(
        (terms) =>
          html`<dt>${words.upcoming}</dt>
            <dd>
              ${minute(terms.effectiveFrom)}: ${words.depositFee} ${feeWords(viewer, terms.deposit)} ·
              ${words.withdrawFee} ${feeWords(viewer, terms.withdraw)}
            </dd>`,
      )}
    </dl>
    <details>
      <summary>${words.feeChange}</summary>
      ${settingForm(viewer, { action: 'merchant.fees', path: `/merchants/${id}/fees`, label: words.propose, fields })}
    </details>
  </section>`
}

function feeWords({ language }: Viewer, { bps, fixed, min, max }: Fee): string {
  const words = WORDS[language]
  const rate = fixed === 0n ? percent(language, bps) : `${percent(language, bps)} + ${formatMoney(fixed)}`
  const bounds = [min > 0n && words.atLeast(formatMoney(min)), max !== null && words.atMost(formatMoney(max))]
  return [rate, ...bounds].filter(Boolean).join(', ')
}

function feeFields({ language }: Viewer, kind: 'deposit' | 'withdraw', { bps, fixed, min, max }: Fee): Html {
  const words = WORDS[language]
  return html`<fieldset class="all quad">
    <legend>${kind === 'deposit' ? words.depositFee : words.withdrawFee}</legend>
    ${textField(words.rate, `${kind}Bps`, rate(bps), html`inputmode="decimal" required`)}
    ${moneyField(words.fixed, `${kind}Fixed`, fixed)} ${moneyField(words.least, `${kind}Min`, min)}
    ${moneyField(words.most, `${kind}Max`, max)}
  </fieldset>`
}

export function limitCard(viewer: Viewer, { merchant }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const { fields: names, none } = PROPOSAL_WORDS[viewer.language]
  const { id, payoutRules: rules, maxOpenDeposits, matching } = merchant
  const inForce = payoutRulesInForce(rules, viewer)
  const shown = (value: bigint | number | null) =>
    value === null ? none : typeof value === 'bigint' ? formatMoney(value) : String(value)
  const count = (name: 'dailyCount' | 'dailyIbanCount') =>
    textField(names[name] ?? name, name, rules[name] === null ? '' : String(rules[name]), html`inputmode="numeric"`)
  const money = (name: 'approvalThreshold' | 'dailyAmount' | 'dailyIbanAmount') =>
    moneyField(names[name] ?? name, name, rules[name])
  const fields = html`${money('approvalThreshold')} ${money('dailyAmount')} ${count('dailyCount')}
  ${money('dailyIbanAmount')} ${count('dailyIbanCount')} ${whyField(words.why)}`
  return html`<section class="card" aria-labelledby="limits">
    <h2 id="limits">${words.limits}</h2>
    <dl class="facts">
      ${Object.entries(inForce).map(
        ([name, value]) =>
          html`<dt>${names[name] ?? name}</dt>
            <dd>${shown(value)}</dd>`,
      )}
      <dt>${words.openDeposits}</dt>
      <dd>${maxOpenDeposits}</dd>
      <dt>${words.matchFrom}</dt>
      <dd>${shown(matchLimit(matching, viewer))}</dd>
    </dl>
    <details>
      <summary>${words.limitsChange}</summary>
      <p class="hint">${words.limitsHint}</p>
      ${settingForm(viewer, { action: 'merchant.settings', path: `/merchants/${id}/payout-rules`, label: words.save, fields })}
      ${otherLimits(viewer, id, maxOpenDeposits, matching.approveFrom)}
    </details>
  </section>`
}

function otherLimits(viewer: Viewer, id: string, max: number, approveFrom: bigint | null): Html {
  const words = WORDS[viewer.language]
  const open = html`${textField(words.openDeposits, 'max', String(max), html`inputmode="numeric" required`)}${whyField(words.why)}`
  const match = html`${moneyField(words.matchFrom, 'approveFrom', approveFrom)}${whyField(words.why)}`
  return html`${settingForm(viewer, { action: 'merchant.settings', path: `/merchants/${id}/open-deposits`, label: words.propose, fields: open })}
  ${settingForm(viewer, { action: 'merchant.settings', path: `/merchants/${id}/match-approval`, label: words.save, fields: match })}`
}

export function freezeCard(viewer: Viewer, { merchant, pending }: MerchantFacts): Html {
  const words = WORDS[viewer.language]
  const { id, frozen, freezes } = merchant
  const preview = frozen
    ? words.unfreezePreview(pending.withdrawals)
    : words.freezePreview(pending.deposits, pending.withdrawals)
  return html`<section class="card" aria-labelledby="freeze">
    <h2 id="freeze">${words.freezeTitle}</h2>
    ${
      freezes.length > 0 &&
      html`<ul class="rows">
        ${freezes.map(
          ({ frozen: was, decidedBy, reason, decidedAt }) =>
            html`<li>
              <span>${was ? words.freeze : words.unfreeze} · ${decidedBy}: ${plainName(reason)}</span>
              <span class="mild">${minute(decidedAt)} · ${age(decidedAt, viewer.now, viewer.words.age)}</span>
            </li>`,
        )}
      </ul>`
    }
    <p class="hint">${preview}</p>
    ${settingForm(viewer, {
      ...{ action: 'merchant.freeze', path: `/merchants/${id}/${frozen ? 'unfreeze' : 'freeze'}` },
      ...{
        label: frozen ? words.proposeUnfreeze : words.freeze,
        fields: whyField(words.why),
        look: frozen ? '' : 'danger',
      },
    })}
  </section>`
}
