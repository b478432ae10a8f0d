import { DIFFERENCE_KINDS } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Viewer } from '../page.ts'
import { WORDS } from './words.ts'

type Account = { iban: string; bankName: string; currency: string }
export type NamedFigure = { label: string; money: (value: string | null) => string }

/** A stored figure is a text, also of one that is not known. */
function amountOf({ none }: { none: string }, currency: string, value: string | null): string {
  return value === null || value === 'null' ? none : formatMoney(BigInt(value), currency)
}

/** A stored figure in words: `TR… credits`, `TR… accepted LINE` or `TRY suspense`. */
export function namedFigure({ language }: Viewer, accounts: Account[], name: string): NamedFigure {
  const words = WORDS[language]
  const [whose = '', what = '', subject = ''] = name.split(' ')
  const account = accounts.find(({ iban }) => iban === whose)
  const currency = account?.currency ?? whose
  const money = (value: string | null) => amountOf(words, currency, value)
  if (!account) return { label: `${words.total}: ${words.kinds[what] ?? what.replaceAll('_', ' ')}`, money }
  const plain: Record<string, string> = {
    ...{ opening: words.opening, closing: words.closing, credits: words.credits, debits: words.debits },
    ...{ ledger: words.ledger, carried: words.closing },
    ...(what in DIFFERENCE_KINDS && words.differenceKinds),
  }
  const label = [plain[what] ?? name.slice(whose.length + 1), what in DIFFERENCE_KINDS ? subject : '']
  return { label: `${account.bankName} …${whose.slice(-4)}: ${label.filter(Boolean).join(' ')}`, money }
}
