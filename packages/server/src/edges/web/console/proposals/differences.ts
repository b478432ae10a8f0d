import type { Difference, ShownProposal } from '../../../../domain/proposals/index.ts'
import { plainValue } from '../../../../domain/proposals/index.ts'
import { groupedIban } from '../../../../kernel/iban.ts'
import { formatMoney } from '../../../../kernel/money.ts'
import type { Html } from '../../html.ts'
import { html, plainName } from '../../html.ts'
import { minute } from '../parts.ts'
import { say } from '../../../../acts/refusals/say.ts'
import type { Said } from '../../../../platform/refusal.ts'
import type { Language } from '../site.ts'
import { PROPOSAL_WORDS } from './words.ts'

/** What changes, before → after. Values that stay are left out, facts are not. */
export function differences(language: Language, rows: readonly Difference[]): Html {
  const changed = rows.filter(
    ({ as, before, after }) => (as === 'fact' && after !== null) || JSON.stringify(before) !== JSON.stringify(after),
  )
  return html`<dl class="diff">
    ${changed.map(
      (row) =>
        html`<div>
          <dt>${PROPOSAL_WORDS[language].fields[row.field] ?? grouped(row.field)}</dt>
          <dd>${valueOf(language, row)}</dd>
        </div>`,
    )}
  </dl>`
}

function valueOf(language: Language, row: Difference): Html {
  if (row.as === 'findings') return findings(language, row)
  if (row.as === 'fact' || row.as === 'personal') return html`${shown(language, row, row.after)}`
  return row.as === 'list' ? listed(language, row) : pair(language, row)
}

const findings = (language: Language, { field, after }: Difference) =>
  html`<ul class="marks ${field === 'problems' && 'problems'}">
    ${noticesOf(after).map((what) => html`<li>${plainName(typeof what === 'string' ? what : say(language, what))}</li>`)}
  </ul>`

function pair(language: Language, row: Difference): Html {
  const { none } = PROPOSAL_WORDS[language]
  const [before, after] = [shown(language, row, row.before), shown(language, row, row.after)]
  const old = before === null ? html`<span class="mild">${none}</span>` : html`<del>${before}</del>`
  return html`${old} <span aria-hidden="true">→</span> <ins>${after ?? none}</ins>`
}

function shown(language: Language, { as, field }: Difference, value: Difference['before']): Html | string | null {
  if (value === null || value === '') return null
  const text = plainValue(value)
  if (as === 'money') return formatMoney(BigInt(text))
  // As it was written: a name may be a word of ours.
  if (as === 'personal') return plainName(grouped(text))
  if (as === 'bps') return percent(language, Number(value))
  if (as === 'time') return minute(new Date(text))
  // Only of days: in an address or a name, another text would be shown than the one that is approved.
  if (DAYS.has(field)) return withDays(text)
  const { values, accounts } = PROPOSAL_WORDS[language]
  if (field === 'booking') return plainName(text.replace(/[a-z_]+/g, (word) => accounts[word] ?? word))
  return plainName(values[text] ?? grouped(text))
}

const DAYS = new Set(['period', 'dayOfLine', 'dayEntered', 'keptUntil'])

/** Days as everywhere else. */
const withDays = (text: string) => text.replace(/\b(\d{4})-(\d\d)-(\d\d)\b/g, '$3.$2.$1')

const grouped = (text: string) => (/^TR\d{24}$/.test(text) ? groupedIban(text) : text)

/** What a proposal is about, as people know it. */
export function aboutOf({ target, rows }: Pick<ShownProposal, 'target' | 'rows'>): string {
  const named = rows.find(({ field, as }) => as === 'fact' && (field === 'file' || field === 'bank'))
  if (named) return plainValue(named.after)
  // Of a new rule its words; direction and account have rows of their own.
  const about = target.replace(/^rule:(?:debit|credit) \S+ |^[a-z]+:/, '')
  return target.startsWith('day:') ? withDays(about) : grouped(about)
}

/** 150 → 1,50. */
export const rate = (bps: number) => `${Math.floor(bps / 100)},${String(bps % 100).padStart(2, '0')}`

export function percent(language: Language, bps: number): string {
  return language === 'tr' ? `%${rate(bps)}` : `${rate(bps)}%`
}

function listed(language: Language, { before, after }: Difference): Html {
  const [old, now] = [textsOf(before), textsOf(after)]
  const all = [...new Set([...old, ...now])]
  return html`<ul class="marks">
    ${all.map((one) => {
      const text = plainName(PROPOSAL_WORDS[language].values[one] ?? one)
      if (!now.includes(one)) return html`<li>− <del>${text}</del></li>`
      return old.includes(one) ? html`<li>${text}</li>` : html`<li><ins>+ ${text}</ins></li>`
    })}
  </ul>`
}

const noticesOf = (value: Difference['before']) => (Array.isArray(value) ? (value as (string | Said)[]) : [])
const textsOf = (value: Difference['before']) => noticesOf(value).filter((one) => typeof one === 'string')
