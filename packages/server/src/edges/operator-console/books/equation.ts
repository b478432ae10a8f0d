import type { AccountProof } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Html } from '../../web/html.ts'
import { html } from '../../web/html.ts'
import type { Viewer } from '../page.ts'
import { DAY_WORDS } from './day-words.ts'
import { WORDS } from './words.ts'

type Name = 'opening' | 'credits' | 'debits' | 'closing' | 'ledger' | 'difference'

const NAMES: Name[] = ['opening', 'credits', 'debits', 'closing', 'ledger', 'difference']
const SUMS = new Set<Name>(['closing', 'difference'])

const figuresOf = ({ opening, credits, debits, closing, carried, ledger, difference }: AccountProof) => ({
  ...{ opening, credits, debits: -debits, closing: closing ?? carried?.closing ?? null },
  ...{ ledger, difference },
})

/** Opening + in − out = closing, beside the cash in the ledger and the difference: the same columns for each account. */
export function equation(viewer: Viewer, accounts: AccountProof[], currency: string): Html {
  const words = WORDS[viewer.language]
  const all = accounts.map(figuresOf)
  const isOpen = accounts.some(({ unexplained }) => unexplained !== 0n)
  const term = (name: Name) => {
    const known = all.flatMap((one) => one[name] ?? [])
    const amount = known.reduce((sum, one) => sum + one, 0n)
    const look = [SUMS.has(name) ? 'sum' : '', name === 'difference' && isOpen ? 'off' : '', name]
    return html`<div class="${look.filter(Boolean).join(' ')}">
      <dt>${words[name]}</dt>
      <dd>
        ${known.length === 0 ? words.none : formatMoney(amount, currency)}${
          known.length > 0 &&
          known.length < all.length &&
          html`<small>${DAY_WORDS[viewer.language].ofAccounts(known.length, all.length)}</small>`
        }
      </dd>
    </div>`
  }
  return html`<dl class="equation">${NAMES.map(term)}</dl>`
}
