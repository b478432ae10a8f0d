import type { Bank, Payment } from '../bank/bank.ts'
import { isIban, normaliseIban } from '../iban.ts'
import { formatMoney, parseMoney } from '../money.ts'
import type { Language } from '../web/language.ts'
import type { BankWords } from './words.ts'

/** Input as typed: shown again if a field has an error. */
export type OrderForm = {
  from: string
  iban: string
  name: string
  amount: string
  /** Not typed, but taken from the link to the form. Empty: the currency of the receiver's account. */
  currency: string
  description: string
  /** From the link to the form: the page to return to. */
  back: string
}

export type FormProblems = Partial<Record<keyof OrderForm, keyof BankWords>>

export const FAULTS = ['less', 'more', 'nocode', 'othername', 'twice', 'hold'] as const
type Fault = (typeof FAULTS)[number]

const TEN_LIRA = 1000n
const WITHOUT_CODE = 'Ödeme'
const ANOTHER_NAME = 'Hasan Çelik'

const LIMITS: Record<keyof OrderForm, number> = {
  from: 40,
  iban: 40,
  name: 140,
  amount: 24,
  currency: 3,
  description: 200,
  back: 500,
}

/** From a form or the query string: unknown parameters are ignored, long values are cut to the bank's field lengths. */
export function readOrderForm(get: (name: string) => unknown, bank: Bank): OrderForm {
  const field = (name: keyof OrderForm) => {
    const value = get(name)
    const text = typeof value === 'string' ? value : ''
    return text
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, LIMITS[name])
  }
  return {
    from: field('from') || (bank.customers()[0]?.iban ?? ''),
    iban: field('iban'),
    name: field('name'),
    amount: field('amount'),
    currency: field('currency'),
    description: field('description'),
    back: field('back'),
  }
}

/** The payment of the form, with the mistake that the pressed button selects. */
export function paymentOf(
  form: OrderForm,
  button: unknown,
  bank: Bank,
  language: Language = 'tr',
): Payment | FormProblems {
  const fault = FAULTS.find((known) => known === button) ?? null
  const problems: FormProblems = {}
  const from = bank.customers().find(({ iban }) => iban === form.from)
  const toIban = normaliseIban(form.iban)
  const amount = parseMoney(form.amount, language)
  if (!from) problems.from = 'badAccount'
  if (!isIban(toIban)) problems.iban = 'badIban'
  else if (toIban === from?.iban) problems.iban = 'sameAccount'
  if (amount === null) problems.amount = 'badAmount'
  else if (fault === 'less' && amount <= TEN_LIRA) problems.amount = 'tooLittle'
  if (!from || amount === null || Object.keys(problems).length > 0) return problems
  const { name: toName, description } = form
  const order = { fromIban: from.iban, toIban, toName, amount, currency: form.currency || null, description }
  const correct = { ...order, senderName: null, times: 1, hold: false }
  return fault ? { ...correct, ...mistakeOf(fault, amount) } : correct
}

/** The same form for the other language, with its amount in that notation. */
export function translateForm(form: OrderForm, from: Language, to: Language): OrderForm {
  const amount = parseMoney(form.amount, from)
  return amount === null ? form : { ...form, amount: formatMoney(amount, to).replace(' TL', '') }
}

function mistakeOf(fault: Fault, amount: bigint): Partial<Payment> {
  const mistakes: Record<Fault, Partial<Payment>> = {
    less: { amount: amount - TEN_LIRA },
    more: { amount: amount + TEN_LIRA },
    nocode: { description: WITHOUT_CODE },
    othername: { senderName: ANOTHER_NAME },
    twice: { times: 2 },
    hold: { hold: true },
  }
  return mistakes[fault]
}
