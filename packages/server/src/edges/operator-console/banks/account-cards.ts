import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { ConnectionRow } from '../../../domain/connections/index.ts'
import { hasStatements, isManual } from '../../../domain/connections/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, cardTable, minute } from '../../web/console/parts.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Viewer } from '../page.ts'
import { longField, moneyField, settingForm, textField, whyField } from '../setting-form.ts'
import { WORDS } from './words.ts'

export type AccountFacts = {
  connections: ConnectionRow[]
  reads: ReadonlyMap<string, Date | null>
  accounts: CollectingAccount[]
  currencies: string[]
  /** The account whose limits the form shows. */
  chosenAccount: CollectingAccount | undefined
}

export function connectionTable(viewer: Viewer, { connections, reads, accounts }: AccountFacts): Html {
  const { language, now, words: shared } = viewer
  const words = WORDS[language]
  if (connections.length === 0) return html`<p class="empty">${words.noConnections}</p>`
  const columns = [
    { label: words.connection },
    { label: words.kind },
    { label: words.accountCount, isMoney: true },
    { label: words.lastRead },
    { label: shared.status },
    { label: words.acts },
  ]
  const rows = connections.map(({ name, kind, disabledAt }) => {
    const readAt = isManual(name) ? null : (reads.get(name) ?? null)
    return {
      href: null,
      cells: [
        html`${name}`,
        html`${words.kinds[kind] ?? kind}`,
        html`${accounts.filter(({ connection }) => connection === name).length}`,
        readAt
          ? html`${minute(readAt)} <span class="mild">${age(readAt, now, shared.age)}</span>`
          : html`${words.neverRead}`,
        html`<span class="state ${disabledAt ? 'bad' : 'good'}">${disabledAt ? words.off : words.on}</span>`,
        connectionForms(viewer, name, disabledAt !== null),
      ],
    }
  })
  return html`${cardTable(words.connections, columns, rows)}
    <p class="hint more">${words.disableHint}</p>`
}

function connectionForms(viewer: Viewer, name: string, isDisabled: boolean): Html {
  const words = WORDS[viewer.language]
  const which = html`<input type="hidden" name="connection" value="${name}" />`
  const why = html`${which}<input
      name="why"
      required
      minlength="5"
      maxlength="200"
      aria-label="${words.why}"
      placeholder="${words.why}"
    />`
  return html`<div class="acts row">
    ${decisionForm(viewer, 'connection.test', '/banks/connections/test', which, words.test, 'plain')}
    ${
      isDisabled
        ? decisionForm(viewer, 'connection.switch', '/banks/connections/on', which, words.enable)
        : decisionForm(viewer, 'connection.switch', '/banks/connections/off', why, words.disable, 'danger')
    }
  </div>`
}

export function accountCards(viewer: Viewer, facts: AccountFacts): Html {
  const words = WORDS[viewer.language]
  const { accounts } = facts
  const columns = [
    { label: words.account },
    { label: words.holder },
    { label: words.connection },
    { label: words.daily },
  ]
  const rows = accounts.map(
    ({ id, bankName, iban, title, connection, dailyAmountLimit, dailyCountLimit, currency }) => {
      const amount = dailyAmountLimit === null ? [] : [formatMoney(dailyAmountLimit, currency)]
      const count = dailyCountLimit === null ? [] : [words.payments(dailyCountLimit)]
      return {
        href: null,
        cells: [
          html`<a href="${viewer.root}/banks?account=${id}#account">${bankName}</a><br /><span class="id mild"
              >${groupedIban(iban)}</span
            >`,
          html`${plainName(title)}`,
          html`${connection ?? words.none}`,
          html`${[...amount, ...count].join(', ') || words.noLimit}`,
        ],
      }
    },
  )
  return html`${cardTable(words.accounts, columns, rows)}
    <div class="columns more">
      ${openForm(viewer, facts)} ${limitForm(viewer, facts)} ${connectForm(viewer, facts)}
    </div>`
}

function card(title: string, form: Html, isOpen = false): Html {
  return html`<section class="card">
    <details ${isOpen && html`open`}>
      <summary>${title}</summary>
      ${form}
    </details>
  </section>`
}

function openForm(viewer: Viewer, { connections, currencies }: AccountFacts): Html {
  const words = WORDS[viewer.language]
  // Without one that gives statements, files are imported only for accounts that are connected by hand.
  const hasOne = connections.some(hasStatements)
  const fields = html`${longField('IBAN', 'iban')} ${longField(words.holder, 'title')}
    <label class="field"
      >${words.currency}<select name="currency">
        ${currencies.map((one) => option(one, one, false))}
      </select></label
    >
    <label class="field"
      >${words.connection}<select name="connection">
        ${option('', words.byItself, hasOne)}
        ${connections.map(({ name }, index) => option(name, name, !hasOne && index === 0))}
      </select></label
    >
    ${whyField(words.why)}`
  const form = { action: 'account.open', path: '/banks/accounts/open', label: words.propose, fields } as const
  return card(words.openAccount, settingForm(viewer, form))
}

function accountField(viewer: Viewer, { accounts, chosenAccount }: AccountFacts): Html {
  return html`<label class="field"
    >${WORDS[viewer.language].account}<select name="account">
      ${accounts.map(({ id, bankName, iban }) => option(id, `${bankName} …${iban.slice(-4)}`, id === chosenAccount?.id))}
    </select></label
  >`
}

/** An empty field lifts a limit, so the form shows those of one account. */
function limitForm(viewer: Viewer, facts: AccountFacts): Html {
  const words = WORDS[viewer.language]
  const account = facts.chosenAccount ?? facts.accounts[0]
  if (!account) return html``
  const { id, bankName, iban, dailyAmountLimit, dailyCountLimit } = account
  const count = dailyCountLimit === null ? '' : String(dailyCountLimit)
  const fields = html`<input type="hidden" name="account" value="${id}" />
    <p class="all" id="account">${bankName} <span class="id mild">${groupedIban(iban)}</span></p>
    ${moneyField(words.dailyAmount, 'amount', dailyAmountLimit)}
    ${textField(words.dailyCount, 'count', count, html`inputmode="numeric"`)} ${whyField(words.why)}`
  const form = { action: 'account.limits', path: '/banks/accounts/limits', label: words.propose, fields } as const
  return card(words.changeLimits, settingForm(viewer, form), facts.chosenAccount !== undefined)
}

function connectForm(viewer: Viewer, facts: AccountFacts): Html {
  const words = WORDS[viewer.language]
  const fields = html`${accountField(viewer, facts)}
    <label class="field"
      >${words.connection}<select name="connection">
        ${facts.connections.map(({ name }) => option(name, name, false))}
      </select></label
    >
    ${whyField(words.why)}`
  const form = { action: 'account.connect', path: '/banks/accounts/connect', label: words.propose, fields } as const
  return card(words.changeConnection, settingForm(viewer, form))
}
