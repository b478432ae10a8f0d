import type { Schedule } from '../../../domain/merchants/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import {
  settlementFacts,
  settlementList,
  settlementNow,
  timeOfDay,
} from '../../web/console/settlement/settlement-parts.ts'
import { SETTLEMENT_WORDS } from '../../web/console/settlement/words.ts'
import type { Language } from '../../web/console/site.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { longField, moneyField, settingForm, whyField } from '../setting-form.ts'
import type { MerchantFacts } from './facts.ts'
import { WORDS } from './words.ts'

export const EVERY = ['off', 'day', 'week'] as const

const tr = {
  noAccount: 'Kayıtlı hesap yok: hakediş gönderilemez. Hesabı bir kişi önerir, başka biri onaylar.',
  register: 'Hesap kaydet',
  account: 'Hesabı değiştir',
  holder: 'Hesap sahibi',
  schedule: 'Otomatik gönderimi değiştir',
  scheduleHint:
    'Kaydedildikten sonraki ilk zamanda başlar. Kullanılabilir bakiyenin tamamı gönderilir; en az tutarın altındaki bakiye bir sonraki zamana kalır.',
  how: 'Sıklık',
  every: { off: 'Kapalı', day: 'Her gün', week: 'Her hafta' },
  weekday: 'Gün (her hafta ise)',
  at: 'Saat (İstanbul)',
  minimum: 'En az tutar',
  wrongTime: '09:30 gibi yazılmalı',
  wrongAmount: '350 veya 1.250,00 gibi yazılmalı; en az 0,01',
  userOf: 'satıcı kullanıcısı',
  unnamed: 'adsız (sandbox)',
  said: { scheduleSet: 'Otomatik gönderim kaydedildi.' },
}

const en: typeof tr = {
  noAccount: 'No account is registered: nothing can be settled. One person proposes the account, another approves it.',
  register: 'Register an account',
  account: 'Change the account',
  holder: 'Account holder',
  schedule: 'Change when it is sent',
  scheduleHint:
    'It begins with the next time after it is saved. All of the available balance is sent; less than the minimum stays until the next time.',
  how: 'How often',
  every: { off: 'Off', day: 'Every day', week: 'Every week' },
  weekday: 'Day (if every week)',
  at: 'Time (Istanbul)',
  minimum: 'Minimum',
  wrongTime: 'must be written as 09:30',
  wrongAmount: 'must be written as 350 or 1.250,00, and be 0,01 or more',
  userOf: 'user of the merchant',
  unnamed: 'unnamed (sandbox)',
  said: { scheduleSet: 'It is saved when settlements are sent.' },
}

export const SETTLEMENT_CARD_WORDS: Record<Language, typeof tr> = { tr, en }

/** Of a merchant without one. One kuruş, so that any balance is sent. */
const NONE: Schedule = { every: 'off', weekday: null, minute: 9 * 60, minimum: 1n }

export function settlementCard(viewer: Viewer, { merchant: { id }, settlement, users }: MerchantFacts): Html {
  const words = SETTLEMENT_CARD_WORDS[viewer.language]
  const shared = SETTLEMENT_WORDS[viewer.language]
  const { propose, save, why } = WORDS[viewer.language]
  const look = { iban: groupedIban, noAccount: words.noAccount }
  const fields = html`${longField('IBAN', 'iban')} ${longField(words.holder, 'title')} ${whyField(why)}`
  const path = `/merchants/${id}`
  return html`<section class="card" aria-labelledby="settlement">
    <h2 id="settlement">${shared.title}</h2>
    ${settlementFacts(viewer, settlement, look)} ${settlement.account && html`<h3>${shared.now}</h3>`}
    ${settlementNow(viewer, settlement, look, `${path}/settle`)}
    <h3>${shared.last}</h3>
    ${settlementList(viewer, settlement.settlements, nameOf(viewer, users))}
    ${
      settlement.account &&
      html`<details>
        <summary>${words.schedule}</summary>
        <p class="hint">${words.scheduleHint}</p>
        ${settingForm(viewer, {
          ...{ action: 'settlement.schedule', path: `${path}/settlement-schedule`, label: save },
          fields: html`<input type="hidden" name="seen" value="${settlement.schedule?.setAt.toISOString() ?? ''}" />
            ${scheduleFields(viewer, settlement.schedule ?? NONE)}`,
        })}
      </details>`
    }
    <details>
      <summary>${settlement.account ? words.account : words.register}</summary>
      ${settingForm(viewer, { action: 'settlement.account', path: `${path}/settlement-account`, label: propose, fields })}
    </details>
  </section>`
}

function scheduleFields({ language }: Viewer, { every, weekday, minute, minimum }: Schedule): Html {
  const words = SETTLEMENT_CARD_WORDS[language]
  const { weekdays } = SETTLEMENT_WORDS[language]
  return html`<label class="field"
      >${words.how}<select name="every">
        ${EVERY.map((one) => option(one, words.every[one], one === every))}
      </select></label
    >
    <label class="field"
      >${words.weekday}<select name="weekday">
        ${weekdays.map((day, at) => option(String(at + 1), day, at + 1 === (weekday ?? 1)))}
      </select></label
    >
    <label class="field">${words.at}<input type="time" name="at" value="${timeOfDay(minute)}" required /></label>
    ${moneyField(words.minimum, 'minimum', minimum)}`
}

/** Who asked for a settlement: a person of the staff, or a user of the merchant. */
function nameOf({ language }: Viewer, users: MerchantFacts['users']) {
  const words = SETTLEMENT_CARD_WORDS[language]
  return (who: string): string => {
    if (who === 'operator') return words.unnamed
    if (!who.startsWith('merchant:')) return plainName(who)
    const login = who.split(':')[2] ?? ''
    return `${words.userOf} ${plainName(users.find(({ id }) => id === login)?.name ?? `…${login.slice(-6)}`)}`
  }
}
